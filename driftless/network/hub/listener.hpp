// Accepts TCP connections for a server and limits, before any handshake, how many strangers may hold at a time. Without
// a limit one of them could exhaust the descriptors of the process and so end the run.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace driftless {

struct ListenerOptions {
  std::string address;             // "0.0.0.0:7443"; port 0 takes a free one
  std::size_t most_strangers = 0;  // connections that belong to no known site; a new one closes the oldest
  std::function<void(int listener, int connection)> on_connection;  // takes ownership of the connection
  std::function<void(const std::string&)> on_event = {};            // called when connections had to be closed
};

class Listener {
 public:
  explicit Listener(ListenerOptions options);  // TransportError where it cannot listen at the address
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  void start();          // accepts from now on
  void stop() noexcept;  // accepts no more
  int port() const { return port_; }
  // The connection from this address ("ipv4:10.0.0.7:51200", as gRPC names peers) belongs to a site and is kept. Of
  // each site the newest few are kept, because one of them may be broken without having been noticed.
  void keep(const std::string& peer, const std::string& site);

 private:
  // A connection that was handed over. Its owner closes it without notice; whether it is still open shows in the number
  // of its socket, which is unique.
  struct Connection {
    int descriptor;
    std::uint64_t socket;
    std::string peer;
    std::string site = {};  // of a connection that is kept
    bool closing = false;   // shut down, but not yet closed by its owner
  };

  void listen();
  void accept_all();
  void accept_from(int listener);
  void drop_closed();
  bool make_room();  // false where too many connections wait for their owner to close them
  void report_closed();

  ListenerOptions options_;
  std::vector<int> sockets_;
  int wake_[2] = {-1, -1};  // a pipe that ends the thread
  int port_ = 0;
  std::mutex mutex_;
  std::list<Connection> connections_;  // oldest first
  std::uint64_t closed_ = 0;           // connections of strangers since the last report
  std::int64_t reported_ = 0;          // time of the last report, seconds
  std::thread thread_;
};

// Raises the soft limit of open files to the hard limit. Returns how many connections of strangers a server with so
// many sites can afford. ConfigError where the limit is too low for the sites alone.
std::size_t prepare_descriptors(std::size_t sites);

}  // namespace driftless
