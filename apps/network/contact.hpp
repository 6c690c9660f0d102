// A first connection to a server, without the protocol of a federation.
#pragma once

#include "driftless/peers/address.hpp"

#include <utility>

namespace driftless::app {

// Closes what it owns.
class Socket {
 public:
  explicit Socket(int descriptor = -1) : descriptor_(descriptor) {}
  ~Socket();
  Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }

  int descriptor() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

// Blocks for up to so many seconds in each call. TransportError where the name is not known or nothing answers.
Socket connect_to(const Address& address, double seconds);

}  // namespace driftless::app
