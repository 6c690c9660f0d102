#include "driftless/tables/shared_texts.hpp"

#include "driftless/core/error.hpp"
#include "driftless/federation/in_process_transport.hpp"

#include <algorithm>
#include <gmock/gmock.h>

namespace driftless {
namespace {

TEST(SharedTexts, ReachAllPeersAsTheyAre) {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes.push_back(static_cast<char>(byte));
  const std::vector<TextLists> mine{{{"a", ""}, {}}, {{}, {bytes, "ünï", std::string(1000, 'x')}}, {{}, {}}};
  InProcessTransport transport(3);
  EXPECT_EQ(share_texts(mine, 2, transport), mine);
}

// Replaces the numbers that a client shares.
class Tampering final : public Transport {
 public:
  explicit Tampering(std::vector<std::vector<double>> shared) : shared_(std::move(shared)) {}
  const Layout& layout() const override { return layout_; }
  const Agreement& agreement() const override { return agreement_; }
  void broadcast(StopSignal) override {}
  void abort(std::string_view) noexcept override {}

 protected:
  void sum_as(ExchangeId, std::span<const ClientId>, std::span<const Node>, std::span<double>) override {}
  void add_integers_as(ExchangeId, std::span<const double>, std::span<double>, Integers) override {}
  void share_as(ExchangeId id, std::size_t width, std::span<const double>, std::span<double> all,
                const RowCheck&) override {
    std::ranges::fill(all, 0.0);
    std::copy_n(shared_[id].begin(), std::min(shared_[id].size(), width), all.begin());
  }

 private:
  Layout layout_{.clients = 1, .peers = 2, .rank = 0, .hosted = {}};
  Agreement agreement_;
  std::vector<std::vector<double>> shared_;
};

class MalformedTexts : public testing::TestWithParam<std::vector<std::vector<double>>> {};

TEST_P(MalformedTexts, AreRejectedWithTheirClient) {
  Tampering transport(GetParam());
  try {
    share_texts({}, 1, transport);
    FAIL() << "accepted";
  } catch (const TransportError& error) { EXPECT_THAT(error.what(), testing::HasSubstr("client 0")); }
}

INSTANTIATE_TEST_SUITE_P(Table, MalformedTexts,
                         testing::Values(std::vector<std::vector<double>>{{-1.0}, {}},        // a negative size
                                         std::vector<std::vector<double>>{{1e12}, {}},        // more than is allowed
                                         std::vector<std::vector<double>>{{0.5}, {}},         // half a byte
                                         std::vector<std::vector<double>>{{4.0}, {1e300}},    // no integer of 48 bits
                                         std::vector<std::vector<double>>{{4.0}, {5.0}},      // five texts, none there
                                         std::vector<std::vector<double>>{{3.0}, {0.0}},      // no room for the count
                                         std::vector<std::vector<double>>{{6.0}, {0.0}},      // bytes behind the lists
                                         std::vector<std::vector<double>>{{8.0}, {1.0, 9.0}}  // a text beyond the end
                                         ));

}  // namespace
}  // namespace driftless
