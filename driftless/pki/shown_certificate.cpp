#include "driftless/pki/shown_certificate.hpp"

#include "driftless/pki/pem.hpp"

#include <openssl/ssl.h>

namespace driftless {
namespace {

using ContextHandle = std::unique_ptr<SSL_CTX, ReleaseBy<SSL_CTX_free>>;
using ConnectionHandle = std::unique_ptr<SSL, ReleaseBy<SSL_free>>;

}  // namespace

std::optional<std::string> shown_certificate(int socket, const TlsFiles& own) {
  const auto context = made<ContextHandle>(SSL_CTX_new(TLS_client_method()), "prepare a TLS connection");
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_NONE, nullptr);
  const CertificateHandle certificate = certificate_in(own.certificate);
  const KeyHandle key = key_in(own.key);
  require_openssl(certificate && key && SSL_CTX_use_certificate(context.get(), certificate.get()) == 1 &&
                      SSL_CTX_use_PrivateKey(context.get(), key.get()) == 1,
                  "use the certificate of this peer");
  // What gRPC speaks; its servers end a connection that offers nothing.
  constexpr std::array<unsigned char, 3> protocols{2, 'h', '2'};
  SSL_CTX_set_alpn_protos(context.get(), protocols.data(), protocols.size());
  const auto connection = made<ConnectionHandle>(SSL_new(context.get()), "prepare a TLS connection");
  SSL_set_fd(connection.get(), socket);
  SSL_connect(connection.get());  // may fail after the server has shown its certificate
  const CertificateHandle shown(SSL_get1_peer_certificate(connection.get()));
  ERR_clear_error();
  if (!shown) return std::nullopt;
  return pem_of(*shown);
}

}  // namespace driftless
