// index.json: every certificate that a CA has issued, and which of them are revoked.
#pragma once

#include "driftless/pki/instant.hpp"
#include "driftless/pki/subject.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace driftless {

struct IssuedCertificate {
  std::string serial;
  CertificateSubject subject;
  Instant not_before;
  Instant not_after;
  std::optional<Instant> revoked = {};

  bool valid_at(Instant moment) const { return !revoked && moment <= not_after; }
};

struct IssueRecord {
  std::string authority_digest;                      // SHA-256 of ca.crt, to detect the record of another CA
  std::uint64_t crl_number = 0;                      // of the last revocation list
  std::vector<IssuedCertificate> certificates = {};  // in the order of issue
};

std::string record_text(const IssueRecord& record);

// DataError with advice if the text is damaged or inconsistent; `location` is the file.
IssueRecord parse_record(const std::string& text, const std::string& location);

}  // namespace driftless
