#include "driftless/network/mpi/mpi_sum.hpp"

#include <algorithm>

namespace driftless {
namespace {

// Entries of a chunk: enough to make the latency of a message negligible, few enough for the cache of a core.
constexpr std::size_t shortest_chunk = std::size_t{1} << 13;
constexpr std::size_t longest_chunk = std::size_t{1} << 16;

// The root writes the sum directly into the total, unless a node is stored there that is not read first.
bool sum_in_total(const MpiPlan& plan, std::span<const Node> parts, std::span<const double> total) {
  return !plan.parent &&
         std::ranges::none_of(parts.subspan(1), [&](const Node& part) { return part.sum.data() == total.data(); });
}

}  // namespace

struct MpiSum::Exchange {
  std::span<const Node> mine;
  std::span<double> total;
  double& signal;
  bool collects_signals;  // with the first chunk, whose root is rank 0
  std::size_t length;     // of every chunk but the last
  Addition addition;

  std::size_t chunks() const { return std::max<std::size_t>(1, (total.size() + length - 1) / length); }
  template <class Row>
  Row part(Row row, std::size_t chunk) const {
    return row.subspan(chunk * length, std::min(length, row.size() - chunk * length));
  }
  std::size_t size(std::size_t chunk) const { return part(total, chunk).size(); }
};

// After a failed exchange no message may arrive in memory that the caller frees.
struct MpiSum::CancelOnExit {
  std::span<Slot> slots;

  ~CancelOnExit() {
    for (Slot& s : slots)
      for (MpiRequests* requests : {&s.parts_here, &s.parts_away, &s.total_here, &s.total_away}) requests->cancel();
  }
};

void MpiSum::make_plans(std::span<const ClientId> from, std::size_t chunks) {
  if (!std::ranges::equal(planned_, from)) {
    plans_.clear();
    planned_.assign(from.begin(), from.end());
  }
  while (plans_.size() < std::min(chunks, ranges_.ranks))
    plans_.push_back(plan_sum(ranges_, mpi_.rank(), plans_.size(), from));
}

// Every rank performs the same steps in the same order. A step waits only for an earlier step of another rank, or for
// the same step of a rank nearer to the leaves (fold) or to the root (pass_on), so there is no deadlock.
void MpiSum::add(std::span<const ClientId> from, std::span<const Node> mine, std::span<double> total, double& signal,
                 SignalOf whose, Addition addition) {
  const std::size_t even = (total.size() + ranges_.ranks - 1) / ranges_.ranks;
  const Exchange e{mine,    total, signal, whose == SignalOf::any_rank, std::clamp(even, shortest_chunk, longest_chunk),
                   addition};
  const std::size_t chunks = e.chunks();
  make_plans(from, chunks);
  const auto at = [&](std::size_t step, std::size_t delay, auto&& work) {
    if (step >= delay && step - delay < chunks) work(step - delay);
  };
  const std::size_t delay = slots_.size();
  const CancelOnExit cancel{slots_};
  for (std::size_t step = 0; step < chunks + delay; ++step) {
    at(step, delay, [&](std::size_t k) { close(k); });
    at(step, 0, [&](std::size_t k) { open(e, k); });
    at(step, 2, [&](std::size_t k) { fold(e, k); });
    at(step, 3, [&](std::size_t k) { await_total(e, k); });
    at(step, 4, [&](std::size_t k) { pass_on(e, k); });
  }
}

void MpiSum::open(const Exchange& e, std::size_t chunk) {
  const MpiPlan& p = plan(chunk);
  Slot& s = slot(chunk);
  const std::size_t size = e.size(chunk);
  s.received.resize(std::max(s.received.size(), p.received_rows() * size));
  std::size_t row = 0;
  for (const MpiPlan::Child& child : p.children)
    for (std::size_t k = 0; k < child.rows; ++k)
      mpi_.receive(std::span(s.received).subspan(row++ * size, size), child.rank, MpiKind::part, s.parts_here);
  if (chunk > 0 || !e.collects_signals) return;
  s.signals.resize(p.children.size());
  for (std::size_t c = 0; c < p.children.size(); ++c)
    mpi_.receive({&s.signals[c], 1}, p.children[c].rank, MpiKind::signal, s.parts_here);
}

void MpiSum::fold(const Exchange& e, std::size_t chunk) {
  const MpiPlan& p = plan(chunk);
  Slot& s = slot(chunk);
  const std::size_t size = e.size(chunk);
  mpi_.wait(s.parts_here);
  if (chunk == 0 && e.collects_signals) {
    for (const double signal : s.signals) e.signal = std::max(e.signal, signal);
    if (p.parent) mpi_.send({&e.signal, 1}, *p.parent, MpiKind::signal, s.parts_away);
  }
  s.folded.resize(std::max(s.folded.size(), p.folds.size() * size));

  std::vector<std::size_t> first_row(p.children.size());
  for (std::size_t c = 1; c < first_row.size(); ++c) first_row[c] = first_row[c - 1] + p.children[c - 1].rows;
  std::vector<Node> nodes;
  for (const MpiPlan::Source& source : p.sources)
    nodes.push_back(
        {source.clients,
         source.child
             ? std::span<const double>(s.received).subspan((first_row[*source.child] + source.row) * size, size)
             : e.part(e.mine[source.row].sum, chunk)});

  std::span<const Node> rest = nodes;
  for (std::size_t k = 0; k < p.folds.size(); ++k) {
    const std::span<const Node> parts = rest.first(p.folds[k].sources);
    rest = rest.subspan(parts.size());
    std::span<const double> sum = parts.front().sum;
    if (parts.size() > 1) {
      const std::span<double> row = sum_in_total(p, parts, e.part(e.total, chunk))
                                        ? e.part(e.total, chunk)
                                        : std::span(s.folded).subspan(k * size, size);
      adder_.add_nodes(p.folds[k].clients, parts, row, e.addition);
      sum = row;
    }
    if (p.parent) mpi_.send(sum, *p.parent, MpiKind::part, s.parts_away);
    else if (const std::span<double> out = e.part(e.total, chunk); sum.data() != out.data())
      std::ranges::copy(sum, out.begin());
  }
}

// Not earlier, because a node that is being sent may be stored where the total arrives.
void MpiSum::await_total(const Exchange& e, std::size_t chunk) {
  Slot& s = slot(chunk);
  mpi_.wait(s.parts_away);
  if (const auto parent = plan(chunk).parent) {
    mpi_.receive(e.part(e.total, chunk), *parent, MpiKind::total, s.total_here);
    if (chunk == 0) mpi_.receive({&e.signal, 1}, *parent, MpiKind::signal, s.total_here);
  }
}

// The root also sends its total in this step, so that totals are sent in the order of chunks. Rank 0 is the root of the
// first chunk, which therefore carries the stop signal.
void MpiSum::pass_on(const Exchange& e, std::size_t chunk) {
  Slot& s = slot(chunk);
  mpi_.wait(s.total_here);
  const std::vector<MpiPlan::Child>& children = plan(chunk).children;
  for (auto child = children.rbegin(); child != children.rend(); ++child) {  // the largest subtree first
    mpi_.send(e.part(e.total, chunk), child->rank, MpiKind::total, s.total_away);
    if (chunk == 0) mpi_.send({&e.signal, 1}, child->rank, MpiKind::signal, s.total_away);
  }
}

void MpiSum::close(std::size_t chunk) { mpi_.wait(slot(chunk).total_away); }

}  // namespace driftless
