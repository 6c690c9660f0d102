// The address of a server as people write it.
#pragma once

#include <string>

namespace driftless {

// Host and port of "HOST:PORT". ConfigError where there is no port.
struct Address {
  std::string host;
  std::string port;
};
Address address_of(const std::string& text);

}  // namespace driftless
