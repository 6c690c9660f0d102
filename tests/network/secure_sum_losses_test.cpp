// Federations of processes whose sites mask their rows and may be lost: the rest continues with one model, or ends with
// a clear error; and the server never has a row of a site in its memory.
#include "tests/cli/same_bits.hpp"
#include "tests/network/silos.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace driftless {
namespace {

std::string config(const std::string& stop) {
  return "seed = 5\n[problem]\nkind = \"quadratic\"\ndim = 40\nsamples = 2\nreference = \"none\"\n[federation]\n"
         "clients = 5\nthreads = 1\n[[method]]\nname = \"scaffold\"\nstep = 0.01\nlocal_steps = 2\n[stop]\n" +
         stop + "[output]\nsave_seconds = 0.02\n";
}

const std::vector<std::string> five{"a", "b", "c", "d", "e"};

// Rounds that the server has recorded.
std::size_t rounds_at_server(const Silos& silos) {
  std::ifstream metrics(silos.results("server") / "scaffold" / "metrics.csv");
  std::size_t lines = 0;
  for (std::string line; std::getline(metrics, line);) ++lines;
  return lines;
}

bool reaches_round(const Silos& silos, std::size_t round) {
  for (int k = 0; k < 3000; ++k) {
    if (rounds_at_server(silos) >= round) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

std::size_t tried_kills() {
  const char* text = std::getenv("DRIFTLESS_TEST_KILLS");
  return text != nullptr ? std::stoul(text) : 3;
}

TEST(LostSites, TheRestContinuesUnderMasksWithOneModel) {
  Silos silos(config("rounds = 400\n"), five, "secure_sum = true\non_loss = \"drop\"\ngrace = 0.5\n");
  for (std::size_t k = 0; k < tried_kills(); ++k) {
    silos.start_all();
    const std::string lost = five[k % five.size()];
    ASSERT_TRUE(reaches_round(silos, 5 + 37 * k % 200));
    ASSERT_TRUE(silos.kill(lost));
    std::string bits;
    for (const std::string& who : silos.peers()) {
      if (who == lost) continue;
      const ProgramResult result = silos.wait(who);
      ASSERT_EQ(result.exit_code, 0) << who << "\n" << result.err;
      const std::string own = fingerprint(silos.results(who), "scaffold");
      if (bits.empty()) bits = own;
      EXPECT_EQ(own, bits) << who;
    }
    EXPECT_NE(silos.standard_error_of("server").find("'" + lost + "' has been away"), std::string::npos);
    silos.forget_run();
  }
}

TEST(LostSites, TooManyOfThemEndTheRunWithAnErrorThatSaysSo) {
  Silos silos(config("rounds = 100000\n"), five, "secure_sum = true\non_loss = \"drop\"\ngrace = 0.5\nquorum = 3\n");
  silos.start_all();
  ASSERT_TRUE(reaches_round(silos, 20));
  for (const char* lost : {"a", "b", "c"}) silos.kill(lost);
  for (const char* who : {"server", "d", "e"}) {
    const ProgramResult result = silos.wait(who);
    EXPECT_NE(result.exit_code, 0) << who;
    EXPECT_NE(result.err.find("too few sites are left"), std::string::npos) << who << "\n" << result.err;
  }
}

TEST(LostSites, ASiteThatReturnsInTimeRepeatsItsMaskedRows) {
  Silos silos(config("rounds = 300\n"), five, "secure_sum = true\non_loss = \"drop\"\ngrace = 60\n");
  const std::string bits = fingerprint(silos.alone(), "scaffold");
  silos.start_all();
  for (const char* who : {"b", "server", "e"}) {
    ASSERT_TRUE(reaches_round(silos, 20));
    silos.kill(who);
    silos.launch(who);
  }
  for (const std::string& who : silos.peers()) {
    const ProgramResult result = silos.wait(who);
    ASSERT_EQ(result.exit_code, 0) << who << "\n" << result.err;
    EXPECT_EQ(fingerprint(silos.results(who), "scaffold"), bits) << who;
  }
}

// Whether one of these numbers is anywhere in the memory of a process that is stopped. The last bits of a number depend
// on the order of operations, so they do not count.
bool has_in_memory(pid_t process, const std::vector<double>& numbers) {
  std::ifstream regions("/proc/" + std::to_string(process) + "/maps");
  const int memory = ::open(("/proc/" + std::to_string(process) + "/mem").c_str(), O_RDONLY | O_CLOEXEC);
  bool found = false;
  std::vector<char> bytes;
  for (std::string line; std::getline(regions, line) && !found;) {
    std::uint64_t first = 0, last = 0;
    char dash = 0;
    std::string access;
    std::istringstream(line) >> std::hex >> first >> dash >> last >> access;
    if (!access.starts_with("rw") || last - first > (std::uint64_t{1} << 30)) continue;
    bytes.resize(last - first);
    const ssize_t size = ::pread(memory, bytes.data(), bytes.size(), static_cast<off_t>(first));
    for (ssize_t at = 0; at + 8 <= size && !found; at += 8)
      for (const double number : numbers)
        found = found || std::memcmp(bytes.data() + at + 2, reinterpret_cast<const char*>(&number) + 2, 6) == 0;
  }
  ::close(memory);
  return found;
}

// The rows are the same in every round: the step changes nothing, so gradients stay those at the start.
class ServerMemory : public testing::Test {
 protected:
  static std::string config() {
    return "[problem]\nkind = \"logistic\"\ndata = \"sites\"\nreference = \"none\"\n[federation]\nclients = 3\n"
           "threads = 1\nsum = \"fixed\"\n[[method]]\nname = \"gd\"\nstep = 1e-300\n[stop]\nrounds = 1000000\n";
  }
  // The first site has one of five rows, x = (0.3141592653589793, 0.2718281828459045) with the label 1, so that its
  // gradient at 0 is −x/2 with the weight 3/5.
  static std::vector<double> row_of_first() { return {-0.3 * 0.3141592653589793, -0.3 * 0.2718281828459045}; }

  static bool server_has_row(const std::string& network) {
    Silos silos(config(), {"a", "b", "c"}, network);
    silos.folder().write("a/own.svm", "1 1:0.3141592653589793 2:0.2718281828459045\n");
    silos.folder().write("b/own.svm", "-1 1:0.5 2:0.125\n1 1:0.7 2:0.9\n");
    silos.folder().write("c/own.svm", "-1 1:0.25 2:0.625\n1 1:0.1 2:0.6\n");
    silos.start_server();
    for (const char* site : {"a", "b", "c"}) silos.start_site(site, {"--data", "own.svm"});
    bool found = false;
    for (int look = 0; look < 5 && !found; ++look) {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      silos.send("server", SIGSTOP);
      // In fixed point a row is an integer for each entry; the unit of entries below 2^0 with three clients is 2^−60.
      std::vector<double> numbers;
      for (const double entry : row_of_first()) {
        numbers.push_back(entry);
        numbers.push_back(std::bit_cast<double>(static_cast<std::int64_t>(std::llrint(std::ldexp(entry, 60)))));
      }
      found = has_in_memory(silos.process_id("server"), numbers);
      silos.send("server", SIGCONT);
    }
    silos.interrupt("server");
    return found;
  }
};

TEST_F(ServerMemory, HasTheRowOfASiteWithoutMasks) { EXPECT_TRUE(server_has_row("")); }
TEST_F(ServerMemory, NeverHasARowUnderMasks) { EXPECT_FALSE(server_has_row("secure_sum = true\n")); }
TEST_F(ServerMemory, NeverHasARowWhereSitesMayBeLost) {
  EXPECT_FALSE(server_has_row("secure_sum = true\non_loss = \"drop\"\n"));
}

}  // namespace
}  // namespace driftless
