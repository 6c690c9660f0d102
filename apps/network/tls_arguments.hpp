// The protection of a connection as given on the command line: a folder of certificates, or explicitly none.
#pragma once

#include "driftless/network/grpc/grpc_server.hpp"
#include "driftless/pki/subject.hpp"
#include "driftless/pki/tls_folder.hpp"

#include "apps/command_line.hpp"

#include <optional>
#include <string>

namespace driftless::app {

void add_tls_arguments(CLI::App& command, std::string& folder, bool& plain);

// None where plain text was requested, which is allowed for addresses of this machine only. ConfigError where neither
// or both were given.
std::optional<TlsFiles> chosen_tls(const std::string& folder, bool plain, const std::string& address);

// ConfigError where the certificate in the folder is of the other kind.
void require_kind(const TlsFiles& files, SubjectKind kind, const std::string& folder);

TlsTexts texts_of(const TlsFiles& files);

}  // namespace driftless::app
