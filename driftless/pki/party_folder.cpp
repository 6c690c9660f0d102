#include "driftless/pki/party_folder.hpp"

#include "driftless/core/error.hpp"
#include "driftless/pki/key_file.hpp"
#include "driftless/pki/serial.hpp"

#include <system_error>

namespace driftless {

namespace fs = std::filesystem;

DraftFiles::DraftFiles() : ending_(".part-" + new_serial()) {}

DraftFiles::~DraftFiles() {
  std::error_code ignored;
  for (const fs::path& place : places_) fs::remove(draft_of(place), ignored);
}

fs::path DraftFiles::draft_of(const fs::path& place) const {
  fs::path draft = place;
  return draft += ending_;
}

void DraftFiles::add(const fs::path& place, const std::string& bytes, unsigned mode) {
  write_new_file(draft_of(place), bytes, mode);
  places_.push_back(place);
}

void DraftFiles::place() {
  for (const fs::path& place : places_) {
    std::error_code error;
    fs::rename(draft_of(place), place, error);
    if (error)
      throw DataError({.what = "a file cannot be put in its place",
                       .seen = place.string() + ": " + error.message(),
                       .advice = "make room for it and issue the certificate again with --renew"});
  }
}

}  // namespace driftless
