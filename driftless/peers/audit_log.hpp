// The audit log of a peer of a networked run: one JSON object per line, appended and never changed.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace driftless {

class AuditLog {
 public:
  using Fields = std::vector<std::pair<std::string, std::string>>;

  explicit AuditLog(const std::filesystem::path& file);  // appends; DataError where it cannot be opened
  ~AuditLog();
  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;

  // Adds the time. Thread-safe. A peer that provokes very many records can neither fill the disk nor suppress other
  // records: beyond a number per minute, the events of one kind and site are counted, and the count is recorded.
  void record(const std::string& event, const Fields& fields) noexcept;

 private:
  using Key = std::pair<std::string, std::string>;  // event and site

  void write(const std::string& event, const Fields& fields);
  void end_minute();

  std::mutex mutex_;
  int file_;
  std::chrono::steady_clock::time_point minute_ = std::chrono::steady_clock::now();
  std::map<Key, std::size_t> in_this_minute_;
};

}  // namespace driftless
