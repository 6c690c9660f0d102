// Connections of strangers are limited before any handshake, and those of sites are kept.
#include "driftless/network/hub/listener.hpp"

#include "tests/support/expect_error.hpp"

#include <arpa/inet.h>
#include <atomic>
#include <chrono>
#include <memory>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace driftless {
namespace {

using testing::HasSubstr;

constexpr int patience_ms = 20'000;

// Waits until the condition holds; false after a timeout.
template <class Condition>
bool comes_true(const Condition& condition) {
  for (int waited = 0; waited < patience_ms; waited += 5) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

// A connection to a port of this machine.
class Caller {
 public:
  explicit Caller(int port, bool ipv6 = false) : socket_(::socket(ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    v4.sin_port = htons(static_cast<std::uint16_t>(port));
    v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sockaddr_in6 v6{};
    v6.sin6_family = AF_INET6;
    v6.sin6_port = v4.sin_port;
    v6.sin6_addr = in6addr_loopback;
    connected_ = ipv6 ? ::connect(socket_, reinterpret_cast<sockaddr*>(&v6), sizeof v6) == 0
                      : ::connect(socket_, reinterpret_cast<sockaddr*>(&v4), sizeof v4) == 0;
  }
  ~Caller() { ::close(socket_); }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  bool connected() const { return connected_; }
  bool closed_within(int milliseconds) const {
    pollfd wait{.fd = socket_, .events = POLLIN, .revents = 0};
    char byte = 0;
    return ::poll(&wait, 1, milliseconds) > 0 && ::recv(socket_, &byte, 1, MSG_DONTWAIT) <= 0;
  }
  // As gRPC names this peer at the other end.
  std::string name() const {
    sockaddr_storage own{};
    socklen_t size = sizeof own;
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&own), &size);
    if (own.ss_family == AF_INET6)
      return "ipv6:%5B::1%5D:" + std::to_string(ntohs(reinterpret_cast<sockaddr_in6&>(own).sin6_port));
    return "ipv4:127.0.0.1:" + std::to_string(ntohs(reinterpret_cast<sockaddr_in&>(own).sin_port));
  }

 private:
  int socket_;
  bool connected_ = false;
};

// Like gRPC, closes the connections that it owns when the other end is closed.
class Owner {
 public:
  ~Owner() {
    for (const int connection : open_) ::close(connection);
  }
  void take(int connection) {
    const std::lock_guard lock(mutex_);
    open_.push_back(connection);
    ++taken_;
  }
  std::size_t close_ended() {
    const std::lock_guard lock(mutex_);
    return std::erase_if(open_, [](int connection) {
      char byte = 0;
      if (::recv(connection, &byte, 1, MSG_DONTWAIT | MSG_PEEK) != 0) return false;
      ::close(connection);
      return true;
    });
  }
  int taken() const { return taken_; }

 private:
  std::mutex mutex_;
  std::vector<int> open_;
  std::atomic<int> taken_ = 0;
};

class Listening : public testing::Test {
 protected:
  void listen(const std::string& address, std::size_t most_strangers) {
    listener_ = std::make_unique<Listener>(
        ListenerOptions{.address = address,
                        .most_strangers = most_strangers,
                        .on_connection = [this](int, int connection) { owner_.take(connection); },
                        .on_event =
                            [this](const std::string& event) {
                              const std::lock_guard lock(mutex_);
                              events_.push_back(event);
                            }});
    listener_->start();
  }
  Caller& call(bool ipv6 = false) {
    callers_.push_back(std::make_unique<Caller>(listener_->port(), ipv6));
    EXPECT_TRUE(callers_.back()->connected());
    const int expected = static_cast<int>(callers_.size());
    EXPECT_TRUE(comes_true([&] {
      owner_.close_ended();
      return owner_.taken() == expected;
    }));
    return *callers_.back();
  }
  static void expect_open(const std::vector<const Caller*>& open, const std::vector<const Caller*>& closed) {
    for (const Caller* caller : closed) EXPECT_TRUE(caller->closed_within(patience_ms));
    for (const Caller* caller : open) EXPECT_FALSE(caller->closed_within(20));
  }

  Owner owner_;
  std::mutex mutex_;
  std::vector<std::string> events_;
  std::vector<std::unique_ptr<Caller>> callers_;
  std::unique_ptr<Listener> listener_;
};

TEST_F(Listening, TheOldestStrangerIsClosedForANewerOne) {
  listen("127.0.0.1:0", 3);
  std::vector<const Caller*> callers;
  for (int i = 0; i < 5; ++i) callers.push_back(&call());
  expect_open({callers[2], callers[3], callers[4]}, {callers[0], callers[1]});
  const std::lock_guard lock(mutex_);
  ASSERT_EQ(events_.size(), 1U) << "messages are limited in time";
  EXPECT_THAT(events_[0], HasSubstr("connections of strangers: more than 3 at a time"));
}

TEST_F(Listening, ConnectionsOfSitesAreKept) {
  listen("127.0.0.1:0", 2);
  const Caller& site = call();
  listener_->keep(site.name(), "north");
  std::vector<const Caller*> strangers;
  for (int i = 0; i < 6; ++i) strangers.push_back(&call());
  expect_open({&site, strangers[4], strangers[5]}, {strangers[0], strangers[3]});
}

TEST_F(Listening, AFewConnectionsOfOneSiteAreKept) {
  listen("127.0.0.1:0", 2);
  std::vector<const Caller*> callers;
  for (int i = 0; i < 5; ++i) {
    callers.push_back(&call());
    listener_->keep(callers.back()->name(), "north");
  }
  const Caller& stranger = call();
  expect_open({callers[3], callers[4], &stranger}, {callers[0], callers[1]});
}

TEST_F(Listening, ClosedConnectionsDoNotCount) {
  listen("127.0.0.1:0", 2);
  const Caller& first = call();
  call();
  callers_[1].reset();
  EXPECT_TRUE(comes_true([&] { return owner_.close_ended() == 1; }));
  const Caller& third = call();
  expect_open({&first, &third}, {});
}

TEST_F(Listening, NothingIsAcceptedWhileTooManyWaitToBeClosed) {
  listen("127.0.0.1:0", 1);
  std::vector<std::unique_ptr<Caller>> burst;
  for (int i = 0; i < 60; ++i) burst.push_back(std::make_unique<Caller>(listener_->port()));
  EXPECT_TRUE(comes_true([&] { return owner_.taken() >= 9; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_LE(owner_.taken(), 10) << "descriptors are bounded while their owner is slow";
  EXPECT_TRUE(comes_true([&] {
    owner_.close_ended();
    return owner_.taken() == 60;
  }));
}

TEST_F(Listening, AtIpv6) {
  listen("[::1]:0", 1);
  const Caller& site = call(true);
  listener_->keep(site.name(), "north");
  const Caller& first = call(true);
  const Caller& second = call(true);
  expect_open({&site, &second}, {&first});
}

TEST_F(Listening, AtEveryAddressOfAName) {
  listen("localhost:0", 4);
  call();
}

TEST_F(Listening, APortInUseIsNamed) {
  listen("127.0.0.1:0", 1);
  const std::string address = "127.0.0.1:" + std::to_string(listener_->port());
  const auto again = [](const std::string& at) { return Listener({.address = at, .on_connection = [](int, int) {}}); };
  expect_error<TransportError>([&] { again(address); }, {"cannot listen", address, "in use"});
  expect_error<TransportError>([&] { again("nowhere"); }, {"cannot listen", "no port"});
  expect_error<TransportError>([&] { again("127.0.0.1:port"); }, {"cannot listen", "127.0.0.1:port"});
}

TEST_F(Listening, EndsAtOnceAndAcceptsNoMore) {
  listen("127.0.0.1:0", 4);
  call();
  listener_->stop();
  const Caller late(listener_->port());
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_EQ(owner_.taken(), 1);
}

// In a process of its own, since the limit cannot be raised again.
int with_limit(rlim_t files, std::size_t sites) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit{.rlim_cur = files, .rlim_max = files};
    ::setrlimit(RLIMIT_NOFILE, &limit);
    try {
      ::_exit(static_cast<int>(prepare_descriptors(sites)));
    } catch (const ConfigError&) { ::_exit(255); }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

TEST(Descriptors, AreSharedBetweenSitesAndStrangers) {
  EXPECT_EQ(with_limit(96, 3), 96 - 40 - 3 * 4 - 8);
  EXPECT_EQ(with_limit(96, 10), 8) << "the fewest";
  EXPECT_EQ(with_limit(96, 11), 255) << "sites do not fit";
  EXPECT_EQ(with_limit(12, 1), 255);
}

}  // namespace
}  // namespace driftless
