// Optima of earlier runs, one file each, identified by the digest of the problem. An unusable entry is reported and
// computed again: a truncated or changed file, one of another problem, and one whose point is not stationary.
#pragma once

#include "driftless/core/reference.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace driftless {

// $DRIFTLESS_CACHE, else $XDG_CACHE_HOME/driftless, else ~/.cache/driftless; none where no variable is set.
std::optional<std::filesystem::path> cache_folder();

struct FoundReference {
  Reference optimum;
  double grad_norm = 0.0;  // at the point found

  bool finite() const;
};

class ReferenceCache {
 public:
  // Without a folder nothing is cached.
  ReferenceCache(std::optional<std::filesystem::path> folder, std::string problem);

  // None where there is no entry, or, with a warning, an unusable one.
  std::optional<FoundReference> read(Index dim) const;
  void write(const FoundReference& found) const noexcept;  // a failure is only a warning
  void report_unusable(const std::string& reason) const;   // the warning

  const std::filesystem::path& file() const { return file_; }  // empty without a folder

 private:
  std::string problem_;
  std::filesystem::path file_;
};

}  // namespace driftless
