// The CA of a federation: one folder with a key, a certificate, a revocation list and a record of what was issued.
// Every function that changes it holds a lock, writes temporary files and renames them. The record is written first, so
// that it lists every certificate that was issued.
#pragma once

#include "driftless/pki/issue_record.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace driftless {

inline constexpr int longest_validity = 36500;        // days
inline constexpr std::chrono::minutes clock_skew{5};  // certificates begin this long before they are made

struct AuthorityRequest {
  std::filesystem::path folder;  // new or empty
  std::string name = "Driftless CA";
  int days = 3650;
  Instant now = current_instant();
};
// Returns until when it is valid. ConfigError if the folder is in use or a value out of range.
Instant create_authority(const AuthorityRequest& request);

struct AuthorityFacts {
  std::string name;
  Instant not_after;
  IssueRecord record;
  bool crl_is_current = true;  // false: a revocation was recorded, but the list was not signed afterwards
};
// ConfigError where there is no CA, DataError where it is damaged or inconsistent.
AuthorityFacts read_authority(const std::filesystem::path& folder);

struct IssueRequest {
  std::filesystem::path folder;  // of the CA
  CertificateSubject subject;    // a server without hosts gets those of its last certificate, or of this machine
  std::filesystem::path out;     // FOLDER/NAME if empty
  int days = 365;
  bool renew = false;  // even where there is a valid certificate
  Instant now = current_instant();
};
struct Issue {
  IssuedCertificate certificate;
  std::filesystem::path out;
  std::vector<IssuedCertificate> still_valid;  // earlier ones of the same subject
  bool ends_with_authority = false;            // the CA expires before the requested date
};
Issue issue_certificate(const IssueRequest& request);

struct RevokeRequest {
  std::filesystem::path folder;
  std::string site;    // all certificates of it; or
  std::string serial;  // this one
  Instant now = current_instant();
};
struct Revoked {
  std::vector<IssuedCertificate> certificates;  // those that were not revoked before
  std::vector<std::filesystem::path> lists;     // the revocation lists that were written
};
// Signs the list again even where all were revoked before, which repairs an outdated list.
Revoked revoke_certificates(const RevokeRequest& request);

}  // namespace driftless
