#include "driftless/network/hub/listener.hpp"

#include "driftless/core/error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace driftless {
namespace {

TransportError cannot_listen(const std::string& address, const std::string& why) {
  return TransportError({.what = "the server cannot listen at this address",
                         .seen = address + (why.empty() ? "" : ": " + why),
                         .advice = "make sure that the address is HOST:PORT of this machine and the port is free"});
}

using AddressList = std::unique_ptr<addrinfo, void (*)(addrinfo*)>;

AddressList resolved(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) throw cannot_listen(address, "no port");
  std::string host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int error =
      ::getaddrinfo(host.empty() ? nullptr : host.c_str(), address.substr(colon + 1).c_str(), &hints, &found);
  if (error != 0) throw cannot_listen(address, ::gai_strerror(error));
  return {found, ::freeaddrinfo};
}

int port_of(int socket) {
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&bound), &size);
  return ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(bound).sin6_port
                                           : reinterpret_cast<sockaddr_in&>(bound).sin_port);
}

// A listening socket, or -1 with errno set. A host with several addresses uses the same port at each.
int listening_at(const addrinfo& at, int port) {
  sockaddr_storage address{};
  std::memcpy(&address, at.ai_addr, at.ai_addrlen);
  if (port != 0 && address.ss_family == AF_INET6)
    reinterpret_cast<sockaddr_in6&>(address).sin6_port = htons(static_cast<std::uint16_t>(port));
  if (port != 0 && address.ss_family == AF_INET)
    reinterpret_cast<sockaddr_in&>(address).sin_port = htons(static_cast<std::uint16_t>(port));
  const int socket = ::socket(at.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return -1;
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  constexpr int backlog = 128;
  if (::bind(socket, reinterpret_cast<sockaddr*>(&address), at.ai_addrlen) == 0 && ::listen(socket, backlog) == 0)
    return socket;
  const int error = errno;
  ::close(socket);
  errno = error;
  return -1;
}

// Host and port in a canonical form.
std::string plain_peer(std::string peer) {
  for (const char* kind : {"ipv4:", "ipv6:"})
    if (peer.starts_with(kind)) peer.erase(0, std::strlen(kind));
  for (const char* bracket : {"%5B", "%5D", "%5b", "%5d", "[", "]"})
    if (const std::size_t at = peer.find(bracket); at != std::string::npos) peer.erase(at, std::strlen(bracket));
  if (peer.starts_with("::ffff:") && peer.find('.') != std::string::npos) peer.erase(0, 7);
  return peer;
}

std::string peer_of(const sockaddr_storage& address, socklen_t size) {
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  ::getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host.data(), host.size(), port.data(), port.size(),
                NI_NUMERICHOST | NI_NUMERICSERV);
  return plain_peer(std::string(host.data()) + ":" + port.data());
}

std::uint64_t socket_number(int descriptor) {
  struct stat about{};
  return ::fstat(descriptor, &about) == 0 && S_ISSOCK(about.st_mode) ? about.st_ino : 0;
}

// Connections that may wait for their owner to close them. Without a limit, a burst of new ones would exhaust the
// descriptors meanwhile.
constexpr std::size_t most_closing = 8;
constexpr std::size_t most_kept_of_a_site = 2;

}  // namespace

std::size_t prepare_descriptors(std::size_t sites) {
  constexpr std::size_t own = 40;       // journal, results, libraries, what gRPC keeps open
  constexpr std::size_t each_site = 4;  // two connections while one replaces the other, and calls beside the stream
  constexpr std::size_t fewest = 8;
  constexpr std::size_t most = 256;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const std::size_t needed = own + each_site * sites + most_closing + fewest;
  if (limit.rlim_cur < needed)
    throw ConfigError({.what = "this process may open too few files for so many sites",
                       .seen = std::to_string(limit.rlim_cur) + " files, " + std::to_string(sites) + " sites",
                       .advice = "allow at least " + std::to_string(needed) + " with 'ulimit -n'"});
  return std::min(most, static_cast<std::size_t>(limit.rlim_cur) - needed + fewest);
}

Listener::Listener(ListenerOptions options) : options_(std::move(options)) {
  listen();
  if (::pipe2(wake_, O_CLOEXEC | O_NONBLOCK) != 0) throw cannot_listen(options_.address, std::strerror(errno));
}

void Listener::start() {
  thread_ = std::thread([this] { accept_all(); });
}

void Listener::stop() noexcept {
  const char end = 0;
  static_cast<void>(!::write(wake_[1], &end, 1));
  if (thread_.joinable()) thread_.join();
}

Listener::~Listener() {
  stop();
  for (const int socket : sockets_) ::close(socket);
  ::close(wake_[0]);
  ::close(wake_[1]);
}

void Listener::listen() {
  const AddressList found = resolved(options_.address);
  int error = 0;
  for (const addrinfo* at = found.get(); at != nullptr; at = at->ai_next) {
    const int socket = listening_at(*at, port_);
    if (socket < 0) {
      error = errno;
      continue;
    }
    sockets_.push_back(socket);
    port_ = port_of(socket);
  }
  if (sockets_.empty()) throw cannot_listen(options_.address, std::strerror(error));
}

void Listener::accept_all() {
  std::vector<pollfd> waits{{.fd = wake_[0], .events = POLLIN, .revents = 0}};
  for (const int socket : sockets_) waits.push_back({.fd = socket, .events = POLLIN, .revents = 0});
  while (true) {
    ::poll(waits.data(), waits.size(), -1);
    if (waits.front().revents != 0) return;
    for (std::size_t k = 1; k < waits.size(); ++k)
      if (waits[k].revents != 0) accept_from(waits[k].fd);
  }
}

void Listener::accept_from(int listener) {
  constexpr auto pause = std::chrono::milliseconds(20);
  bool room = false;
  {
    const std::lock_guard lock(mutex_);
    drop_closed();
    room = make_room();
  }
  if (!room) return std::this_thread::sleep_for(pause);  // the connection waits in the queue of the kernel
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  const int connection =
      ::accept4(listener, reinterpret_cast<sockaddr*>(&address), &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (connection < 0) {
    // Out of descriptors or memory for a moment.
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) std::this_thread::sleep_for(pause);
    return;
  }
  const int yes = 1;
  ::setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  {
    const std::lock_guard lock(mutex_);
    connections_.push_back(
        {.descriptor = connection, .socket = socket_number(connection), .peer = peer_of(address, size)});
  }
  options_.on_connection(listener, connection);
}

void Listener::drop_closed() {
  connections_.remove_if([](const Connection& c) { return socket_number(c.descriptor) != c.socket; });
}

bool Listener::make_room() {
  if (std::ranges::count_if(connections_, &Connection::closing) >= std::ptrdiff_t{most_closing}) return false;
  const auto is_stranger = [](const Connection& c) { return c.site.empty() && !c.closing; };
  const auto strangers = static_cast<std::size_t>(std::ranges::count_if(connections_, is_stranger));
  if (strangers < options_.most_strangers) return true;
  const auto oldest = std::ranges::find_if(connections_, is_stranger);
  ::shutdown(oldest->descriptor, SHUT_RDWR);  // its owner sees the end and closes it
  oldest->closing = true;
  ++closed_;
  report_closed();
  return true;
}

void Listener::report_closed() {
  const std::int64_t now =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
  constexpr std::int64_t pause = 10;
  if (!options_.on_event || now - reported_ < pause) return;
  reported_ = now;
  options_.on_event("closed " + std::to_string(std::exchange(closed_, 0)) + " connections of strangers: more than " +
                    std::to_string(options_.most_strangers) + " at a time");
}

void Listener::keep(const std::string& peer, const std::string& site) {
  const std::string name = plain_peer(peer);
  const std::lock_guard lock(mutex_);
  drop_closed();
  for (Connection& connection : connections_)
    if (connection.peer == name) connection.site = site;
  std::size_t kept = 0;
  for (auto newest = connections_.rbegin(); newest != connections_.rend(); ++newest)
    if (newest->site == site && ++kept > most_kept_of_a_site) newest->site.clear();
}

}  // namespace driftless
