#include "driftless/peers/address.hpp"

#include "driftless/core/error.hpp"

namespace driftless {

Address address_of(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon + 1 == text.size())
    throw ConfigError({.what = "the address has no port", .seen = text, .advice = "give HOST:PORT"});
  return {.host = text.substr(0, colon), .port = text.substr(colon + 1)};
}

}  // namespace driftless
