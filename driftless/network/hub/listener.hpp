// Accepts TCP connections for a server and bounds how many strangers may hold at a time, before any handshake: else one
// of them could use up the descriptors of the process, and with them the run.
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
  std::size_t most_strangers = 0;  // connections that belong to no known site; the oldest is closed for a newer one
  std::function<void(int listener, int connection)> on_connection;  // takes the connection over, and closes it
  std::function<void(const std::string&)> on_event = {};            // told when connections had to be closed
};

class Listener {
 public:
  explicit Listener(ListenerOptions options);  // TransportError where the address cannot be listened at
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  void start();          // accepts from now on
  void stop() noexcept;  // accepts no more
  int port() const { return port_; }
  // The connection from this address ("ipv4:10.0.0.7:51200", as gRPC names peers) is that of a site and stays. Of each
  // site the newest few do: a connection whose end has not been noticed yet may be among them.
  void keep(const std::string& peer, const std::string& site);

 private:
  // A connection that was handed over. Whether it is still open shows in the number of its socket, which no other file
  // has: its owner closes it without telling.
  struct Connection {
    int descriptor;
    std::uint64_t socket;
    std::string peer;
    std::string site = {};  // whose it is, where it is kept
    bool closing = false;   // it was shut down, and its owner has not closed it yet
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
  std::uint64_t closed_ = 0;           // strangers' connections, since the last report
  std::int64_t reported_ = 0;          // when, seconds
  std::thread thread_;
};

// The soft limit of open files is raised to the hard one. Returns how many connections of strangers a server with so
// many sites can bear; ConfigError where not even its sites fit.
std::size_t prepare_descriptors(std::size_t sites);

}  // namespace driftless
