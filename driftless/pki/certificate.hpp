// The contents of a certificate, read from its PEM text.
#pragma once

#include "driftless/pki/instant.hpp"

#include <string>
#include <vector>

namespace driftless {

struct CertificateFacts {
  std::string name;  // the common name: a site, a server, or a CA
  std::string serial;
  Instant not_before;
  Instant not_after;
  bool is_server = false;
  std::vector<std::string> hosts;
  std::string issuer;  // the common name of the CA
};

// DataError if the text contains no certificate; the message names the location.
CertificateFacts facts_of(const std::string& pem, const std::string& location = "PEM text");

}  // namespace driftless
