// Keys, certificates and revocation lists as PEM texts.
#pragma once

#include "driftless/pki/openssl_handles.hpp"

#include <string>

namespace driftless {

std::string pem_of(const X509& certificate);
std::string pem_of(const X509_CRL& revocations);
std::string pem_of(const EVP_PKEY& key);  // with its private part, not encrypted

// The first of its kind in the text; null if there is none. An encrypted key counts as none.
CertificateHandle certificate_in(const std::string& pem);
CrlHandle revocations_in(const std::string& pem);
KeyHandle key_in(const std::string& pem);

// DataError where none was found; `kind` is for example "a certificate", `location` the file.
void require_pem(bool found, const std::string& kind, const std::string& location);

}  // namespace driftless
