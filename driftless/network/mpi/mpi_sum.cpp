#include "driftless/network/mpi/mpi_sum.hpp"

#include <algorithm>

namespace driftless {
namespace {

// Entries of a segment: enough to make the cost of a message small, few enough to stay in a core's cache.
constexpr std::size_t shortest_segment = std::size_t{1} << 13;
constexpr std::size_t longest_segment = std::size_t{1} << 16;

// The root forms the total in the output buffer, unless that holds a part that is not the first to be read.
bool sum_in_total(const MpiPlan& plan, std::span<const Node> parts, std::span<const double> total) {
  return !plan.parent &&
         std::ranges::none_of(parts.subspan(1), [&](const Node& part) { return part.sum.data() == total.data(); });
}

}  // namespace

struct MpiSum::Exchange {
  std::span<const Node> mine;
  std::span<double> total;
  double& signal;
  std::size_t length;  // of a segment but the last

  std::size_t segments() const { return std::max<std::size_t>(1, (total.size() + length - 1) / length); }
  template <class Row>
  Row part(Row row, std::size_t segment) const {
    return row.subspan(segment * length, std::min(length, row.size() - segment * length));
  }
  std::size_t size(std::size_t segment) const { return part(total, segment).size(); }
};

// An exchange that fails leaves nothing under way to memory that its caller may free.
struct MpiSum::CallOff {
  std::span<Slot> slots;

  ~CallOff() {
    for (Slot& s : slots)
      for (MpiRequests* requests : {&s.parts_here, &s.parts_away, &s.total_here, &s.total_away}) requests->call_off();
  }
};

void MpiSum::make_plans(std::span<const ClientId> from, std::size_t segments) {
  if (!std::ranges::equal(planned_, from)) {
    plans_.clear();
    planned_.assign(from.begin(), from.end());
  }
  while (plans_.size() < std::min(segments, shares_.ranks))
    plans_.push_back(plan_sum(shares_, mpi_.rank(), plans_.size(), from));
}

// Every rank goes through the same steps in the same order, and whatever a step waits for is an earlier step elsewhere,
// or the same step nearer to the leaves (fold) or to the root (pass_on). So nobody waits for ever.
void MpiSum::add(std::span<const ClientId> from, std::span<const Node> mine, std::span<double> total, double& signal) {
  const std::size_t even = (total.size() + shares_.ranks - 1) / shares_.ranks;
  const Exchange e{mine, total, signal, std::clamp(even, shortest_segment, longest_segment)};
  const std::size_t segments = e.segments();
  make_plans(from, segments);
  const auto at = [&](std::size_t step, std::size_t delay, auto&& work) {
    if (step >= delay && step - delay < segments) work(step - delay);
  };
  const std::size_t delay = slots_.size();
  const CallOff call_off{slots_};
  for (std::size_t step = 0; step < segments + delay; ++step) {
    at(step, delay, [&](std::size_t k) { close(k); });
    at(step, 0, [&](std::size_t k) { open(e, k); });
    at(step, 2, [&](std::size_t k) { fold(e, k); });
    at(step, 3, [&](std::size_t k) { await_total(e, k); });
    at(step, 4, [&](std::size_t k) { pass_on(e, k); });
  }
}

void MpiSum::open(const Exchange& e, std::size_t segment) {
  const MpiPlan& p = plan(segment);
  Slot& s = slot(segment);
  const std::size_t size = e.size(segment);
  s.received.resize(std::max(s.received.size(), p.received_rows() * size));
  std::size_t row = 0;
  for (const MpiPlan::Child& child : p.children)
    for (std::size_t k = 0; k < child.rows; ++k)
      mpi_.receive(std::span(s.received).subspan(row++ * size, size), child.rank, MpiKind::part, s.parts_here);
}

void MpiSum::fold(const Exchange& e, std::size_t segment) {
  const MpiPlan& p = plan(segment);
  Slot& s = slot(segment);
  const std::size_t size = e.size(segment);
  mpi_.wait(s.parts_here);
  s.folded.resize(std::max(s.folded.size(), p.folds.size() * size));

  std::vector<std::size_t> first_row(p.children.size());
  for (std::size_t c = 1; c < first_row.size(); ++c) first_row[c] = first_row[c - 1] + p.children[c - 1].rows;
  std::vector<Node> nodes;
  for (const MpiPlan::Source& source : p.sources)
    nodes.push_back(
        {source.clients,
         source.child
             ? std::span<const double>(s.received).subspan((first_row[*source.child] + source.row) * size, size)
             : e.part(e.mine[source.row].sum, segment)});

  std::span<const Node> rest = nodes;
  for (std::size_t k = 0; k < p.folds.size(); ++k) {
    const std::span<const Node> parts = rest.first(p.folds[k].sources);
    rest = rest.subspan(parts.size());
    std::span<const double> sum = parts.front().sum;
    if (parts.size() > 1) {
      const std::span<double> row = sum_in_total(p, parts, e.part(e.total, segment))
                                        ? e.part(e.total, segment)
                                        : std::span(s.folded).subspan(k * size, size);
      adder_.add_nodes(p.folds[k].clients, parts, row);
      sum = row;
    }
    if (p.parent) mpi_.send(sum, *p.parent, MpiKind::part, s.parts_away);
    else if (const std::span<double> out = e.part(e.total, segment); sum.data() != out.data())
      std::ranges::copy(sum, out.begin());
  }
}

// Not earlier: what goes up may lie where the total comes in.
void MpiSum::await_total(const Exchange& e, std::size_t segment) {
  Slot& s = slot(segment);
  mpi_.wait(s.parts_away);
  if (const auto parent = plan(segment).parent) {
    mpi_.receive(e.part(e.total, segment), *parent, MpiKind::total, s.total_here);
    if (segment == 0) mpi_.receive({&e.signal, 1}, *parent, MpiKind::signal, s.total_here);
  }
}

// The root too sends its total no earlier than this, so that totals leave in the order of segments. The first segment
// has rank 0 as its root, and so can carry what rank 0 says.
void MpiSum::pass_on(const Exchange& e, std::size_t segment) {
  Slot& s = slot(segment);
  mpi_.wait(s.total_here);
  const std::vector<MpiPlan::Child>& children = plan(segment).children;
  for (auto child = children.rbegin(); child != children.rend(); ++child) {  // the one with most below it first
    mpi_.send(e.part(e.total, segment), child->rank, MpiKind::total, s.total_away);
    if (segment == 0) mpi_.send({&e.signal, 1}, child->rank, MpiKind::signal, s.total_away);
  }
}

void MpiSum::close(std::size_t segment) { mpi_.wait(slot(segment).total_away); }

}  // namespace driftless
