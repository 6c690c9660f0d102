// The report of a run that is under way, served to this machine only.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace driftless::app {

class LiveServer {
 public:
  explicit LiveServer(int port);  // 0: any free one. ConfigError if the port is not available
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  std::string address() const;  // http://127.0.0.1:PORT/
  void follow(const std::filesystem::path& directory);
  void finish();  // lets an open page read the final state before the server ends

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace driftless::app
