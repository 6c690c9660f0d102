// Sums of integers, and the facts that peers find with them: maxima and unions.
#include "driftless/federation/shared_facts.hpp"

#include "tests/support/transport_contract.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace driftless::test {
namespace {

// The rank of the peer that hosts each client.
std::vector<double> hosts_of(Transport& transport) {
  const Layout& layout = transport.layout();
  const std::vector<double> mine(layout.hosted.size(), static_cast<double>(layout.rank));
  std::vector<double> hosts(layout.clients, -1.0);
  transport.share(1, mine, hosts);
  return hosts;
}

// Integers that need all 64 bits, so that sums wrap around; the bits of some are those of no number.
std::uint64_t contract_integer(std::size_t rank, std::size_t index) {
  return 0x9e3779b97f4a7c15U * (rank + 1) * (2 * index + 1);
}

TEST_P(TransportContract, IntegersOfAllPeersAreAddedModulo2ToThe64) {
  GetParam().make()->run(9, [](Transport& transport) {
    const Layout& layout = transport.layout();
    const bool has_clients = !layout.hosted.empty();
    const std::vector<double> hosts = hosts_of(transport);
    for (const std::size_t width : {1U, 700U, 30'000U}) {
      std::vector<double> mine(width), total(width);
      for (std::size_t k = 0; k < width; ++k)
        mine[k] = std::bit_cast<double>(has_clients ? contract_integer(layout.rank, k) : std::uint64_t{0});
      transport.add_integers(mine, total);
      std::size_t wrong = 0;
      for (std::size_t k = 0; k < width; ++k) {
        std::uint64_t expected = 0;
        for (std::size_t rank = 0; rank < layout.peers; ++rank)
          if (std::ranges::count(hosts, static_cast<double>(rank)) > 0) expected += contract_integer(rank, k);
        wrong += std::bit_cast<std::uint64_t>(total[k]) == expected ? 0 : 1;
      }
      EXPECT_EQ(wrong, 0U) << width;
    }
  });
}

TEST_P(TransportContract, FlagsTellWhetherAnyPeerHasSetThem) {
  GetParam().make()->run(9, [](Transport& transport) {
    const bool first = std::ranges::binary_search(transport.layout().hosted, ClientId{0});
    const std::vector<double> mine{std::bit_cast<double>(std::uint64_t{first ? 1U : 0U}),
                                   std::bit_cast<double>(std::uint64_t{transport.layout().hosted.empty() ? 0U : 1U}), 0.0};
    std::vector<double> total(3);
    transport.add_integers(mine, total, Integers::flags);
    EXPECT_NE(std::bit_cast<std::uint64_t>(total[0]), 0U);
    EXPECT_NE(std::bit_cast<std::uint64_t>(total[1]), 0U);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(total[2]), 0U);
  });
}

TEST_P(TransportContract, TheMaximumOfAllPeersHasAnySizeAndMayBelongToAny) {
  GetParam().make()->run(9, [](Transport& transport) {
    std::vector<std::uint64_t> mine(4, 0);
    for (const ClientId id : transport.layout().hosted) {
      mine[0] = std::max<std::uint64_t>(mine[0], 10 * id);
      mine[1] = std::max<std::uint64_t>(mine[1], (std::uint64_t{1} << 52) + (id == 4 ? 1 : 0));
      mine[2] = std::max<std::uint64_t>(mine[2], id == 7 ? 0x1'00ff : 0x1'0100 - 2);  // equal in two of three bytes
    }
    EXPECT_EQ(shared_maximum(mine, std::uint64_t{1} << 53, transport),
              (std::vector<std::uint64_t>{80, (std::uint64_t{1} << 52) + 1, 0x1'00ff, 0}));
    EXPECT_EQ(shared_maximum(std::vector<std::uint64_t>{mine[0]}, 81, transport), (std::vector<std::uint64_t>{80}));
    EXPECT_EQ(shared_maximum(std::vector<std::uint64_t>{0}, std::uint64_t{1} << 53, transport),
              (std::vector<std::uint64_t>{0}));
  });
}

TEST_P(TransportContract, TheLargestNumberOfAllPeersMayBeNegativeOrMissing) {
  constexpr double none = -std::numeric_limits<double>::infinity();
  GetParam().make()->run(9, [](Transport& transport) {
    std::vector<double> mine(3, none);
    for (const ClientId id : transport.layout().hosted) {
      mine[0] = std::max(mine[0], -1.5 - static_cast<double>(id));
      mine[1] = std::max(mine[1], id == 5 ? 1e-300 : -1e300);
    }
    EXPECT_EQ(shared_largest(mine, transport), (std::vector<double>{-1.5, 1e-300, none}));
  });
}

TEST_P(TransportContract, TheUnionOfTextsHasEachTextOfAnyPeerOnce) {
  GetParam().make()->run(9, [](Transport& transport) {
    std::vector<std::set<std::string>> mine(3);
    for (const ClientId id : transport.layout().hosted) {
      mine[0].insert({"all", "client " + std::to_string(id), id % 2 == 0 ? "a" : "ab"});
      if (id == 3) mine[1].insert({"", "\xff\xfe"});
    }
    std::set<std::string> expected{"all", "a", "ab"};
    for (ClientId id = 0; id < 9; ++id) expected.insert("client " + std::to_string(id));
    const std::vector<std::set<std::string>> found = shared_union(mine, transport);
    EXPECT_EQ(found[0], expected);
    EXPECT_EQ(found[1], (std::set<std::string>{"", "\xff\xfe"}));
    EXPECT_TRUE(found[2].empty());
  });
}

}  // namespace
}  // namespace driftless::test
