#include "driftless/console/machine.hpp"

#include <array>
#include <ctime>
#include <fstream>

namespace driftless {
namespace {

std::string now(const char* format) {
  const std::time_t seconds = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &parts)};
}

}  // namespace

std::string program_version() { return DRIFTLESS_VERSION; }

std::string compiler_name() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string utc_time() { return now("%Y-%m-%dT%H:%M:%SZ"); }
std::string utc_stamp() { return now("%Y%m%dT%H%M%SZ"); }

}  // namespace driftless
