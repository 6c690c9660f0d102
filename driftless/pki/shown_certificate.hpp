// The certificate that a server shows, also one of another CA: to say what is wrong with it.
#pragma once

#include "driftless/pki/tls_folder.hpp"

#include <optional>
#include <string>

namespace driftless {

// PEM, from the beginning of a TLS connection over a socket that is connected and blocks; none where the other end does
// not speak TLS or takes longer than the timeouts of the socket. Nothing is checked.
std::optional<std::string> shown_certificate(int socket, const TlsFiles& own);

}  // namespace driftless
