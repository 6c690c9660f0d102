// Fetching a file over HTTP or HTTPS, from where an earlier attempt stopped.
#pragma once

#include "driftless/core/error.hpp"
#include "driftless/core/stop_token.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace driftless::app {

struct Download {
  std::string url;
  std::filesystem::path partial;  // what there is so far; kept when the connection breaks
  std::uint64_t most = 0;         // bytes; a server that sends more is not believed
  bool progress = false;
  StopToken stop_token = {};
};

enum class Fetched { whole, stopped };

// Asks for what is missing, again and again while each attempt brings some. TransportError (exit code 3) where the
// server cannot be reached or does not have the file; DataError where it sends too much or the file cannot be written.
Fetched download(const Download& request);

}  // namespace driftless::app
