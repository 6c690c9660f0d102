// The check of the certificates of other peers during a run.
#pragma once

#include "driftless/network/grpc/grpc_server.hpp"
#include "driftless/pki/tls_folder.hpp"

#include <functional>
#include <optional>
#include <string>

namespace driftless::app {

// None without TLS. `whose` is "site" or "server", for messages; `on_event` is called when the revocation list changes.
CertificateCheck certificate_check(const std::string& folder, const std::optional<TlsFiles>& own,
                                   const std::string& whose, std::function<void(const std::string&)> on_event);

}  // namespace driftless::app
