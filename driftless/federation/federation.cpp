#include "driftless/federation/federation.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/product_blocks.hpp"
#include "driftless/core/text.hpp"
#include "driftless/federation/shared_facts.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

namespace driftless {
namespace {

// Marks the time in which bodies run, also when one of them throws.
class BodyScope {
 public:
  explicit BodyScope(bool& flag) : flag_(flag) { flag_ = true; }
  ~BodyScope() { flag_ = false; }
  BodyScope(const BodyScope&) = delete;
  BodyScope& operator=(const BodyScope&) = delete;

 private:
  bool& flag_;
};

Index dim_of(const ClientObjectives& hosted) {
  DRIFTLESS_ASSERT(!hosted.empty(), "a peer without clients must be told the dimension");
  return hosted.front()->dim();
}

std::string list_of_lost(std::span<const ClientId> absent) {
  std::string text = "lost:";
  for (const ClientId id : absent) text += " client " + std::to_string(id);
  return text;
}

// A tally as numbers, to be sent.
constexpr std::size_t tally_width = 2 + std::tuple_size_v<decltype(Tally::ends)>;

constexpr std::uint64_t most_count = std::uint64_t{1} << 53;  // doubles hold all whole numbers below it

std::vector<std::uint64_t> counts_of(const Tally& tally) {
  std::vector<std::uint64_t> counts{tally.steps, tally.gradients};
  counts.insert(counts.end(), tally.ends.begin(), tally.ends.end());
  return counts;
}

Tally tally_of(std::span<const std::uint64_t> counts) {
  Tally tally{.steps = counts[0], .gradients = counts[1]};
  std::ranges::copy(counts.subspan(2), tally.ends.begin());
  return tally;
}

std::optional<std::string> fault_of_tally(std::span<const double> row) {
  for (const double count : row)
    if (!(count >= 0.0 && count < static_cast<double>(most_count) && count == std::floor(count)))
      return "a count of steps is " + number(count);
  return std::nullopt;
}

Tally most_of(std::span<const Tally> tallies) {
  Tally most;
  for (const Tally& t : tallies) {
    most.steps = std::max(most.steps, t.steps);
    most.gradients = std::max(most.gradients, t.gradients);
    for (std::size_t e = 0; e < t.ends.size(); ++e) most.ends[e] = std::max(most.ends[e], t.ends[e]);
  }
  return most;
}

}  // namespace

Federation::Federation(const ClientObjectives& hosted, Transport& transport, ThreadPool& pool, std::uint64_t seed,
                       StopToken stop_token, std::unique_ptr<Chance> chance)
    : Federation(hosted, dim_of(hosted), transport, pool, seed, std::move(stop_token), std::move(chance)) {}

Federation::Federation(const ClientObjectives& hosted, Index dim, Transport& transport, ThreadPool& pool,
                       std::uint64_t seed, StopToken stop_token, std::unique_ptr<Chance> chance)
    : seed_(seed),
      transport_(transport),
      pool_(pool),
      stop_token_(std::move(stop_token)),
      everyone_(Cohort::everyone(transport.layout().clients)),
      nobody_(Cohort::of({}, transport.layout().clients)),
      dim_(dim),
      chance_(chance ? std::move(chance) : std::make_unique<SeededChance>(seed)) {
  fix_product_blocks();
  const std::vector<ClientId>& ids = transport.layout().hosted;
  DRIFTLESS_ASSERT(hosted.size() == ids.size(), "the transport's layout and the hosted objectives disagree");
  leave_out_absent();
  for (std::size_t slot = 0; slot < ids.size(); ++slot) {
    DRIFTLESS_ASSERT(hosted[slot]->dim() == dim_, "clients of different dimension");
    slots_.push_back(
        {ids[slot], hosted[slot].get(), BatchSampler(seed, ids[slot]), Stream(seed, Purpose::client_noise, ids[slot])});
  }
  for (const auto& objective : hosted) objective->remember(Vector());
  tallies_.resize(slots_.size());
  workspaces_.assign(pool.size(), Workspace(dim_));
  adders_.resize(pool.size());
}

Client Federation::client(std::size_t slot, std::size_t worker) {
  Slot& s = slots_[slot];
  return {s.id,     slot,           *s.objective, SolveContext{workspaces_[worker], s.batches},
          s.chance, tallies_[slot], guard_,       pull_ ? &*pull_ : nullptr};
}

std::size_t Federation::slot_of(ClientId id) const {
  const std::vector<ClientId>& ids = transport_.layout().hosted;
  return static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
}

void Federation::reject_in_body() const {
  DRIFTLESS_ASSERT(!in_body_, "a collective or a shared draw inside a client body: other peers would not make it");
}

template <class Work>
void Federation::unless_abandoned(const Work& work) {
  if (guard_.abandoned()) return;
  try {
    work();
  } catch (const RoundAbandoned&) {
    if (transport_.layout().peers == 1) throw;
  }
}

void Federation::run_bodies(const Cohort& cohort, const std::function<void(Client&)>& body) {
  reject_in_body();
  unless_abandoned([&] {
    const BodyScope scope(in_body_);
    pool_.for_each(slots_.size(), [&](std::size_t slot, std::size_t worker) {
      if (!cohort.contains(slots_[slot].id)) return;
      Client i = client(slot, worker);
      body(i);
    });
  });
}

Blocks Federation::blocks_of(const RowShape& shape) const {
  Blocks blocks(shape.vectors, static_cast<std::size_t>(dim_));
  blocks.insert(blocks.end(), shape.matrices, static_cast<std::size_t>(triangle_size(dim_)));
  blocks.insert(blocks.end(), shape.scalars, 1);
  return blocks;
}

double Federation::sum(const Cohort& from, const Blocks& blocks, const RowBody& body, std::span<double> total) {
  reject_in_body();  // before anything that the bodies share is touched
  transport_.require_hidden(from.ids());
  if (transport_.summation() == Summation::fixed) sum_as_integers(from, blocks, body, total);
  else sum_in_tree(from, body, total);
  require_present(from);
  return static_cast<double>(present(from));
}

void Federation::require_present(const Cohort& cohort) const {
  if (present(cohort) > 0) return;
  throw TransportError({.what = "all clients that an exchange needs are lost",
                        .seen = list_of_lost(transport_.agreement().absent),
                        .advice = "start the run again, with more clients in every exchange or on_loss = \"abort\""});
}

void Federation::sum_in_tree(const Cohort& from, const RowBody& body, std::span<double> total) {
  const std::vector<TreeRange> mine = cover(clients(), from.ids(), transport_.layout().hosted);
  // More blocks than workers, so that a slow client does not delay the others; the tree makes the bits independent of
  // the number of blocks.
  const std::size_t grain = std::max<std::size_t>(1, from.size() / (8 * pool_.size()));
  const std::vector<TreeRange> blocks = subdivide(mine, from.ids(), grain);
  const std::size_t stride = row_stride(total.size());
  block_sums_.resize(std::max(block_sums_.size(), blocks.size() * stride));
  const auto row_of = [&](std::size_t b) { return std::span(block_sums_).subspan(b * stride, total.size()); };
  unless_abandoned([&] {
    const BodyScope scope(in_body_);
    pool_.for_each(blocks.size(), [&](std::size_t block, std::size_t worker) {
      const auto leaf = [&](ClientId id, std::span<double> row) {
        Client i = client(slot_of(id), worker);
        body(i, row);
      };
      adders_[worker].add_rows(blocks[block], from.ids(), leaf, row_of(block));
    });
  });
  std::vector<Node> nodes(blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) nodes[b] = {blocks[b], row_of(b)};
  transport_.sum(from.ids(), merged(mine, nodes, total), total);
}

// The scale of a block depends on the rows of all clients, so the rows of those hosted here are kept until it is known:
// every client is rounded by itself, whichever peer hosts it.
void Federation::sum_as_integers(const Cohort& from, const Blocks& blocks, const RowBody& body,
                                 std::span<double> total) {
  std::vector<ClientId> mine;
  for (const Slot& s : slots_)
    if (from.contains(s.id)) mine.push_back(s.id);
  const std::size_t stride = row_stride(total.size());
  client_rows_.resize(std::max(client_rows_.size(), mine.size() * stride));
  const auto row_of = [&](std::size_t k) { return std::span(client_rows_).subspan(k * stride, total.size()); };
  unless_abandoned([&] {
    const BodyScope scope(in_body_);
    pool_.for_each(mine.size(), [&](std::size_t k, std::size_t worker) {
      Client i = client(slot_of(mine[k]), worker);
      body(i, row_of(k));
    });
  });
  std::vector<std::span<const double>> rows;
  for (std::size_t k = 0; k < mine.size(); ++k) rows.push_back(row_of(k));
  sum_by_integers(rows, blocks, total, transport_);
}

std::size_t Federation::present(const Cohort& cohort) const {
  const std::vector<ClientId>& absent = transport_.agreement().absent;
  return cohort.size() -
         static_cast<std::size_t>(std::ranges::count_if(absent, [&](ClientId id) { return cohort.contains(id); }));
}

// Long rows are added chunk by chunk: a chunk stays in the cache through all additions, and the workers divide the
// chunks among themselves. The order of additions to one entry is still that of the tree.
void Federation::for_each_piece(std::size_t width,
                                const std::function<void(std::size_t, std::size_t, std::size_t)>& body) {
  constexpr std::size_t piece = 4096;
  constexpr std::size_t worth_sharing = std::size_t{1} << 18;
  const auto one = [&](std::size_t k, std::size_t worker) {
    body(k * piece, std::min(piece, width - k * piece), worker);
  };
  const std::size_t pieces = (width + piece - 1) / piece;
  if (width >= worth_sharing) return pool_.for_each(pieces, one);
  for (std::size_t k = 0; k < pieces; ++k) one(k, 0);
}

// Merges the sums of blocks into those of `ranges`, which contain them; a single range is summed in `total` itself.
std::vector<Node> Federation::merged(std::span<const TreeRange> ranges, std::span<const Node> blocks,
                                     std::span<double> total) {
  const bool lone = ranges.size() == 1;
  if (!lone) merged_sums_.resize(std::max(merged_sums_.size(), ranges.size() * total.size()));
  std::vector<Node> result;
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    const std::span<double> sum = lone ? total : std::span(merged_sums_).subspan(k * total.size(), total.size());
    const auto count = static_cast<std::size_t>(
        std::ranges::count_if(blocks, [&](const Node& node) { return node.clients.last <= ranges[k].last; }));
    const std::span<const Node> inside = blocks.first(count);
    for_each_piece(total.size(), [&](std::size_t from, std::size_t size, std::size_t worker) {
      std::vector<Node> parts(inside.begin(), inside.end());
      for (Node& part : parts) part.sum = part.sum.subspan(from, size);
      adders_[worker].add_nodes(ranges[k], parts, sum.subspan(from, size));
    });
    blocks = blocks.subspan(count);
    result.push_back({ranges[k], sum});
  }
  return result;
}

void Federation::gather(const Cohort& from, const Blocks& blocks, const RowBody& body, Vector& result) {
  DRIFTLESS_ASSERT(from.size() > 0, "an exchange to which nobody contributes");
  const auto width = static_cast<std::size_t>(result.size());
  const double took_part = sum(from, blocks, body, {result.data(), width});
  for_each_piece(width, [&](std::size_t first, std::size_t size, std::size_t) {
    result.segment(static_cast<Index>(first), static_cast<Index>(size)) /= took_part;
  });
}

// A row is sent as it is, and computed at the same alignment as a row of a sum, so the bits do not depend on who hosts
// which client.
void Federation::gather_robust(const Cohort& from, const RowBody& body, Vector& result) {
  DRIFTLESS_ASSERT(from.size() > 0, "an exchange to which nobody contributes");
  const auto width = static_cast<std::size_t>(result.size());
  const std::size_t stride = row_stride(width);
  block_sums_.resize(std::max(block_sums_.size(), slots_.size() * stride));
  const auto row_of = [&](std::size_t slot) { return std::span(block_sums_).subspan(slot * stride, width); };
  mine_.assign(slots_.size() * width, 0.0);
  all_.resize(clients() * width);
  run_bodies(from, [&](Client& i) {
    body(i, row_of(i.slot()));
    std::ranges::copy(row_of(i.slot()), mine_.begin() + static_cast<std::ptrdiff_t>(i.slot() * width));
  });
  transport_.share(width, mine_, all_);
  require_present(from);
  aggregate(rule_, rows_present(from, width), result);
}

RowSpans Federation::rows_present(const Cohort& from, std::size_t width) const {
  RowSpans rows;
  for (const ClientId id : from.ids())
    if (!std::ranges::binary_search(transport_.agreement().absent, id))
      rows.push_back(std::span(all_).subspan(id * width, width));
  return rows;
}

void Federation::exchange(const Parties& parties, const RowShape& row, const RowBody& body, Vector& result) {
  exchange_rows(parties, row, {.vectors = row.vectors + parties.along, .scalars = row.scalars}, body, result);
}

void Federation::exchange_rows(const Parties& parties, const RowShape& up, const RowShape& down, const RowBody& body,
                               Vector& result) {
  if (rule_.is_mean()) gather(parties.from, blocks_of(up), body, result);
  else gather_robust(parties.from, body, result);
  ++ledger_.exchanges;
  ledger_.vectors_up += vectors_of(up) * parties.from.size();
  ledger_.bytes_up += parties.bytes_up.value_or(bytes_of(up) * parties.from.size());
  ledger_.scalars_up += up.scalars * parties.from.size();
  count_down(parties.to, down, parties.bytes_down);
}

void Federation::count_down(const Cohort& to, const RowShape& row, std::optional<std::uint64_t> bytes) {
  ledger_.vectors_down += vectors_of(row) * to.size();
  ledger_.bytes_down += bytes.value_or(bytes_of(row) * to.size());
  ledger_.scalars_down += row.scalars * to.size();
}

void Federation::mix(const MixingWeights& W, PerClient<Vector>& v) {
  reject_in_body();
  DRIFTLESS_ASSERT(W.clients() == clients(), "mixing weights for another number of clients");
  const auto d = static_cast<std::size_t>(dim_);
  mine_.resize(slots_.size() * d);
  all_.resize(clients() * d);
  for (std::size_t slot = 0; slot < slots_.size(); ++slot)
    std::copy_n(v.hosted()[slot].data(), d, mine_.begin() + static_cast<std::ptrdiff_t>(slot * d));
  transport_.share(d, mine_, all_);
  if (!transport_.agreement().absent.empty())
    throw TransportError({.what = "a method on a graph cannot continue without a client",
                          .seen = list_of_lost(transport_.agreement().absent),
                          .advice = "use on_loss = \"abort\" and start the lost site again"});
  for_each_client([&](Client& i) {
    v[i].setZero();
    for (const auto& [j, w] : W.row(i.id())) v[i] += w * Eigen::Map<const Vector>(all_.data() + j * d, dim_);
  });
  ++ledger_.exchanges;
  ledger_.vectors_up += W.messages();
  ledger_.bytes_up += W.messages() * vector_bytes();
}

Vector Federation::observe(const PerClient<Vector>& v) {
  Vector mean(dim_);
  gather(
      everyone_, blocks_of({.vectors = 1}), [&](Client& i, std::span<double> row) { as_vector(row, 0) = v[i]; }, mean);
  return mean;
}

Measurement Federation::measure(const Vector& x) {
  Vector total(dim_ + 1);
  const double took_part = sum(everyone_, blocks_of({.vectors = 1, .scalars = 1}),
                               [&](Client& i, std::span<double> row) {
                                 row.back() = slots_[i.slot()].objective->value_gradient(x, as_vector(row, 0));
                               },
                               {total.data(), static_cast<std::size_t>(total.size())});
  total /= took_part;
  return {total[dim_], total.head(dim_)};
}

Vector Federation::statistics(const Vector& x, Index size) {
  Vector mean(size);
  if (mean.size() > 0)
    gather(
        everyone_, {static_cast<std::size_t>(size)},
        [&](Client& i, std::span<double> row) {
          slots_[i.slot()].objective->statistics(x, Eigen::Map<Vector>(row.data(), mean.size()));
        },
        mean);
  return mean;
}

bool Federation::coin(double p) {
  reject_in_body();
  return chance_->coin(p);
}

std::size_t Federation::geometric(double p) {
  std::size_t draws = 1;
  constexpr std::size_t between_checks = 4096;
  while (!guard_.abandoned() && !coin(p))
    if (++draws % between_checks == 0)
      unless_abandoned([&] { guard_.check(busiest_here().gradients + draws); });  // each is a local step
  return draws;
}

Cohort Federation::sample(std::size_t size) {
  reject_in_body();
  return size == 0 || size >= clients() ? everyone_ : still_here(chance_->cohort(size, clients()));
}

Cohort Federation::any_client() {
  reject_in_body();
  return still_here(Cohort::of({chance_->client(clients())}, clients()));
}

Cohort Federation::any_client(std::span<const double> weights) {
  reject_in_body();
  return still_here(Cohort::of({chance_->client_by(weights)}, clients()));
}

Cohort Federation::one_client(ClientId id) {
  reject_in_body();
  return still_here(Cohort::of({id}, clients()));
}

std::vector<std::size_t> Federation::order(std::size_t count) {
  reject_in_body();
  return chance_->order(count);
}

bool Federation::keep(double p) { return chance_->keep(p); }

Cohort Federation::output_client() { return still_here(Cohort::of({chance_->output_client(clients())}, clients())); }

// A draw includes dropped clients, so that the draws for the others do not change. Where it has dropped clients only,
// it is replaced by all clients.
Cohort Federation::still_here(Cohort drawn) const {
  if (everyone_.is_everyone()) return drawn;
  std::vector<ClientId> here;
  for (const ClientId id : drawn.ids())
    if (everyone_.contains(id)) here.push_back(id);
  return here.empty() ? everyone_ : Cohort::of(std::move(here), clients());
}

void Federation::leave_out_absent() {
  const std::vector<ClientId>& absent = transport_.agreement().absent;
  if (everyone_.size() + absent.size() == clients()) return;
  std::vector<ClientId> here;
  for (ClientId id = 0; id < clients(); ++id)
    if (!std::ranges::binary_search(absent, id)) here.push_back(id);
  everyone_ = Cohort::of(std::move(here), clients());
}

Tally Federation::busiest_here() const { return most_of(tallies_); }

// Where rows are integers, nothing is sent that tells one client from another.
Tally Federation::busiest() const {
  if (transport_.summation() == Summation::tree) return most_of(tallies());
  reject_in_body();
  if (transport_.layout().peers == 1) return busiest_here();
  return tally_of(shared_maximum(counts_of(busiest_here()), most_count, transport_));
}

Tally Federation::work_of_all() const {
  reject_in_body();
  const bool as_integers = transport_.summation() == Summation::fixed && transport_.layout().peers > 1;
  std::vector<std::uint64_t> sums(tally_width, 0);
  for (const Tally& tally : as_integers ? tallies_ : tallies()) {
    const std::vector<std::uint64_t> counts = counts_of(tally);
    std::ranges::transform(sums, counts, sums.begin(), std::plus<>());
  }
  return tally_of(as_integers ? shared_sum(sums, transport_) : sums);
}

std::vector<Tally> Federation::tallies() const {
  reject_in_body();
  if (transport_.layout().peers == 1) return tallies_;
  std::vector<double> mine(tallies_.size() * tally_width);
  for (std::size_t slot = 0; slot < tallies_.size(); ++slot)
    std::ranges::transform(counts_of(tallies_[slot]), &mine[slot * tally_width],
                           [](std::uint64_t count) { return static_cast<double>(count); });
  std::vector<double> all(clients() * tally_width);
  transport_.share(tally_width, mine, all, fault_of_tally);
  std::vector<Tally> result;
  for (std::size_t id = 0; id < clients(); ++id) {
    std::vector<std::uint64_t> counts;
    for (std::size_t k = 0; k < tally_width; ++k)
      counts.push_back(static_cast<std::uint64_t>(all[id * tally_width + k]));
    result.push_back(tally_of(counts));
  }
  return result;
}

void Federation::begin_round() {
  ++ledger_.rounds;
  leave_out_absent();
  chance_->enter_round(ledger_.rounds);
  for (Slot& s : slots_) s.chance = Stream(seed_, Purpose::client_noise, s.id, ledger_.rounds);
}

}  // namespace driftless
