// A small HTTP server on 127.0.0.1: only GET, one answer per connection. One thread serves all connections without
// blocking on any of them, so that an incomplete request delays no other: it is closed after two seconds, or earlier
// where there are more connections than the server keeps.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace driftless::app {

struct HttpAnswer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body = {};
};

class LoopbackHttp {
 public:
  using Handler = std::function<HttpAnswer(const std::string& path)>;  // in the server's thread; must not throw

  LoopbackHttp(int port, Handler handler);  // 0: any free port. std::system_error if the port is not available
  ~LoopbackHttp();                          // completes answers that are under way
  LoopbackHttp(const LoopbackHttp&) = delete;
  LoopbackHttp& operator=(const LoopbackHttp&) = delete;

  int port() const;

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace driftless::app
