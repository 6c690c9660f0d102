// Certificates and revocation lists as a CA signs them: X.509 version 3, ECDSA with SHA-256.
#pragma once

#include "driftless/pki/instant.hpp"
#include "driftless/pki/openssl_handles.hpp"
#include "driftless/pki/subject.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace driftless {

struct Validity {
  Instant from;
  Instant until;
};

// The certificate and the key of a CA. Both must outlive the object.
struct Signer {
  X509* certificate = nullptr;
  EVP_PKEY* key = nullptr;
};

struct Revocation {
  std::string serial;
  Instant when;
};

CertificateHandle sign_authority(const std::string& name, EVP_PKEY& key, const Validity& validity);
CertificateHandle sign_certificate(const CertificateSubject& subject, const std::string& serial, EVP_PKEY& key,
                                   const Signer& signer, const Validity& validity);

// `number` increases with every list, so that an older one can be recognised.
CrlHandle sign_revocations(std::span<const Revocation> revocations, std::uint64_t number, const Signer& signer,
                           const Validity& validity);

}  // namespace driftless
