// The statements of docs/federation.md under "What the server sees" about the journal and the messages of sites.
#include "driftless/federation/tree_sum.hpp"
#include "driftless/network/hub/journal.hpp"

#include "tests/network/silos.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <sstream>

namespace driftless {
namespace {

constexpr std::size_t clients = 4;
constexpr std::size_t dim = 50;

std::string config(const std::string& method) {
  return "seed = 5\n[problem]\nkind = \"quadratic\"\ndim = 50\nsamples = 2\nreference = \"none\"\n"
         "[federation]\nclients = 4\nthreads = 1\n[[method]]\n" +
         method + "[stop]\nrounds = 3\n";
}

// The sizes of the totals that the server keeps after a run.
std::vector<std::size_t> kept_after(const std::string& method) {
  Silos silos(config(method), {"north", "south"});
  silos.start_all();
  for (const std::string& who : silos.peers()) {
    const ProgramResult result = silos.wait(who);
    EXPECT_EQ(result.exit_code, 0) << who << "\n" << result.err;
  }
  JournalOwner owner;
  std::istringstream(TempFolder::read(silos.home("server") / "run/run-id")) >> owner.run >> owner.configuration_digest;
  const Journal journal(silos.home("server") / "run/journal", {.owner = owner});
  std::vector<std::size_t> sizes;
  for (ExchangeId id = 0; id < journal.next(); ++id) sizes.push_back(journal.read(id).values.size());
  return sizes;
}

TEST(ServerView, TheJournalOfAMethodWithAServerHoldsTotalsAndFactsOnly) {
  const std::vector<std::size_t> sizes = kept_after("name = \"gd\"\nstep = 0.01\n");
  ASSERT_FALSE(sizes.empty());
  for (const std::size_t size : sizes) EXPECT_LE(size, dim + 1);  // a vector and a value; facts are shorter
  EXPECT_GT(std::ranges::count(sizes, dim), 0);
}

TEST(ServerView, TheJournalOfAGraphMethodHoldsEveryVectorOfEveryClient) {
  const std::vector<std::size_t> sizes = kept_after("name = \"sonata-graph\"\nlambda = 5\ngraph = \"ring\"\n");
  EXPECT_GT(std::ranges::count(sizes, clients * dim), 0);
}

TEST(ServerView, ASiteWithOneClientSendsItsVectorAndOthersSendSums) {
  std::vector<ClientId> everyone(8);
  std::iota(everyone.begin(), everyone.end(), ClientId{0});
  const auto sent = [&](const std::vector<ClientId>& from, const std::vector<ClientId>& hosted) {
    std::vector<std::size_t> sizes;
    for (const TreeRange& node : cover(8, from, hosted)) sizes.push_back(node.size());
    return sizes;
  };
  EXPECT_EQ(sent(everyone, {3}), (std::vector<std::size_t>{1}));
  EXPECT_EQ(sent(everyone, {0, 1, 2, 3}), (std::vector<std::size_t>{4})) << "one sum over all its clients";
  EXPECT_EQ(sent(everyone, {1, 2, 3}), (std::vector<std::size_t>{1, 2})) << "a node of the tree each";
}

}  // namespace
}  // namespace driftless
