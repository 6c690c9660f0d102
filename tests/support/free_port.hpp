// A port of loopback for a server that a test starts.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace driftless {

// Below the ports that the system assigns to connections, so that no connection takes it before the server.
inline int free_port() {
  for (int attempt = 0;; ++attempt) {
    const int port = 20000 + (::getpid() * 31 + attempt * 7) % 12000;
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool bound = ::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    ::close(socket);
    if (bound) return port;
  }
}

}  // namespace driftless
