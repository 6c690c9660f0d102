#include "driftless/peers/audit_log.hpp"

#include "driftless/console/machine.hpp"
#include "driftless/core/error.hpp"
#include "driftless/core/printable.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace driftless {
namespace {

constexpr std::size_t most_in_a_minute = 600;

}  // namespace

AuditLog::AuditLog(const std::filesystem::path& file)
    : file_(::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600)) {
  if (file_ < 0)
    throw DataError({.what = "the audit log cannot be opened",
                     .seen = file.string() + ": " + std::strerror(errno),
                     .advice = "make sure that the folder may be written to"});
}

AuditLog::~AuditLog() {
  try {
    end_minute();
  } catch (const std::exception&) {}  // as in record
  ::close(file_);
}

void AuditLog::record(const std::string& event, const Fields& fields) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (now - minute_ > std::chrono::minutes(1)) {
      end_minute();
      minute_ = now;
    }
    const auto site = std::ranges::find(fields, "site", &Fields::value_type::first);
    if (++in_this_minute_[{event, site != fields.end() ? site->second : ""}] <= most_in_a_minute) write(event, fields);
  } catch (const std::exception&) {}  // a full disk is reported where results are written
}

void AuditLog::end_minute() {
  for (const auto& [key, records] : std::exchange(in_this_minute_, {}))
    if (records > most_in_a_minute)
      write("left-out",
            {{"of", key.first}, {"site", key.second}, {"records", std::to_string(records - most_in_a_minute)}});
}

void AuditLog::write(const std::string& event, const Fields& fields) {
  nlohmann::ordered_json json{{"time", utc_time()}, {"event", event}};
  for (const auto& [name, value] : fields)
    if (!value.empty()) json[name] = printable(value, 1000);  // valid UTF-8, as JSON requires
  const std::string line = json.dump() + "\n";
  // A single write, so that lines of several threads never mix.
  static_cast<void>(!::write(file_, line.data(), line.size()));
}

}  // namespace driftless
