// The protection of a connection as asked for on the command line: a folder of certificates, or expressly none.
#pragma once

#include "driftless/network/grpc/grpc_server.hpp"
#include "driftless/pki/tls_folder.hpp"

#include "apps/command_line.hpp"

#include <optional>
#include <string>

namespace driftless::app {

void add_tls_arguments(CLI::App& command, std::string& folder, bool& plain);

// None where plain text was asked for, which only addresses of this machine may have. ConfigError where neither or both
// were asked for.
std::optional<TlsFiles> chosen_tls(const std::string& folder, bool plain, const std::string& address);

TlsTexts texts_of(const TlsFiles& files);

}  // namespace driftless::app
