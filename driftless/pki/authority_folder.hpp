// What the functions of a CA share: its files, and exclusive access to them.
#pragma once

#include "driftless/pki/issue_record.hpp"
#include "driftless/pki/signing.hpp"

#include <filesystem>
#include <string>

namespace driftless {

struct AuthorityFiles {
  std::filesystem::path folder;

  std::filesystem::path key() const { return folder / "ca.key"; }
  std::filesystem::path certificate() const { return folder / "ca.crt"; }
  std::filesystem::path revocations() const { return folder / "crl.pem"; }
  std::filesystem::path record() const { return folder / "index.json"; }
};

// ConfigError where no file exists, DataError where some are missing.
void require_authority(const AuthorityFiles& files);

// DataError if it is damaged or belongs to another certificate.
IssueRecord read_record(const AuthorityFiles& files, const std::string& certificate_pem);

// 1 to longest_validity.
void check_days(int days);

// The revocation list of a record, with the number of the record.
std::string revocations_pem(const IssueRecord& record, const Signer& signer, const Validity& validity);

// Exclusive access to a CA during the lifetime of the object.
class SigningSession {
 public:
  SigningSession(const std::filesystem::path& folder, Instant now);
  ~SigningSession();
  SigningSession(const SigningSession&) = delete;
  SigningSession& operator=(const SigningSession&) = delete;

  const AuthorityFiles& files() const { return files_; }
  const std::string& certificate_pem() const { return pem_; }
  Instant not_after() const { return not_after_; }
  Signer signer() const { return {certificate_.get(), key_.get()}; }

  IssueRecord record;
  void write_record() const;

 private:
  void lock();
  void load(Instant now);

  AuthorityFiles files_;
  int lock_ = -1;
  std::string pem_;
  CertificateHandle certificate_;
  KeyHandle key_;
  Instant not_after_;
};

}  // namespace driftless
