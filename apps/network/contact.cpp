#include "apps/network/contact.hpp"

#include <fcntl.h>
#include <memory>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace driftless::app {
namespace {

using AddressList = std::unique_ptr<addrinfo, void (*)(addrinfo*)>;

AddressList addresses_of(const Address& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(address.host.c_str(), address.port.c_str(), &hints, &found);
  if (error != 0)
    throw TransportError({.what = "the name is not known",
                          .seen = address.host + ": " + ::gai_strerror(error),
                          .advice = "make sure that it is spelled right"});
  return {found, ::freeaddrinfo};
}

// Not open where nothing answers in time.
Socket connected(const addrinfo& at, double seconds) {
  Socket socket(::socket(at.ai_family, at.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, at.ai_protocol));
  if (!socket.is_open()) return socket;
  ::connect(socket.descriptor(), at.ai_addr, at.ai_addrlen);
  pollfd wait{.fd = socket.descriptor(), .events = POLLOUT, .revents = 0};
  int error = 0;
  socklen_t size = sizeof error;
  const bool good = ::poll(&wait, 1, static_cast<int>(1000 * seconds)) == 1 &&
                    ::getsockopt(socket.descriptor(), SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
  return good ? std::move(socket) : Socket();
}

void block_for(const Socket& socket, double seconds) {
  ::fcntl(socket.descriptor(), F_SETFL, ::fcntl(socket.descriptor(), F_GETFL) & ~O_NONBLOCK);
  const auto whole = static_cast<time_t>(seconds);
  const timeval most{.tv_sec = whole,
                     .tv_usec = static_cast<suseconds_t>(1e6 * (seconds - static_cast<double>(whole)))};
  ::setsockopt(socket.descriptor(), SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
  ::setsockopt(socket.descriptor(), SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
}

}  // namespace

Socket::~Socket() {
  if (is_open()) ::close(descriptor_);
}

Socket connect_to(const Address& address, double seconds) {
  const AddressList list = addresses_of(address);
  for (const addrinfo* at = list.get(); at != nullptr; at = at->ai_next)
    if (Socket socket = connected(*at, seconds); socket.is_open()) {
      block_for(socket, seconds);
      return socket;
    }
  throw TransportError({.what = "nothing answers at this address",
                        .seen = address.host + ":" + address.port,
                        .advice = "make sure that the server is started, and that no firewall keeps the port closed"});
}

}  // namespace driftless::app
