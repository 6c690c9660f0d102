// Damages files of a peer while it does not run, and restores them once the damage was rejected.
#pragma once

#include "driftless/core/random.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace driftless {

enum class DamageKind { flip, cut, swap };

// Copies of the folders of another run with the same configuration and other data, taken at several moments.
struct OtherRun {
  std::vector<std::filesystem::path> copies;  // each with a folder for every peer
};

class Damage {
 public:
  // Damages a file of the folder of a run, chosen by chance; none where there is nothing to damage.
  static std::optional<Damage> make(DamageKind kind, const std::filesystem::path& home, const std::string& who,
                                    const OtherRun& other, Stream& chance);

  std::string text() const;  // which file, and how
  // Whether a peer that ends with this exit code and message rejects the damage and names what is damaged.
  bool rejected_by(int exit_code, const std::string& message) const;
  // Restores the damaged files, except for those that the programs have replaced since.
  void undo() const;

 private:
  using Files = std::map<std::filesystem::path, std::string>;  // bytes by path

  static std::vector<std::filesystem::path> targets(const std::filesystem::path& run);
  static std::optional<Files> swapped(const std::filesystem::path& target, const std::filesystem::path& home,
                                      const std::string& who, const OtherRun& other, Stream& chance);

  DamageKind kind_ = DamageKind::flip;
  std::filesystem::path target_;  // a file, or the folder of the journal
  Files before_;
  Files after_;
};

}  // namespace driftless
