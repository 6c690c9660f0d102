// Downloads a file over HTTP or HTTPS, and continues an earlier attempt.
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
  std::filesystem::path partial;  // the file so far; kept when the connection breaks
  std::uint64_t most = 0;         // bytes; more are an error
  bool progress = false;
  StopToken stop_token = {};
};

enum class Fetched { whole, stopped };

// Requests the missing bytes, repeatedly as long as each attempt receives some. TransportError where the server cannot
// be reached or does not have the file; DataError where it sends too much or the file cannot be written.
Fetched download(const Download& request);

}  // namespace driftless::app
