// index.json: every certificate that a CA has issued, and which of them are revoked.
#pragma once

#include "driftless/pki/instant.hpp"
#include "driftless/pki/party.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace driftless {

struct IssuedCertificate {
  std::string serial;
  Party party;
  Instant not_before;
  Instant not_after;
  std::optional<Instant> revoked = {};

  bool valid_at(Instant moment) const { return !revoked && moment <= not_after; }
};

struct IssueRecord {
  std::string authority_digest;                      // SHA-256 of ca.crt, so that a record beside another CA is noticed
  std::uint64_t crl_number = 0;                      // of the last revocation list
  std::vector<IssuedCertificate> certificates = {};  // in the order of issue
};

std::string record_text(const IssueRecord& record);

// DataError, with what to do, if the text is damaged or contradicts itself; `location` is the file.
IssueRecord parse_record(const std::string& text, const std::string& location);

}  // namespace driftless
