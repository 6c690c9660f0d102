// A server that an embedding program runs.
#pragma once

#include "driftless/peers/serve.hpp"

#include "tests/support/temp_folder.hpp"

#include <atomic>
#include <future>
#include <string>

namespace driftless {

// The server in a thread of its own; its address is known once sites can join.
class EmbeddedServer {
 public:
  EmbeddedServer(const TempFolder& folder, const std::string& text) {
    std::promise<std::string> listening;
    std::future<std::string> address = listening.get_future();
    run_ = std::async(std::launch::async, [this, &folder, text, &listening] {
      ServeOptions options{.text = text,
                           .listen = "127.0.0.1:0",
                           .plain = true,
                           .out = (folder / "server").string(),
                           .wait = 60.0,
                           .stop_token = [this] { return stop_ ? StopSignal::interrupted : StopSignal::none; },
                           .on_listen = [&](const std::string& found) { listening.set_value(found); }};
      return serve(options, served_config(options));
    });
    address_ = address.get();
  }
  ~EmbeddedServer() { stop_ = true; }

  const std::string& address() const { return address_; }
  PeerRun wait() { return run_.get(); }

 private:
  std::atomic<bool> stop_ = false;
  std::string address_;
  std::future<PeerRun> run_;
};

}  // namespace driftless
