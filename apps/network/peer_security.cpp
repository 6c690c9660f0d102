#include "apps/network/peer_security.hpp"

#include "driftless/pki/peer_check.hpp"

namespace driftless::app {

CertificateCheck certificate_check(const std::string& folder, const std::optional<TlsFiles>& own,
                                   const std::string& whose, std::function<void(const std::string&)> on_event) {
  if (!own) return {};
  const auto check = std::make_shared<PeerCheck>(folder, *own, std::move(on_event));
  return [check, whose](const std::string& pem) -> std::optional<ErrorInfo> {
    const std::optional<std::string> reason = check->rejection_of(pem);
    if (!reason) return std::nullopt;
    return ErrorInfo{.what = "the certificate of the " + whose + " is not accepted",
                     .seen = *reason,
                     .advice = "ask the keeper of the CA for a valid one: 'driftless pki issue'"};
  };
}

}  // namespace driftless::app
