// Rows that peers share: facts about data and counts of work. The first byte chooses how labels are read, whether the
// facts of the own client come back as they were sent, and who is absent; the rest are the numbers of all rows.
#include "driftless/federation/federation.hpp"
#include "driftless/problems/data_facts.hpp"

#include "fuzz/input.hpp"

#include <algorithm>
#include <cstring>

namespace driftless::fuzz {
namespace {

constexpr std::size_t clients = 3;

// Hands out the rows of the input, whatever was sent.
class Handed final : public Transport {
 public:
  Handed(std::string_view bytes, std::vector<ClientId> hosted, bool own_as_sent, std::vector<ClientId> absent)
      : bytes_(bytes), own_as_sent_(own_as_sent) {
    layout_ = {.clients = clients, .peers = 3, .rank = hosted.size(), .hosted = std::move(hosted)};
    agreement_.absent = std::move(absent);
  }

  const Layout& layout() const override { return layout_; }
  const Agreement& agreement() const override { return agreement_; }
  void broadcast(StopSignal) override {}
  void abort(std::string_view) noexcept override {}

 private:
  void sum_as(ExchangeId, std::span<const ClientId>, std::span<const Node>, std::span<double>) override {}
  void add_integers_as(ExchangeId, std::span<const double>, std::span<double>, Integers) override {}
  void share_as(ExchangeId, std::size_t, std::span<const double> mine, std::span<double> all,
                const RowCheck&) override {
    std::memcpy(all.data(), bytes_.data(), std::min(bytes_.size(), all.size_bytes()));
    if (own_as_sent_) std::ranges::copy(mine, all.begin());
  }

  std::string_view bytes_;
  bool own_as_sent_;
  Layout layout_;
  Agreement agreement_;
};

void agree(std::string_view bytes, unsigned choice, const std::vector<ClientId>& absent) {
  Handed transport(bytes, {0}, choice / 2 % 2 == 0, absent);
  std::vector<Dataset> hosted(1);
  hosted.front().dim = 3;
  hosted.front().label.assign(5, 1.0);
  hosted.front().label_values = {-1.0, 1.0};
  LibsvmOptions options;
  options.labels = choice % 2 == 0 ? Labels::binary : Labels::real;
  if (choice / 4 % 2 == 1) options.positive_label = 1.0;
  const DataFacts facts = agree_on_facts(hosted, options, transport);
  constexpr std::size_t most_rows = std::size_t{1} << 53;
  constexpr Index largest_dim = Index{1} << 27;
  require(facts.rows >= 1 && facts.rows <= most_rows && facts.dim >= 1 && facts.dim <= largest_dim);
}

// As the server does, which hosts nobody.
void count(std::string_view bytes, const std::vector<ClientId>& absent) {
  Handed transport(bytes, {}, false, absent);
  ThreadPool pool(1);
  const ClientObjectives none;
  const Federation federation(none, 1, transport, pool, 1);
  for (const Tally& tally : federation.tallies())
    require(tally.steps < std::uint64_t{1} << 53 && tally.gradients < std::uint64_t{1} << 53);
}

}  // namespace
}  // namespace driftless::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace driftless;
  if (size == 0) return 0;
  const unsigned choice = data[0];
  std::vector<ClientId> absent;
  for (ClientId id = 0; id < fuzz::clients; ++id)
    if ((choice >> (3 + id)) % 2 == 1) absent.push_back(id);
  const std::string_view rest = fuzz::text_of(data, size).substr(1);
  fuzz::may_throw<Error>([&] { fuzz::agree(rest, choice, absent); });
  fuzz::may_throw<Error>([&] { fuzz::count(rest, absent); });
  return 0;
}
