#include "driftless/pki/text_signature.hpp"

#include "driftless/pki/openssl_handles.hpp"
#include "driftless/pki/pem.hpp"

namespace driftless {
namespace {

using DigestHandle = std::unique_ptr<EVP_MD_CTX, ReleaseBy<EVP_MD_CTX_free>>;

const unsigned char* bytes(const std::string& text) { return reinterpret_cast<const unsigned char*>(text.data()); }

}  // namespace

std::string sign_text(const std::string& key_pem, const std::string& text) {
  const KeyHandle key = key_in(key_pem);
  require_pem(key != nullptr, "a key", "the key of this peer");
  const auto context = made<DigestHandle>(EVP_MD_CTX_new(), "sign a text");
  std::size_t size = 0;
  const bool ready = EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1 &&
                     EVP_DigestSign(context.get(), nullptr, &size, bytes(text), text.size()) == 1;
  require_openssl(ready, "sign a text");
  std::string signature(size, '\0');
  require_openssl(EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size, bytes(text),
                                 text.size()) == 1,
                  "sign a text");
  signature.resize(size);
  return signature;
}

bool is_signature_of(const std::string& certificate_pem, const std::string& text, const std::string& signature) {
  const CertificateHandle certificate = certificate_in(certificate_pem);
  const auto context = made<DigestHandle>(EVP_MD_CTX_new(), "check a signature");
  const bool valid =
      certificate &&
      EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, X509_get0_pubkey(certificate.get())) == 1 &&
      EVP_DigestVerify(context.get(), bytes(signature), signature.size(), bytes(text), text.size()) == 1;
  ERR_clear_error();
  return valid;
}

}  // namespace driftless
