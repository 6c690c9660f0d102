#include "driftless/pki/instant.hpp"

#include <array>
#include <ctime>

namespace driftless {
namespace {

constexpr const char* layout = "%Y-%m-%dT%H:%M:%SZ";

}  // namespace

Instant current_instant() { return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()); }

std::string utc_text(Instant moment) {
  const std::time_t seconds = moment.time_since_epoch().count();
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), layout, &parts)};
}

std::optional<Instant> parse_utc(const std::string& text) {
  std::tm parts{};
  if (::strptime(text.c_str(), layout, &parts) == nullptr) return {};
  const Instant moment{std::chrono::seconds(::timegm(&parts))};
  // strptime is lenient (spaces, the 31st of every month), so the text must also be what utc_text writes.
  if (utc_text(moment) != text) return {};
  return moment;
}

}  // namespace driftless
