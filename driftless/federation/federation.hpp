// The only object through which a method reaches clients and peers. Every peer runs the same method; `for_each_client`
// runs a body on the clients hosted here, and `mean` is the only operation that crosses the network and returns the
// same bits everywhere.
#pragma once

#include "driftless/federation/aggregation.hpp"
#include "driftless/federation/chance.hpp"
#include "driftless/federation/fixed_point.hpp"
#include "driftless/federation/ledger.hpp"
#include "driftless/federation/mixing_weights.hpp"
#include "driftless/federation/per_client.hpp"
#include "driftless/federation/state_visitor.hpp"
#include "driftless/federation/thread_pool.hpp"
#include "driftless/federation/transport.hpp"

#include <memory>
#include <tuple>
#include <vector>

namespace driftless {

using ClientObjectives = std::vector<std::unique_ptr<ClientObjective>>;

// f and ∇f at a point, for the trace.
struct Measurement {
  double value = 0.0;
  Vector gradient;
};

// Means of a vector and of a few numbers that were sent together.
struct VectorAndScalars {
  Vector vector;
  Vector scalars;
};
struct TwoVectorsAndScalars {
  Vector first;
  Vector second;
  Vector scalars;
};

// What one client sends, or receives, in an exchange: d-vectors, symmetric matrices, and single numbers.
struct RowShape {
  std::size_t vectors = 0;
  std::size_t matrices = 0;
  std::size_t scalars = 0;
};

// A row of that shape: vectors, then triangles of matrices (triangle_size), then numbers.
template <class Numbers>
class ShapedRow {
 public:
  ShapedRow(Numbers numbers, Index dim, const RowShape& shape)
      : numbers_(std::move(numbers)), dim_(dim), shape_(shape) {}

  auto vector(std::size_t k = 0) { return numbers_.segment(dim_ * static_cast<Index>(k), dim_); }
  auto matrix(std::size_t k = 0) {
    return numbers_.segment(dim_ * static_cast<Index>(shape_.vectors) + triangle_size(dim_) * static_cast<Index>(k),
                            triangle_size(dim_));
  }
  auto scalars() { return numbers_.tail(static_cast<Index>(shape_.scalars)); }
  double scalar(std::size_t k) const {
    return numbers_[numbers_.size() - static_cast<Index>(shape_.scalars) + static_cast<Index>(k)];
  }

 private:
  Numbers numbers_;
  Index dim_;
  RowShape shape_;
};
using Row = ShapedRow<Eigen::Map<Vector>>;  // of one client, in a body
using RowMean = ShapedRow<Vector>;

class Federation {
 public:
  // `hosted` are the objectives of the clients hosted here, in the order of their ids; a server hosts none. The seed is
  // that of all chance; tests may give a shared chance of their own, and then it is that of the batches and of the
  // clients' own chance alone.
  Federation(const ClientObjectives& hosted, Index dim, Transport& transport, ThreadPool& pool, std::uint64_t seed,
             StopToken stop_token = {}, std::unique_ptr<Chance> chance = {});
  Federation(const ClientObjectives& hosted, Transport& transport, ThreadPool& pool, std::uint64_t seed,
             StopToken stop_token = {}, std::unique_ptr<Chance> chance = {});

  std::size_t clients() const { return transport_.layout().clients; }  // n, over all peers
  Index dim() const { return dim_; }
  std::uint64_t seed() const { return seed_; }
  const Cohort& everyone() const { return everyone_; }  // without clients dropped before this round
  const Cohort& nobody() const { return nobody_; }      // as receivers: the server alone needs the result
  // r = 0, 1, … of the current round
  std::size_t round() const { return ledger_.rounds == 0 ? 0 : ledger_.rounds - 1 - first_round_; }

  // For a method that runs another one on regularised functions: while a scope lives, every Client adds the pull to its
  // f_i, and round() counts from `first_round`. Measuring does not change.
  class PullScope {
   public:
    PullScope(Federation& fed, Pull pull, std::size_t first_round) : fed_(fed) {
      fed_.pull_ = std::move(pull);
      fed_.first_round_ = first_round;
    }
    ~PullScope() {
      fed_.pull_.reset();
      fed_.first_round_ = 0;
    }
    PullScope(const PullScope&) = delete;
    PullScope& operator=(const PullScope&) = delete;

   private:
    Federation& fed_;
  };

  // From now on the exchanges of a method give this of the rows in place of their mean, and every peer receives every
  // row. What the server's own client publishes, and what is measured, stays a mean.
  void aggregate_by(const AggregationRule& rule) { rule_ = rule; }

  template <class T>
  PerClient<T> per_client(const T& initial) const {
    return PerClient<T>(slots_.size(), initial);
  }

  // Runs body(Client&) on the clients of the cohort hosted here, in parallel.
  template <class Body>
  void for_each_client(const Cohort& cohort, Body&& body) {
    run_bodies(cohort, [&](Client& i) { body(i); });
  }
  template <class Body>
  void for_each_client(Body&& body) {
    for_each_client(everyone_, body);
  }

  // mean over parties.from of the rows that body(Client&, VecOut row) writes; one exchange. No row outlives the call,
  // so this needs memory for a few rows, for any number of clients.
  template <class Body>
    requires std::invocable<Body&, Client&, VecOut>
  Vector mean(const Parties& parties, Body&& body) {
    Vector result(dim_);
    exchange(parties, {.vectors = 1}, [&](Client& i, std::span<double> row) { body(i, as_vector(row, 0)); }, result);
    return result;
  }
  template <class Body>
    requires std::invocable<Body&, Client&, VecOut>
  Vector mean(Body&& body) {
    return mean(Parties{everyone_, everyone_}, body);
  }

  // mean of vectors kept per client; several vectors are sent in one exchange.
  Vector mean(const Parties& parties, const PerClient<Vector>& v) {
    return mean(parties, [&](Client& i, VecOut row) { row = v[i]; });
  }
  Vector mean(const PerClient<Vector>& v) { return mean(Parties{everyone_, everyone_}, v); }
  template <class... Rest>
    requires(sizeof...(Rest) >= 1)
  auto mean(const Parties& parties, const PerClient<Vector>& first, const Rest&... rest) {
    constexpr std::size_t count = 1 + sizeof...(Rest);
    Vector all(dim_ * static_cast<Index>(count));
    exchange(
        parties, {.vectors = count},
        [&](Client& i, std::span<double> row) {
          Index at = 0;
          as_vector(row, at++) = first[i];
          ((as_vector(row, at++) = rest[i]), ...);
        },
        all);
    return split(all, std::make_index_sequence<count>{});
  }

  // mean of `count` numbers per client, which body(Client&, VecOut numbers) writes; an exchange without any vector.
  template <class Body>
  Vector mean_scalars(const Parties& parties, std::size_t count, Body&& body) {
    Vector result(static_cast<Index>(count));
    exchange(
        parties, {.scalars = count}, [&](Client& i, std::span<double> row) { body(i, scalars_of(row, 0)); }, result);
    return result;
  }
  // mean of a row and of `count` numbers sent with it: body(Client&, VecOut row, VecOut numbers); one exchange.
  template <class Body>
    requires std::invocable<Body&, Client&, VecOut, VecOut>
  VectorAndScalars mean_with_scalars(const Parties& parties, std::size_t count, Body&& body) {
    Vector all(dim_ + static_cast<Index>(count));
    exchange(
        parties, {.vectors = 1, .scalars = count},
        [&](Client& i, std::span<double> row) { body(i, as_vector(row, 0), scalars_of(row, dim_)); }, all);
    return {all.head(dim_), all.tail(static_cast<Index>(count))};
  }
  // The same with two rows: body(Client&, VecOut first, VecOut second, VecOut numbers).
  template <class Body>
    requires std::invocable<Body&, Client&, VecOut, VecOut, VecOut>
  TwoVectorsAndScalars mean_with_scalars(const Parties& parties, std::size_t count, Body&& body) {
    Vector all(2 * dim_ + static_cast<Index>(count));
    exchange(
        parties, {.vectors = 2, .scalars = count},
        [&](Client& i, std::span<double> row) {
          body(i, as_vector(row, 0), as_vector(row, 1), scalars_of(row, 2 * dim_));
        },
        all);
    return {all.head(dim_), all.segment(dim_, dim_), all.tail(static_cast<Index>(count))};
  }

  // The general form: the mean over parties.from of rows of the shape `up`, which body(Client&, Row&) writes; one
  // exchange. Each of parties.to is counted as a receiver of `down`, which may be less than the mean: a server that
  // forms a step from it sends the new point alone. A matrix counts as the vectors that it fills.
  template <class Body>
    requires std::invocable<Body&, Client&, Row&>
  RowMean mean_rows(const Parties& parties, const RowShape& up, const RowShape& down, Body&& body) {
    Vector all(row_size(up));
    exchange_rows(
        parties, up, down,
        [&](Client& i, std::span<double> numbers) {
          Row row({numbers.data(), static_cast<Index>(numbers.size())}, dim_, up);
          body(i, row);
        },
        all);
    return {std::move(all), dim_, up};
  }
  std::uint64_t bytes_of(const RowShape& shape) const {  // of its vectors and matrices
    return sizeof(double) * static_cast<std::uint64_t>(row_size({shape.vectors, shape.matrices}));
  }

  // A vector that a client hosted by the server computes. All clients receive it with the broadcast of the next
  // exchange: one vector down for each, nothing up, and no exchange of its own.
  template <class Body>
  Vector publish(const Cohort& at_server, Body&& body) {
    Vector result(dim_);
    gather(
        at_server, {static_cast<std::size_t>(dim_)},
        [&](Client& i, std::span<double> row) { body(i, as_vector(row, 0)); }, result);
    count_down(everyone_, {.vectors = 1});
    return result;
  }
  // Numbers that such a client gives the server: not counted.
  template <class Body>
  Vector tell_server(const Cohort& at_server, std::size_t count, Body&& body) {
    Vector result(static_cast<Index>(count));
    gather(
        at_server, blocks_of({.scalars = count}),
        [&](Client& i, std::span<double> row) { body(i, scalars_of(row, 0)); }, result);
    return result;
  }

  // Without a server: v_i ← Σ_j w_ij v_j, where every client receives the vectors of its neighbours. One exchange; each
  // edge carries a vector each way, all of them counted as sent (up) and none as received.
  void mix(const MixingWeights& W, PerClient<Vector>& v);
  // The mean of vectors that no server knows, for the trace and the output: never counted.
  Vector observe(const PerClient<Vector>& v);

  // Shared chance: the same on every peer, no message.
  bool coin(double p);
  std::size_t geometric(double p);                     // coins until the first success, that one included
  Cohort sample(std::size_t size);                     // `size` different clients; everyone if size is 0 or n
  Cohort any_client();                                 // one client, as a cohort
  Cohort any_client(std::span<const double> weights);  // with chances in proportion to the weights
  Cohort one_client(ClientId id);                      // that one
  std::vector<std::size_t> order(std::size_t count);   // 0 … count − 1 in random order
  // For output points, from a stream of its own, so that asking for one does not change the run.
  bool keep(double p);
  Cohort output_client();

  const Ledger& ledger() const { return ledger_; }
  Tally busiest() const;               // the maximum of each count over the clients of all peers
  Tally busiest_here() const;          // of the clients hosted here
  Tally work_of_all() const;           // the sum of each count over the clients of all peers
  std::vector<Tally> tallies() const;  // of the clients of all peers, by id; shown to all of them
  const Tally& tally(std::size_t slot) const { return tallies_[slot]; }
  Transport& transport() { return transport_; }
  ThreadPool& pool() { return pool_; }

  void begin_round();  // for the driver: counts the round and seeds its chance
  // Polled by the driver between rounds; where there are several peers, it is what they agreed on.
  StopSignal stop_signal() const { return stop_token_.signal(); }
  WorkGuard& guard() { return guard_; }  // for the driver: may end a round
  // The state that later rounds depend on, to be saved between two rounds and restored into a new federation. Chance is
  // not part of it: every round seeds its own.
  void visit_state(StateVisitor& visit);
  // The same without the position in the sequence of collectives, which an abandoned round does not take back.
  void visit_work(StateVisitor& visit);
  Measurement measure(const Vector& x);            // for the trace: never counted
  Vector statistics(const Vector& x, Index size);  // likewise: the mean of the numbers that models at x need beside x

 private:
  struct Slot {
    ClientId id;
    const ClientObjective* objective;
    BatchSampler batches;
    Stream chance;
  };
  using RowBody = std::function<void(Client&, std::span<double>)>;

  VecOut as_vector(std::span<double> row, Index at) const { return Eigen::Map<Vector>(row.data() + at * dim_, dim_); }
  static VecOut scalars_of(std::span<double> row, Index from) {
    return Eigen::Map<Vector>(row.data() + from, static_cast<Index>(row.size()) - from);
  }

  template <std::size_t... I>
  auto split(const Vector& all, std::index_sequence<I...>) const {
    return std::tuple{Vector(all.segment(static_cast<Index>(I) * dim_, dim_))...};
  }

  Index row_size(const RowShape& shape) const {
    return dim_ * static_cast<Index>(shape.vectors) + triangle_size(dim_) * static_cast<Index>(shape.matrices) +
           static_cast<Index>(shape.scalars);
  }
  // The vectors of a row, with those that its matrices fill.
  std::uint64_t vectors_of(const RowShape& shape) const {
    return shape.vectors + shape.matrices * static_cast<std::uint64_t>((dim_ + 2) / 2);
  }
  std::uint64_t vector_bytes() const { return sizeof(double) * static_cast<std::uint64_t>(dim_); }
  Client client(std::size_t slot, std::size_t worker);
  void visit_ledger(StateVisitor& visit);
  void visit_position(StateVisitor& visit);
  void visit_clients(StateVisitor& visit);
  std::size_t slot_of(ClientId id) const;
  Cohort still_here(Cohort drawn) const;
  void leave_out_absent();
  void reject_in_body() const;  // a collective or draw inside a body: other peers would not make it
  void run_bodies(const Cohort& cohort, const std::function<void(Client&)>& body);
  // Runs client bodies unless the round is abandoned. With several peers the round then continues without local work
  // up to the next collective, in which all of them leave it; in one process it ends at once with RoundAbandoned.
  template <class Work>
  void unless_abandoned(const Work& work);
  void exchange(const Parties& parties, const RowShape& row, const RowBody& body, Vector& result);
  void exchange_rows(const Parties& parties, const RowShape& up, const RowShape& down, const RowBody& body,
                     Vector& result);
  Blocks blocks_of(const RowShape& shape) const;
  void gather(const Cohort& from, const Blocks& blocks, const RowBody& body, Vector& result);  // the mean, uncounted
  void gather_robust(const Cohort& from, const RowBody& body, Vector& result);                 // by the rule
  RowSpans rows_present(const Cohort& from, std::size_t width) const;                          // of those shared
  void count_down(const Cohort& to, const RowShape& row, std::optional<std::uint64_t> bytes = {});
  // total ← the sum of the rows, whose blocks have these widths. Returns the number of clients that took part.
  double sum(const Cohort& from, const Blocks& blocks, const RowBody& body, std::span<double> total);
  void sum_in_tree(const Cohort& from, const RowBody& body, std::span<double> total);
  void sum_as_integers(const Cohort& from, const Blocks& blocks, const RowBody& body, std::span<double> total);
  std::size_t present(const Cohort& cohort) const;  // the number of its clients that are not dropped
  void require_present(const Cohort& cohort) const;
  // body(first entry, number of entries, worker)
  void for_each_piece(std::size_t width, const std::function<void(std::size_t, std::size_t, std::size_t)>& body);
  std::vector<Node> merged(std::span<const TreeRange> ranges, std::span<const Node> blocks, std::span<double> total);

  std::uint64_t seed_;
  Transport& transport_;
  ThreadPool& pool_;
  StopToken stop_token_;
  Cohort everyone_;
  Cohort nobody_;
  Index dim_ = 0;
  std::vector<Slot> slots_;
  std::vector<Tally> tallies_;
  std::vector<Workspace> workspaces_;  // one per worker
  std::vector<TreeAdder> adders_;      // one per worker
  std::unique_ptr<Chance> chance_;
  Ledger ledger_;
  std::optional<Pull> pull_;
  AggregationRule rule_;
  std::size_t first_round_ = 0;
  Rows block_sums_;   // kept between exchanges
  Rows client_rows_;  // likewise, of sums of integers
  std::vector<double> merged_sums_;
  std::vector<double> mine_, all_;  // rows that are shared
  bool in_body_ = false;            // client bodies are running
  WorkGuard guard_;
};

}  // namespace driftless
