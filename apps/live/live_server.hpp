// The report of a run while it lasts, served to this machine alone.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace driftless::app {

class LiveServer {
 public:
  explicit LiveServer(int port);  // 0: any free one. ConfigError if the port cannot be had
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  std::string address() const;  // http://127.0.0.1:PORT/
  void follow(const std::filesystem::path& directory);
  void finish();  // a page that is open gets the last state before the server is gone

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace driftless::app
