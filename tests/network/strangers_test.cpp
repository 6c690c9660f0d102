// A machine without a certificate tries to exhaust the descriptors of a server. And a server with too few resources.
#include "tests/cli/same_bits.hpp"
#include "tests/network/silos.hpp"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace driftless {
namespace {

using testing::HasSubstr;

constexpr double patience = 120;
const std::vector<std::string> sites{"north", "south", "west"};

// Small files of the journal and a checkpoint after each round: files are opened all the time.
const std::string config =
    "seed = 5\n[problem]\nkind = \"quadratic\"\nstructure = \"diagonal\"\ndim = 2000\nsamples = 1\n"
    "[federation]\nclients = 3\nthreads = 1\n[[method]]\nname = \"gd\"\nstep = 0.01\n[stop]\nrounds = 40\n"
    "[output]\nsave_seconds = 0\n";
const std::vector<std::string> small_journal{"--journal-bytes", "50000"};

// Connections that are opened and remain silent.
class IdleConnections {
 public:
  IdleConnections(int port, int count) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int i = 0; i < count; ++i) {
      const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
      ::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address);
      sockets_.push_back(socket);
    }
  }
  ~IdleConnections() {
    for (const int socket : sockets_) ::close(socket);
  }
  IdleConnections(const IdleConnections&) = delete;
  IdleConnections& operator=(const IdleConnections&) = delete;

 private:
  std::vector<int> sockets_;
};

int port_of(const Silos& silos) { return std::stoi(silos.address().substr(silos.address().rfind(':') + 1)); }

TEST(Strangers, WithMoreConnectionsThanDescriptorsDoNotEndTheRun) {
  Silos silos(config, sites);
  const std::string bytes = fingerprint(silos.alone(), "gd");
  silos.set_limit("server", "ulimit -n 96");
  if (serve_knows("--journal-bytes")) silos.set_options("server", small_journal);
  silos.start_server();
  const IdleConnections before(port_of(silos), 150);
  for (const std::string& site : sites) silos.start_site(site);
  ASSERT_TRUE(silos.prints("server", "'north' joined"));
  const IdleConnections during(port_of(silos), 150);
  for (const std::string& who : silos.peers()) {
    const std::optional<ProgramResult> result = silos.wait_for(who, patience);
    ASSERT_TRUE(result.has_value()) << who << " hangs\n" << silos.standard_error_of(who);
    EXPECT_EQ(result->exit_code, 0) << who << "\n" << result->err;
    EXPECT_EQ(bytes, fingerprint(silos.results(who), "gd")) << who;
    if (who == "server") { EXPECT_THAT(result->err, HasSubstr("connections of strangers")); }
  }
}

// The output of a server with too few resources to start.
ProgramResult server_with(const std::string& limit) {
  Silos silos(config, sites);
  silos.set_limit("server", limit);
  silos.set_options("server", {"--wait", "2"});
  silos.launch("server");
  const std::optional<ProgramResult> result = silos.wait_for("server", patience);
  EXPECT_TRUE(result.has_value()) << "the server hangs with " << limit;
  return result.value_or(ProgramResult{});
}

TEST(TooLittle, TooFewDescriptorsForTheSitesAreReportedAtTheStart) {
  const ProgramResult result = server_with("ulimit -n 48");
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr("this process may open too few files for so many sites"));
  EXPECT_THAT(result.err, HasSubstr("ulimit -n"));
}

// How much memory a server needs depends on the libraries; where it is too little, there must be a reason.
TEST(TooLittle, TooLittleMemoryEndsTheServerWithAReason) {
  for (const char* limit :
       {"ulimit -v 60000", "ulimit -v 150000", "ulimit -v 250000", "ulimit -v 400000", "ulimit -v 600000"}) {
    const ProgramResult result = server_with(limit);
    if (result.exit_code == 4) continue;  // it was enough to start, and no site came
    EXPECT_EQ(result.exit_code, 2) << limit << ": signal " << result.signal << "\n" << result.err;
    EXPECT_THAT(result.err, HasSubstr("this process may start too few threads for so many sites")) << limit;
  }
}

}  // namespace
}  // namespace driftless
