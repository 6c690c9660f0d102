#include "tests/cli/data/file_server.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace driftless {
namespace {

constexpr std::size_t most_requests = 20;

void send_all(int connection, std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = ::send(connection, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

// Reads up to the empty line, but no more than a client would send.
std::string read_head(int connection) {
  std::string head;
  std::string chunk(4096, '\0');
  while (head.size() < (1U << 16) && head.find("\r\n\r\n") == std::string::npos) {
    pollfd ready{.fd = connection, .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, 5000) <= 0) return head;
    const ssize_t got = ::recv(connection, chunk.data(), chunk.size(), 0);
    if (got <= 0) return head;
    head.append(chunk, 0, static_cast<std::size_t>(got));
  }
  return head;
}

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from);
  if (begin == std::string::npos) return "";
  return text.substr(begin + from.size(), text.find(to, begin + from.size()) - begin - from.size());
}

}  // namespace

FileServer::FileServer(std::string bytes, ServerOptions options)
    : bytes_(std::move(bytes)), options_(std::move(options)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* bound = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener_, bound, size) != 0 || ::listen(listener_, 8) != 0) ADD_FAILURE() << "no loopback port";
  ::getsockname(listener_, bound, &size);
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

FileServer::~FileServer() { stop(); }

std::string FileServer::url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/data"; }

std::vector<std::string> FileServer::requests() {
  stop();
  return requests_;
}

void FileServer::stop() {
  if (!thread_.joinable()) return;
  ::shutdown(listener_, SHUT_RDWR);  // wakes accept
  thread_.join();
  ::close(listener_);
}

void FileServer::serve() {
  while (requests_.size() < most_requests) {
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) return;
    answer(connection);
    ::close(connection);
  }
}

void FileServer::answer(int connection) {
  const std::string head = read_head(connection);
  const std::string range = between(head, "Range: bytes=", "\r\n");
  const std::size_t number = requests_.size();
  requests_.push_back(head.substr(0, head.find(" HTTP")) + (range.empty() ? "" : " " + range));
  if (options_.status != 200)
    return send_all(connection, "HTTP/1.1 " + std::to_string(options_.status) + " No\r\nContent-Length: 0\r\n\r\n");
  const std::size_t from = range.empty() || !options_.ranges ? 0 : std::stoul(range);
  if (from >= bytes_.size() && from > 0)
    return send_all(connection, "HTTP/1.1 416 Range\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  const std::string total = std::to_string(bytes_.size());
  std::string reply = from > 0 ? "HTTP/1.1 206 Partial\r\nContent-Range: bytes " + std::to_string(from) + "-" +
                                     std::to_string(bytes_.size() - 1) + "/" + total + "\r\n"
                               : "HTTP/1.1 200 OK\r\n";
  reply += "Content-Length: " + std::to_string(bytes_.size() - from) + "\r\nConnection: close\r\n\r\n";
  const std::size_t most = number < options_.drops.size() ? options_.drops[number] : std::string::npos;
  send_all(connection, reply + bytes_.substr(from, most));
}

}  // namespace driftless
