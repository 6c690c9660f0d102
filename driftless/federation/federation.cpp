#include "driftless/federation/federation.hpp"

#include "driftless/core/check.hpp"

#include <algorithm>

namespace driftless {
namespace {

// Marks the time in which bodies run, also when one of them throws.
class BodyScope {
 public:
  explicit BodyScope(bool& flag) : flag_(flag) {
    DRIFTLESS_ASSERT(!flag_, "a collective or a shared draw inside a client body: other peers would not make it");
    flag_ = true;
  }
  ~BodyScope() { flag_ = false; }
  BodyScope(const BodyScope&) = delete;
  BodyScope& operator=(const BodyScope&) = delete;

 private:
  bool& flag_;
};

}  // namespace

Federation::Federation(const ClientObjectives& hosted, Transport& transport, ThreadPool& pool, std::uint64_t seed,
                       std::unique_ptr<Chance> chance)
    : transport_(transport),
      pool_(pool),
      everyone_(Cohort::everyone(transport.layout().clients)),
      nobody_(Cohort::of({}, transport.layout().clients)),
      chance_(std::move(chance)) {
  const std::vector<ClientId>& ids = transport.layout().hosted;
  DRIFTLESS_ASSERT(hosted.size() == ids.size(), "the transport's layout and the objectives at hand disagree");
  DRIFTLESS_ASSERT(!hosted.empty(), "a peer without clients cannot know the dimension");
  dim_ = hosted.front()->dim();
  for (std::size_t slot = 0; slot < ids.size(); ++slot) {
    DRIFTLESS_ASSERT(hosted[slot]->dim() == dim_, "clients of different dimension");
    slots_.push_back({ids[slot], hosted[slot].get(), BatchSampler(seed, ids[slot])});
  }
  tallies_.resize(slots_.size());
  workspaces_.assign(pool.size(), Workspace(dim_));
  adders_.resize(pool.size());
}

Client Federation::client(std::size_t slot, std::size_t worker) {
  Slot& s = slots_[slot];
  return {s.id, slot, *s.objective, SolveContext{workspaces_[worker], s.batches}, tallies_[slot]};
}

std::size_t Federation::slot_of(ClientId id) const {
  const std::vector<ClientId>& ids = transport_.layout().hosted;
  return static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
}

void Federation::run_bodies(const Cohort& cohort, const std::function<void(Client&)>& body) {
  const BodyScope scope(in_body_);
  pool_.for_each(slots_.size(), [&](std::size_t slot, std::size_t worker) {
    if (!cohort.contains(slots_[slot].id)) return;
    Client i = client(slot, worker);
    body(i);
  });
}

void Federation::sum(const Cohort& from, const RowBody& body, std::span<double> total) {
  const std::vector<TreeRange> mine = cover(clients(), from.ids(), transport_.layout().hosted);
  // Some blocks more than workers, so that a slow client does not hold up the rest; the tree makes the bits independent
  // of it.
  const std::size_t grain = std::max<std::size_t>(1, from.size() / (8 * pool_.size()));
  const std::vector<TreeRange> blocks = subdivide(mine, from.ids(), grain);
  block_sums_.resize(std::max(block_sums_.size(), blocks.size() * total.size()));
  const auto row_of = [&](std::size_t b) { return std::span(block_sums_).subspan(b * total.size(), total.size()); };
  {
    const BodyScope scope(in_body_);
    pool_.for_each(blocks.size(), [&](std::size_t block, std::size_t worker) {
      const auto leaf = [&](ClientId id, std::span<double> row) {
        Client i = client(slot_of(id), worker);
        body(i, row);
      };
      adders_[worker].add_rows(blocks[block], from.ids(), leaf, row_of(block));
    });
  }
  std::vector<Node> nodes(blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) nodes[b] = {blocks[b], row_of(b)};
  transport_.sum(next_exchange_++, nodes, total);
}

void Federation::gather(const Cohort& from, const RowBody& body, Vector& result) {
  DRIFTLESS_ASSERT(from.size() > 0, "an exchange to which nobody contributes");
  sum(from, body, {result.data(), static_cast<std::size_t>(result.size())});
  result /= static_cast<double>(from.size());
}

void Federation::exchange(const Parties& parties, const Freight& freight, const RowBody& body, Vector& result) {
  gather(parties.from, body, result);
  ++ledger_.exchanges;
  ledger_.vectors_up += freight.vectors * parties.from.size();
  ledger_.bytes_up += freight.vectors * parties.from.size() * sizeof(double) * static_cast<std::uint64_t>(dim_);
  ledger_.scalars_up += freight.scalars * parties.from.size();
  count_down(parties.to, {.vectors = freight.vectors + parties.along, .scalars = freight.scalars});
}

void Federation::count_down(const Cohort& to, const Freight& freight) {
  ledger_.vectors_down += freight.vectors * to.size();
  ledger_.bytes_down += freight.vectors * to.size() * sizeof(double) * static_cast<std::uint64_t>(dim_);
  ledger_.scalars_down += freight.scalars * to.size();
}

Measurement Federation::measure(const Vector& x) {
  Vector total(dim_ + 1);
  sum(everyone_,
      [&](Client& i, std::span<double> row) {
        row.back() = slots_[i.slot()].objective->value_gradient(x, as_vector(row, 0));
      },
      {total.data(), static_cast<std::size_t>(total.size())});
  total /= static_cast<double>(clients());
  return {total[dim_], total.head(dim_)};
}

bool Federation::coin(double p) {
  DRIFTLESS_ASSERT(!in_body_, "a shared draw inside a client body");
  return chance_->coin(p);
}

std::size_t Federation::geometric(double p) {
  std::size_t draws = 1;
  while (!coin(p)) ++draws;
  return draws;
}

Cohort Federation::sample(std::size_t size) {
  DRIFTLESS_ASSERT(!in_body_, "a shared draw inside a client body");
  return size == 0 || size >= clients() ? everyone_ : chance_->cohort(size, clients());
}

Cohort Federation::any_client() {
  DRIFTLESS_ASSERT(!in_body_, "a shared draw inside a client body");
  return Cohort::of({chance_->client(clients())}, clients());
}

bool Federation::keep(double p) { return chance_->keep(p); }

Cohort Federation::output_client() { return Cohort::of({chance_->output_client(clients())}, clients()); }

Tally Federation::busiest() const {
  Tally most;
  for (const Tally& t : tallies_) {
    most.steps = std::max(most.steps, t.steps);
    most.gradients = std::max(most.gradients, t.gradients);
    for (std::size_t e = 0; e < t.ends.size(); ++e) most.ends[e] = std::max(most.ends[e], t.ends[e]);
  }
  return most;
}

void Federation::begin_round() {
  ++ledger_.rounds;
  chance_->enter_round(ledger_.rounds);
}

}  // namespace driftless
