#include "driftless/pki/verify.hpp"

#include "driftless/pki/certificate.hpp"
#include "driftless/pki/pem.hpp"

#include <openssl/x509_vfy.h>

namespace driftless {
namespace {

// A CA, its revocation list, and the rules of verification.
StoreHandle store_of(const Trust& trust, std::optional<SubjectKind> kind, Instant now) {
  const CertificateHandle authority = certificate_in(trust.authority);
  require_pem(authority != nullptr, "a certificate", "the CA's certificate");
  StoreHandle store = made<StoreHandle>(X509_STORE_new(), "make a store of certificates");
  require_openssl(X509_STORE_add_cert(store.get(), authority.get()) == 1, "add the CA to a store");
  X509_VERIFY_PARAM* const rules = X509_STORE_get0_param(store.get());
  X509_VERIFY_PARAM_set_time(rules, now.time_since_epoch().count());
  if (kind)
    X509_VERIFY_PARAM_set_purpose(rules,
                                  *kind == SubjectKind::server ? X509_PURPOSE_SSL_SERVER : X509_PURPOSE_SSL_CLIENT);
  if (!trust.revocations.empty()) {
    const CrlHandle list = revocations_in(trust.revocations);
    require_pem(list != nullptr, "a revocation list", "the CA's revocation list");
    require_openssl(X509_STORE_add_crl(store.get(), list.get()) == 1, "add a revocation list to a store");
    X509_VERIFY_PARAM_set_flags(rules, X509_V_FLAG_CRL_CHECK);
  }
  return store;
}

std::string reason_of(int fault, const CertificateFacts& facts, const Trust& trust, Instant now) {
  switch (fault) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return "it was valid until " + utc_text(facts.not_after) + ", and now is " + utc_text(now);
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return "it is valid from " + utc_text(facts.not_before) + ", and the clock here says " + utc_text(now);
    case X509_V_ERR_CRL_NOT_YET_VALID:
      return "the revocation list here is not valid yet, and the clock here says " + utc_text(now);
    case X509_V_ERR_CRL_HAS_EXPIRED:
      return "the revocation list here has expired, and the clock here says " + utc_text(now);
    case X509_V_ERR_CERT_REVOKED: return "it was revoked";
    case X509_V_ERR_INVALID_PURPOSE:
      return std::string("it is one of a ") + (facts.is_server ? "server, not of a site" : "site, not of a server");
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
      return "it was not issued by the CA here, '" + facts_of(trust.authority).name + "', but by '" + facts.issuer +
             "'";
    case X509_V_ERR_UNABLE_TO_GET_CRL:
    case X509_V_ERR_CRL_SIGNATURE_FAILURE: return "the revocation list here is one of another CA";
    default: return X509_verify_cert_error_string(fault);
  }
}

using DigestHandle = std::unique_ptr<EVP_MD_CTX, ReleaseBy<EVP_MD_CTX_free>>;

const unsigned char* bytes(const std::string& text) { return reinterpret_cast<const unsigned char*>(text.data()); }

}  // namespace

std::optional<std::string> rejection_reason(const std::string& pem, const Trust& trust, std::optional<SubjectKind> kind,
                                            Instant now) {
  const CertificateHandle certificate = certificate_in(pem);
  if (!certificate) return "it is no certificate in PEM form";
  const StoreHandle store = store_of(trust, kind, now);
  const StoreContextHandle context = made<StoreContextHandle>(X509_STORE_CTX_new(), "verify a certificate");
  require_openssl(X509_STORE_CTX_init(context.get(), store.get(), certificate.get(), nullptr) == 1,
                  "verify a certificate");
  const bool accepted = X509_verify_cert(context.get()) == 1;
  const int fault = X509_STORE_CTX_get_error(context.get());
  ERR_clear_error();
  if (accepted) return {};
  const CertificateFacts facts = facts_of(pem);
  return "the certificate of '" + facts.name + "' (serial " + facts.serial +
         ") is rejected: " + reason_of(fault, facts, trust, now);
}

std::string sign_text(const std::string& key, const std::string& text) {
  const KeyHandle handle = key_in(key);
  require_pem(handle != nullptr, "a key", "the key of this peer");
  const auto context = made<DigestHandle>(EVP_MD_CTX_new(), "sign a text");
  std::size_t size = 0;
  const bool ready = EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, handle.get()) == 1 &&
                     EVP_DigestSign(context.get(), nullptr, &size, bytes(text), text.size()) == 1;
  require_openssl(ready, "sign a text");
  std::string signature(size, '\0');
  require_openssl(EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size, bytes(text),
                                 text.size()) == 1,
                  "sign a text");
  signature.resize(size);
  return signature;
}

bool is_signature_of(const std::string& pem, const std::string& text, const std::string& signature) {
  const CertificateHandle certificate = certificate_in(pem);
  const auto context = made<DigestHandle>(EVP_MD_CTX_new(), "check a signature");
  const bool valid =
      certificate &&
      EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, X509_get0_pubkey(certificate.get())) == 1 &&
      EVP_DigestVerify(context.get(), bytes(signature), signature.size(), bytes(text), text.size()) == 1;
  ERR_clear_error();
  return valid;
}

bool is_list_of(const std::string& authority, const std::string& revocations) {
  const CertificateHandle ca = certificate_in(authority);
  const CrlHandle list = revocations_in(revocations);
  const bool signed_by_it = ca && list && X509_CRL_verify(list.get(), X509_get0_pubkey(ca.get())) == 1;
  ERR_clear_error();
  return signed_by_it;
}

}  // namespace driftless
