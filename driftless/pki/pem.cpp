#include "driftless/pki/pem.hpp"

#include "driftless/core/error.hpp"

#include <openssl/pem.h>

namespace driftless {
namespace {

// Without it OpenSSL asks the terminal for the password of an encrypted key.
int no_password(char*, int, int, void*) { return -1; }

template <class Write>
std::string written(Write&& write) {
  const BufferHandle buffer = made<BufferHandle>(BIO_new(BIO_s_mem()), "make a buffer");
  require_openssl(write(buffer.get()) == 1, "write PEM");
  char* text = nullptr;
  const long size = BIO_get_mem_data(buffer.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

template <class Handle, class Read>
Handle found_in(const std::string& pem, Read* read) {
  const BufferHandle buffer =
      made<BufferHandle>(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), "make a buffer");
  Handle handle(read(buffer.get(), nullptr, &no_password, nullptr));
  ERR_clear_error();
  return handle;
}

}  // namespace

std::string pem_of(const X509& certificate) {
  return written([&](BIO* buffer) { return PEM_write_bio_X509(buffer, &certificate); });
}

std::string pem_of(const X509_CRL& revocations) {
  return written([&](BIO* buffer) { return PEM_write_bio_X509_CRL(buffer, &revocations); });
}

std::string pem_of(const EVP_PKEY& key) {
  return written(
      [&](BIO* buffer) { return PEM_write_bio_PKCS8PrivateKey(buffer, &key, nullptr, nullptr, 0, nullptr, nullptr); });
}

CertificateHandle certificate_in(const std::string& pem) {
  return found_in<CertificateHandle>(pem, &PEM_read_bio_X509);
}

CrlHandle revocations_in(const std::string& pem) { return found_in<CrlHandle>(pem, &PEM_read_bio_X509_CRL); }

KeyHandle key_in(const std::string& pem) { return found_in<KeyHandle>(pem, &PEM_read_bio_PrivateKey); }

void require_pem(bool found, const std::string& kind, const std::string& location) {
  if (found) return;
  throw DataError({.what = "the file does not hold " + kind + " in PEM form",
                   .seen = location,
                   .advice = "copy the file again, or have it issued again with 'driftless pki issue --renew'"});
}

}  // namespace driftless
