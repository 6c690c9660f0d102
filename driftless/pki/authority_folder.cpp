#include "driftless/pki/authority_folder.hpp"

#include "driftless/core/error.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/pki/certificate.hpp"
#include "driftless/pki/certificate_authority.hpp"
#include "driftless/pki/key_file.hpp"
#include "driftless/pki/pem.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

namespace driftless {

namespace fs = std::filesystem;

void require_authority(const AuthorityFiles& files) {
  std::vector<fs::path> missing;
  for (const fs::path& file : {files.certificate(), files.key(), files.record(), files.revocations()}) {
    std::error_code error;
    if (!fs::exists(file, error)) missing.push_back(file);
  }
  if (missing.empty()) return;
  const std::string folder = files.folder.string();
  if (missing.size() == 4)
    throw ConfigError(
        {.what = "there is no CA in this folder",
         .seen = "--ca " + folder,
         .advice = "make one with 'driftless pki init --ca " + folder + "', or give the folder of yours"});
  throw DataError({.what = "the folder of the CA is incomplete",
                   .seen = folder + ": no file " + missing.front().filename().string(),
                   .advice = "restore the file from a copy; without one, make a new CA in another folder with "
                             "'driftless pki init' and issue every certificate again"});
}

IssueRecord read_record(const AuthorityFiles& files, const std::string& certificate_pem) {
  IssueRecord record = parse_record(read_input_file(files.record()), files.record().string());
  if (record.authority_digest != sha256(certificate_pem))
    throw DataError({.what = "the record of the CA was made for another certificate than ca.crt",
                     .seen = files.record().string() + ": authority_sha256 = " + record.authority_digest,
                     .advice = "restore index.json and ca.crt from copies that belong together"});
  return record;
}

void check_days(int days) {
  if (days < 1 || days > longest_validity)
    throw ConfigError({.what = "a certificate cannot be valid for so long",
                       .seen = "--days " + std::to_string(days),
                       .advice = "give 1 to " + std::to_string(longest_validity) + " days"});
}

std::string revocations_pem(const IssueRecord& record, const Signer& signer, const Validity& validity) {
  std::vector<Revocation> revocations;
  for (const IssuedCertificate& issued : record.certificates)
    if (issued.revoked) revocations.push_back({issued.serial, *issued.revoked});
  return pem_of(*sign_revocations(revocations, record.crl_number, signer, validity));
}

SigningSession::SigningSession(const fs::path& folder, Instant now) : files_{folder} {
  require_authority(files_);
  lock();
  try {
    load(now);
  } catch (...) {
    ::close(lock_);
    throw;
  }
}

SigningSession::~SigningSession() { ::close(lock_); }

// Locks the key file: a process that signs must be able to read it, and unlike the record it is never replaced.
void SigningSession::lock() {
  const std::string path = files_.key().string();
  lock_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);  // NFS locks for writers only
  if (lock_ < 0) lock_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  int outcome = lock_ < 0 ? -1 : ::flock(lock_, LOCK_EX);
  while (lock_ >= 0 && outcome != 0 && errno == EINTR) outcome = ::flock(lock_, LOCK_EX);
  if (outcome == 0) return;
  const std::string reason = std::generic_category().message(errno);
  if (lock_ >= 0) ::close(lock_);
  throw DataError({.what = "the key of the CA cannot be opened and locked",
                   .seen = path + ": " + reason,
                   .advice = "run this as the user who owns the CA, on the machine that holds it"});
}

void SigningSession::load(Instant now) {
  pem_ = read_input_file(files_.certificate());
  const CertificateFacts facts = facts_of(pem_, files_.certificate().string());
  certificate_ = certificate_in(pem_);
  key_ = key_in(read_key_file(files_.key()));
  require_pem(key_ != nullptr, "a private key", files_.key().string());
  if (X509_check_private_key(certificate_.get(), key_.get()) != 1)
    throw DataError({.what = "the key of the CA does not belong to its certificate",
                     .seen = files_.key().string() + " and " + files_.certificate().string(),
                     .advice = "restore both from copies that belong together"});
  if (now > facts.not_after)
    throw DataError({.what = "the CA has expired and can no longer sign",
                     .seen = files_.certificate().string() + ": valid until " + utc_text(facts.not_after) + ", now " +
                             utc_text(now),
                     .advice = "check the clock of this machine; make a new CA in another folder with "
                               "'driftless pki init' and issue every certificate again"});
  not_after_ = facts.not_after;
  record = read_record(files_, pem_);
}

void SigningSession::write_record() const { write_output_file(files_.record(), record_text(record)); }

}  // namespace driftless
