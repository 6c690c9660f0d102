// The status of a running server in a file of its folder: which sites are connected and which are late, the progress of
// the run, and the bytes sent.
#pragma once

#include "driftless/network/hub/hub.hpp"
#include "driftless/optimize/trace.hpp"

#include <atomic>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

namespace driftless {

// Writes the file once a second, and a last time in its destructor.
class StatusWriter {
 public:
  StatusWriter(const Hub& hub, std::string run, const std::filesystem::path& folder);
  ~StatusWriter();
  StatusWriter(const StatusWriter&) = delete;
  StatusWriter& operator=(const StatusWriter&) = delete;

  void at_round(const std::string& label, const TraceRow& row);

 private:
  void write(bool running);

  const Hub& hub_;
  std::string run_;
  std::filesystem::path file_;
  std::mutex mutex_;
  std::string method_;
  std::size_t round_ = 0;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

// What the file says, as JSON and for people. ConfigError where no server has used the folder.
std::string status_json(const std::filesystem::path& folder);
std::string status_text(const std::filesystem::path& folder);

}  // namespace driftless
