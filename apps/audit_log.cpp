#include "apps/audit_log.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/printable.hpp"
#include "driftless/run/machine.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace driftless::app {
namespace {

constexpr std::size_t most_in_a_minute = 600;

}  // namespace

AuditLog::AuditLog(const std::filesystem::path& file)
    : file_(::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600)) {
  if (file_ < 0)
    throw DataError({.what = "the audit log cannot be opened",
                     .seen = file.string() + ": " + std::strerror(errno),
                     .advice = "see that the folder may be written to"});
}

AuditLog::~AuditLog() { ::close(file_); }

void AuditLog::record(const std::string& event, const Fields& fields) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (now - minute_ > std::chrono::minutes(1)) {
      if (left_out_ > 0) write("left-out", {{"records", std::to_string(left_out_)}});
      minute_ = now;
      in_this_minute_ = 0;
      left_out_ = 0;
    }
    if (++in_this_minute_ <= most_in_a_minute) write(event, fields);
    else ++left_out_;
  } catch (const std::exception&) {}  // a full disk shows where results are written
}

void AuditLog::write(const std::string& event, const Fields& fields) {
  nlohmann::ordered_json json{{"time", utc_time()}, {"event", event}};
  for (const auto& [name, value] : fields)
    if (!value.empty()) json[name] = printable(value, 1000);
  const std::string line = json.dump() + "\n";
  // One write, so that lines never mix.
  static_cast<void>(!::write(file_, line.data(), line.size()));
}

}  // namespace driftless::app
