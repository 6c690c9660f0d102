// The protection of a connection: a folder of certificates, or explicitly none; and the check of the certificates of
// other peers during a run.
#pragma once

#include "driftless/network/grpc/tls_texts.hpp"
#include "driftless/pki/subject.hpp"
#include "driftless/pki/tls_folder.hpp"

#include <functional>
#include <optional>
#include <string>

namespace driftless {

// None where plain text was requested, which is allowed for addresses of this machine only. ConfigError where neither
// or both were given.
std::optional<TlsFiles> chosen_tls(const std::string& folder, bool plain, const std::string& address);

// ConfigError where the certificate in the folder is of the other kind.
void require_kind(const TlsFiles& files, SubjectKind kind, const std::string& folder);

TlsTexts texts_of(const TlsFiles& files);

// None without TLS. `whose` is "site" or "server", for messages; `on_event` is called when the revocation list changes.
CertificateCheck certificate_check(const std::string& folder, const std::optional<TlsFiles>& own,
                                   const std::string& whose, std::function<void(const std::string&)> on_event);

}  // namespace driftless
