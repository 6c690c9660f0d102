#include "driftless/pki/certificate_folder.hpp"

#include "driftless/core/error.hpp"
#include "driftless/pki/key_file.hpp"
#include "driftless/pki/serial.hpp"

#include <system_error>

namespace driftless {

namespace fs = std::filesystem;

DraftFiles::DraftFiles() : ending_(".part-" + new_serial()) {}

DraftFiles::~DraftFiles() {
  std::error_code ignored;
  for (const fs::path& target : targets_) fs::remove(draft_of(target), ignored);
}

fs::path DraftFiles::draft_of(const fs::path& target) const {
  fs::path draft = target;
  return draft += ending_;
}

void DraftFiles::add(const fs::path& target, const std::string& bytes, unsigned mode) {
  write_new_file(draft_of(target), bytes, mode);
  targets_.push_back(target);
}

void DraftFiles::rename_all() {
  for (const fs::path& target : targets_) {
    std::error_code error;
    fs::rename(draft_of(target), target, error);
    if (error)
      throw DataError({.what = "a file cannot be replaced",
                       .seen = target.string() + ": " + error.message(),
                       .advice = "make room for it and issue the certificate again with --renew"});
  }
}

}  // namespace driftless
