#include "apps/live/loopback_http.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <list>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace driftless::app {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto request_time = 2s;  // a request from this machine arrives at once
constexpr auto answer_time = 10s;  // a page of many rows, read slowly
constexpr auto stop_time = 1s;     // for answers that are under way when the server stops
constexpr std::size_t most_connections = 64;
constexpr std::size_t most_request_bytes = 16384;

[[noreturn]] void fail(int socket, const char* what) {
  const int error = errno;
  if (socket >= 0) ::close(socket);
  throw std::system_error(error, std::generic_category(), what);
}

// Two programs must not share a port, so SO_REUSEPORT is not set; the other option is for ports of ended programs.
int listen_at(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) fail(socket, "socket");
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail(socket, "bind");
  if (::listen(socket, SOMAXCONN) != 0) fail(socket, "listen");
  return socket;
}

int port_of(int socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) fail(-1, "getsockname");
  return ntohs(address.sin_port);
}

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

// The value of the Host header without its port; empty where there is none.
std::string host_of(const std::string& request) {
  for (std::size_t at = request.find("\r\n"); at != std::string::npos; at = request.find("\r\n", at + 2)) {
    const std::string line = request.substr(at + 2, request.find("\r\n", at + 2) - at - 2);
    std::string name = line.substr(0, line.find(':'));
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    if (name != "host" || name.size() == line.size()) continue;
    const std::size_t start = line.find_first_not_of(' ', name.size() + 1);
    if (start == std::string::npos) return "";
    return line.substr(start, line.find_first_of(": ", start) - start);
  }
  return "";
}

// A page of another site must not read the run by resolving its own name to this address.
bool asked_by_own_name(const std::string& request) {
  const std::string host = host_of(request);
  return host == "127.0.0.1" || host == "localhost";
}

// None where it is not a GET request.
std::optional<std::string> path_of(const std::string& request) {
  constexpr std::string_view method = "GET ";
  if (!request.starts_with(method)) return std::nullopt;
  return request.substr(method.size(), request.find_first_of(" ?\r", method.size()) - method.size());
}

const char* reason_of(int status) {
  switch (status) {
    case 200: return "OK";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    default: return "Service Unavailable";
  }
}

std::string text_of(const HttpAnswer& answer) {
  return "HTTP/1.1 " + std::to_string(answer.status) + " " + reason_of(answer.status) +
         "\r\nContent-Type: " + answer.type + "\r\nContent-Length: " + std::to_string(answer.body.size()) +
         "\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n" + answer.body;
}

HttpAnswer answer_to(const std::string& request, const LoopbackHttp::Handler& handler) {
  const std::optional<std::string> path = path_of(request);
  if (!path) return {.status = 405};
  if (!asked_by_own_name(request)) return {.status = 403};
  return handler(*path);
}

class Connection {
 public:
  explicit Connection(int socket) : socket_(socket) {}
  ~Connection() { ::close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int socket() const { return socket_; }
  bool answering() const { return !answer_.empty(); }
  Clock::time_point deadline() const { return deadline_; }
  void end_by(Clock::time_point time) { deadline_ = std::min(deadline_, time); }

  // Sends as much as possible without blocking. False: the connection has ended.
  bool advance(const LoopbackHttp::Handler& handler) {
    if (!answering() && !read_request(handler)) return false;
    while (sent_ < answer_.size()) {
      const ssize_t sent = ::send(socket_, answer_.data() + sent_, answer_.size() - sent_, MSG_NOSIGNAL);
      if (sent < 0) return would_block();
      sent_ += static_cast<std::size_t>(sent);
    }
    return !answering();
  }

 private:
  bool read_request(const LoopbackHttp::Handler& handler) {
    std::array<char, 4096> chunk{};
    const ssize_t size = ::recv(socket_, chunk.data(), chunk.size(), 0);
    if (size < 0) return would_block();
    request_.append(chunk.data(), static_cast<std::size_t>(size));
    if (size == 0 || request_.size() > most_request_bytes) return false;
    if (request_.find("\r\n\r\n") == std::string::npos) return true;
    answer_ = text_of(answer_to(request_, handler));
    deadline_ = Clock::now() + answer_time;
    return true;
  }

  int socket_;
  Clock::time_point deadline_ = Clock::now() + request_time;
  std::string request_;
  std::string answer_;
  std::size_t sent_ = 0;
};

}  // namespace

class LoopbackHttp::Server {
 public:
  Server(int port, Handler handler)
      : handler_(std::move(handler)), listener_(listen_at(port)), wake_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    if (wake_ < 0) fail(listener_, "eventfd");
    port_ = port_of(listener_);
    thread_ = std::thread([this] { serve(); });
  }

  ~Server() {
    stopping_ = true;
    ::eventfd_write(wake_, 1);
    thread_.join();
    ::close(wake_);
  }

  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const { return port_; }

 private:
  void serve() {
    while (!stopping_) {
      step();
      accept_all();
    }
    ::close(std::exchange(listener_, -1));
    std::erase_if(connections_, [](const Connection& each) { return !each.answering(); });
    for (Connection& each : connections_) each.end_by(Clock::now() + stop_time);
    while (!connections_.empty()) step();
  }

  // Waits until a socket is ready or a deadline has passed, and handles it.
  void step() {
    std::vector<pollfd> sockets;
    for (const Connection& each : connections_)
      sockets.push_back(
          {.fd = each.socket(), .events = static_cast<short>(each.answering() ? POLLOUT : POLLIN), .revents = 0});
    // poll ignores negative descriptors; a server that stops accepts no connection and needs no second wake-up.
    sockets.push_back({.fd = listener_, .events = POLLIN, .revents = 0});
    sockets.push_back({.fd = stopping_ ? -1 : wake_, .events = POLLIN, .revents = 0});
    if (::poll(sockets.data(), sockets.size(), milliseconds_left()) < 0) return;
    std::size_t index = 0;
    std::erase_if(connections_, [&](Connection& each) {
      return (sockets[index++].revents != 0 && !each.advance(handler_)) || each.deadline() <= Clock::now();
    });
  }

  // Milliseconds until the first deadline; -1 (infinite) where there is none.
  int milliseconds_left() const {
    if (connections_.empty()) return -1;
    const Clock::time_point next = std::ranges::min_element(connections_, {}, &Connection::deadline)->deadline();
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now());
    return static_cast<int>(std::max<std::chrono::milliseconds::rep>(0, left.count()));
  }

  void accept_all() {
    for (;;) {
      const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      // Without a pause the listener, still readable, would keep the thread busy.
      if (socket < 0 && (errno == EMFILE || errno == ENFILE)) std::this_thread::sleep_for(100ms);
      if (socket < 0) return;
      make_room();
      if (!connections_.emplace_back(socket).advance(handler_)) connections_.pop_back();
    }
  }

  // Closes the oldest request first: a page will repeat it.
  void make_room() {
    if (connections_.size() < most_connections) return;
    const auto asking = std::ranges::find_if(connections_, [](const Connection& each) { return !each.answering(); });
    connections_.erase(asking != connections_.end() ? asking : connections_.begin());
  }

  Handler handler_;
  int port_ = 0;
  int listener_ = -1;
  int wake_ = -1;  // becomes readable when the server must stop
  std::atomic<bool> stopping_ = false;
  std::list<Connection> connections_;  // oldest first
  std::thread thread_;
};

LoopbackHttp::LoopbackHttp(int port, Handler handler) : server_(std::make_unique<Server>(port, std::move(handler))) {}

LoopbackHttp::~LoopbackHttp() = default;

int LoopbackHttp::port() const { return server_->port(); }

}  // namespace driftless::app
