// How the two ends of a connection are protected.
#pragma once

#include "driftless/core/error.hpp"

#include <functional>
#include <optional>
#include <string>

namespace driftless {

// PEM texts of one peer.
struct TlsTexts {
  std::string certificate;
  std::string key;
  std::string authority;
};

// Why the owner of this certificate (PEM) may not take part, beyond what TLS itself checks; none where it may.
using CertificateCheck = std::function<std::optional<ErrorInfo>(const std::string&)>;

}  // namespace driftless
