// Signatures of texts with the key of a certificate: ECDSA with SHA-256.
#pragma once

#include <string>

namespace driftless {

std::string sign_text(const std::string& key_pem, const std::string& text);
bool is_signature_of(const std::string& certificate_pem, const std::string& text, const std::string& signature);

}  // namespace driftless
