// The certificate files of a site or server, and the check of the certificates of other peers.
#pragma once

#include "driftless/pki/certificate.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace driftless {

// PEM texts.
struct TlsFiles {
  std::string certificate;
  std::string key;
  std::string authority;
  std::string revocations;  // empty where there is no list
};

// key.pem, cert.pem and ca.pem of a folder, and crl.pem where there is one. ConfigError if a file is missing or the key
// can be read by others; DataError if a file is damaged; TransportError if they do not belong together or the
// certificate is not valid at `now`.
TlsFiles read_tls_folder(const std::filesystem::path& folder, Instant now = current_instant());

// Why the certificate of a peer is rejected; none where it is accepted. Checks the CA, the dates, the revocation list,
// and that a server is connected to a site. A text without a certificate is rejected too.
std::optional<std::string> check_peer(const std::string& peer_pem, const TlsFiles& own,
                                      Instant now = current_instant());

}  // namespace driftless
