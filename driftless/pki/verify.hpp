// Checks a certificate against a CA and its revocation list, and what its owner has signed.
#pragma once

#include "driftless/pki/instant.hpp"
#include "driftless/pki/subject.hpp"

#include <optional>
#include <string>

namespace driftless {

struct Trust {
  std::string authority;    // PEM
  std::string revocations;  // PEM, or empty: none are known
};

// Why the certificate is rejected; none where it is accepted. With `kind` it must be one of that kind of subject.
std::optional<std::string> rejection_reason(const std::string& pem, const Trust& trust, std::optional<SubjectKind> kind,
                                            Instant now);

// Signatures of texts with the key of a certificate, ECDSA with SHA-256; keys and certificates are PEM.
std::string sign_text(const std::string& key, const std::string& text);
bool is_signature_of(const std::string& certificate, const std::string& text, const std::string& signature);

// Whether the CA has signed the revocation list; both PEM.
bool is_list_of(const std::string& authority, const std::string& revocations);

}  // namespace driftless
