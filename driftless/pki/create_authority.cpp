#include "driftless/core/error.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/pki/authority_folder.hpp"
#include "driftless/pki/certificate_authority.hpp"
#include "driftless/pki/key_file.hpp"
#include "driftless/pki/pem.hpp"
#include "driftless/pki/serial.hpp"

#include <algorithm>
#include <system_error>

namespace driftless {
namespace {

namespace fs = std::filesystem;

void check_name(const std::string& name) {
  constexpr std::size_t longest = 64;  // of a common name
  const bool plain = std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; });
  if (name.empty() || name.size() > longest || !plain)
    throw ConfigError({.what = "this is not a valid name for a CA",
                       .seen = "--name " + name,
                       .advice = "use 1 to 64 letters, digits, spaces and punctuation of ASCII"});
}

// The new CA replaces the folder, so it must be empty and not the current one.
void require_free(const fs::path& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found) return;
  const bool has_authority = fs::exists(AuthorityFiles{folder}.record(), error);
  if (has_authority)
    throw ConfigError({.what = "there is a CA in this folder already, and nothing is overwritten",
                       .seen = "--ca " + folder.string(),
                       .advice = "issue certificates with 'driftless pki issue --ca " + folder.string() +
                                 "', or give another folder"});
  const bool empty = fs::is_directory(status) && fs::is_empty(folder, error) && !error;
  if (!empty || fs::equivalent(folder, fs::current_path(error), error))
    throw ConfigError({.what = "the folder of a CA must be new or empty, and not the current one",
                       .seen = "--ca " + folder.string(),
                       .advice = "give a new folder, for example " + (folder / "ca").string()});
}

// A folder that gets its name when it is complete. The destructor removes an incomplete one.
class DraftFolder {
 public:
  explicit DraftFolder(fs::path target) : target_(std::move(target)), draft_(target_) {
    draft_ += ".part-" + new_serial();
    make_private_folder(draft_);
  }
  ~DraftFolder() {
    std::error_code ignored;
    fs::remove_all(draft_, ignored);
  }
  DraftFolder(const DraftFolder&) = delete;
  DraftFolder& operator=(const DraftFolder&) = delete;

  const fs::path& path() const { return draft_; }

  void finish() {
    std::error_code error;
    fs::rename(draft_, target_, error);
    if (error)
      throw ConfigError({.what = "the folder of the CA cannot be renamed",
                         .seen = "--ca " + target_.string() + ": " + error.message(),
                         .advice = "give a new folder, for example " + (target_ / "ca").string()});
  }

 private:
  fs::path target_;
  fs::path draft_;
};

}  // namespace

Instant create_authority(const AuthorityRequest& request) {
  check_name(request.name);
  check_days(request.days);
  require_free(request.folder);
  const Validity validity{request.now - clock_skew, request.now + std::chrono::days(request.days)};
  const KeyHandle key = new_key();
  const CertificateHandle certificate = sign_authority(request.name, *key, validity);
  const std::string pem = pem_of(*certificate);
  const IssueRecord record{.authority_digest = sha256(pem), .crl_number = 1};

  DraftFolder folder(request.folder);
  const AuthorityFiles files{folder.path()};
  write_new_file(files.key(), pem_of(*key), private_mode);
  write_new_file(files.certificate(), pem, public_mode);
  write_new_file(files.revocations(), revocations_pem(record, {certificate.get(), key.get()}, validity), public_mode);
  write_new_file(files.record(), record_text(record), public_mode);
  folder.finish();
  return validity.until;
}

}  // namespace driftless
