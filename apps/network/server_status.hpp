// The status of a running server in a file of its folder: which sites are connected and which are late, the progress of
// the run, and the bytes sent.
#pragma once

#include "driftless/network/hub/hub.hpp"
#include "driftless/optimize/trace.hpp"

#include "apps/command_line.hpp"

#include <atomic>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

namespace driftless::app {

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

// The output of `serve --status`. ConfigError where no server has used the folder.
void print_status(const std::filesystem::path& folder, Format format);

}  // namespace driftless::app
