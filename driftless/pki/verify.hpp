// One certificate against a CA and its revocation list.
#pragma once

#include "driftless/pki/instant.hpp"
#include "driftless/pki/party.hpp"

#include <optional>
#include <string>

namespace driftless {

struct Trust {
  std::string authority;    // PEM
  std::string revocations;  // PEM, or empty: none are known
};

// Why the certificate is rejected, or nothing. With `kind` it must also be made for that kind of party.
std::optional<std::string> rejection(const std::string& pem, const Trust& trust, std::optional<PartyKind> kind,
                                   Instant now);

// Whether the CA has signed the revocation list; both PEM.
bool is_list_of(const std::string& authority, const std::string& revocations);

}  // namespace driftless
