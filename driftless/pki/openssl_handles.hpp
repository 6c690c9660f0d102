// Owners of OpenSSL's objects, and its failures as exceptions. For the sources of this folder and their tests; the
// other headers of this folder do not include OpenSSL's.
#pragma once

#include "driftless/core/check.hpp"

#include <array>
#include <memory>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string>

namespace driftless {

template <auto release>
struct ReleaseBy {
  template <class T>
  void operator()(T* object) const {
    release(object);
  }
};

using KeyHandle = std::unique_ptr<EVP_PKEY, ReleaseBy<EVP_PKEY_free>>;
using CertificateHandle = std::unique_ptr<X509, ReleaseBy<X509_free>>;
using CrlHandle = std::unique_ptr<X509_CRL, ReleaseBy<X509_CRL_free>>;
using RevokedHandle = std::unique_ptr<X509_REVOKED, ReleaseBy<X509_REVOKED_free>>;
using ExtensionHandle = std::unique_ptr<X509_EXTENSION, ReleaseBy<X509_EXTENSION_free>>;
using GeneralNamesHandle = std::unique_ptr<GENERAL_NAMES, ReleaseBy<GENERAL_NAMES_free>>;
using StoreHandle = std::unique_ptr<X509_STORE, ReleaseBy<X509_STORE_free>>;
using StoreContextHandle = std::unique_ptr<X509_STORE_CTX, ReleaseBy<X509_STORE_CTX_free>>;
using BufferHandle = std::unique_ptr<BIO, ReleaseBy<BIO_free_all>>;
using BigNumberHandle = std::unique_ptr<BIGNUM, ReleaseBy<BN_free>>;
using IntegerHandle = std::unique_ptr<ASN1_INTEGER, ReleaseBy<ASN1_INTEGER_free>>;
using TimeHandle = std::unique_ptr<ASN1_TIME, ReleaseBy<ASN1_TIME_free>>;

// Input of users is checked before it reaches OpenSSL, so that a failure here is a defect of the program.
inline void require_openssl(bool worked, const char* doing) {
  if (worked) return;
  std::array<char, 256> reason{};
  ERR_error_string_n(ERR_get_error(), reason.data(), reason.size());
  throw BrokenInvariant(std::string("OpenSSL could not ") + doing + ": " + reason.data());
}

// The owner of a new object.
template <class Handle>
Handle made(typename Handle::pointer object, const char* doing) {
  require_openssl(object != nullptr, doing);
  return Handle(object);
}

}  // namespace driftless
