// Optima found earlier, one file each, recognised by the digest of the problem. What cannot be trusted is reported and
// found anew: a file that is cut short or changed, one of another problem, and one whose point is not stationary.
#pragma once

#include "driftless/core/reference.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace driftless {

// $DRIFTLESS_CACHE, else $XDG_CACHE_HOME/driftless, else ~/.cache/driftless; none where none of them is set.
std::optional<std::filesystem::path> cache_folder();

struct FoundReference {
  Reference optimum;
  double grad_norm = 0.0;  // that was reached
};

class ReferenceCache {
 public:
  // Nothing is kept without a folder.
  ReferenceCache(std::optional<std::filesystem::path> folder, std::string problem);

  // None where there is no entry, or, with a warning, none to be trusted.
  std::optional<FoundReference> read(Index dim) const;
  void write(const FoundReference& found) const noexcept;  // failing is worth a warning only
  void distrust(const std::string& reason) const;          // the warning

  const std::filesystem::path& file() const { return file_; }  // empty without a folder

 private:
  std::string problem_;
  std::filesystem::path file_;
};

}  // namespace driftless
