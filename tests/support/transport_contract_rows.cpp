// The rows that the suite sums, and what one process makes of them.
#include "driftless/core/check.hpp"
#include "driftless/federation/in_process_transport.hpp"

#include "tests/support/transport_contract.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <thread>

namespace driftless::test {
namespace {

using Entry = double (*)(ClientId, std::size_t);

// The nodes of one peer, with room for their sums.
struct Contribution {
  std::vector<std::vector<double>> sums;
  std::vector<Node> nodes;
};

// As Federation does: a lone node is formed where the total will be.
Contribution contribution(const Layout& layout, const std::vector<ClientId>& from, Entry entry,
                          std::span<double> total) {
  Contribution mine;
  TreeAdder adder;
  const std::vector<TreeRange> ranges = cover(layout.clients, from, layout.hosted);
  mine.sums.resize(ranges.size() == 1 ? 0 : ranges.size(), std::vector<double>(total.size()));
  const auto write_row = [entry](ClientId id, std::span<double> row) {
    for (std::size_t k = 0; k < row.size(); ++k) row[k] = entry(id, k);
  };
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    const std::span<double> sum = mine.sums.empty() ? total : std::span(mine.sums[k]);
    adder.add_rows(ranges[k], from, write_row, sum);
    mine.nodes.push_back({ranges[k], sum});
  }
  return mine;
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

}  // namespace

std::vector<ClientId> TransportGroup::run_without_one(std::size_t, const Peer&) {
  DRIFTLESS_ASSERT(can_drop(), "this transport does not survive the loss of a peer");
  return {};
}

std::string group_name(const testing::TestParamInfo<GroupFactory>& info) { return info.param.name; }

void run_in_threads(std::size_t peers, const std::function<void(std::size_t rank)>& peer) {
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < peers; ++rank) threads.emplace_back([&peer, rank] { peer(rank); });
  for (std::thread& thread : threads) thread.join();
}

double contract_entry(ClientId id, std::size_t index) {
  std::uint64_t h = (id + 1) * 0x9E3779B97F4A7C15ULL ^ (index + 1) * 0xC2B2AE3D27D4EB4FULL;
  h = (h ^ (h >> 29)) * 0xBF58476D1CE4E5B9ULL;
  h ^= h >> 32;
  const double size = std::bit_cast<double>((1003 + h % 40) << 52);  // 2^-20 … 2^19
  return size * (static_cast<double>(h >> 11) * 0x1p-53 - 0.5);
}

std::vector<ClientId> all_clients(std::size_t clients) {
  std::vector<ClientId> ids(clients);
  std::iota(ids.begin(), ids.end(), ClientId{0});
  return ids;
}

std::vector<double> contract_sum(Transport& transport, const std::vector<ClientId>& from, std::size_t width,
                                 Entry entry) {
  std::vector<double> total(width, -1.0);
  const Contribution mine = contribution(transport.layout(), from, entry, total);
  transport.sum(from, mine.nodes, total);
  return total;
}

void expect_in_process_bits(std::size_t clients, const std::vector<ClientId>& from, std::span<const double> total,
                            Entry entry) {
  InProcessTransport one(clients);
  const std::vector<double> expected = contract_sum(one, from, total.size(), entry);
  const auto differs = std::ranges::mismatch(total, expected, same_bits);
  EXPECT_EQ(differs.in1, total.end()) << "entry " << differs.in1 - total.begin() << " of " << total.size() << ", "
                                      << from.size() << " of " << clients << " clients";
}

}  // namespace driftless::test
