// A small HTTP server on loopback with one file, for downloads that succeed or fail. It answers a given number of
// requests and ends.
#pragma once

#include <cstddef>
#include <string>
#include <thread>
#include <vector>

namespace driftless {

struct ServerOptions {
  bool ranges = true;              // otherwise it always sends the whole file
  std::vector<std::size_t> drops;  // request k is cut after so many bytes of the body; npos: not at all
  int status = 200;                // anything else is answered without the file
};

class FileServer {
 public:
  FileServer(std::string bytes, ServerOptions options = {});
  ~FileServer();  // ends it
  FileServer(const FileServer&) = delete;
  FileServer& operator=(const FileServer&) = delete;

  std::string url() const;
  // First line and Range of every request so far: "GET /data 100-". Ends the server.
  std::vector<std::string> requests();

 private:
  void serve();
  void answer(int connection);
  void stop();

  std::string bytes_;
  ServerOptions options_;
  int listener_ = -1;
  int port_ = 0;
  std::vector<std::string> requests_;
  std::thread thread_;
};

}  // namespace driftless
