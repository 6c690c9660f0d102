#include "driftless/results/link_model.hpp"

#include "driftless/core/random.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

double difference(std::uint64_t later, std::uint64_t earlier) {
  return static_cast<double>(later) - static_cast<double>(earlier);
}

// The time between two rows.
class Interval {
 public:
  Interval(const Link& link, const Simulation& simulation, const TraceRow& before, const TraceRow& after)
      : link_(link), simulation_(simulation), before_(before), after_(after) {
    const auto n = static_cast<double>(simulation.clients);
    exchanges_ = difference(after.exchanges, before.exchanges);
    working_ = n;
    if (exchanges_ > 0.0)
      working_ = std::clamp(difference(after.messages, before.messages) / (2.0 * exchanges_), 1.0, n);
    const double spread = std::max(1.0, exchanges_) * working_;
    up_ = difference(after.bytes_up, before.bytes_up) / spread;
    down_ = difference(after.bytes_down, before.bytes_down) / spread;
  }

  double seconds() const {
    // Vectors that travel with an exchange after this row cost their transfer only.
    if (exchanges_ == 0.0) return work() + exchange(1.0) - 2.0 * link_.latency;
    const double slow = slow_exchanges();
    return work() + (exchanges_ - slow) * exchange(1.0) + slow * exchange(link_.straggler_factor);
  }

 private:
  double work() const {
    const double together = std::min(static_cast<double>(simulation_.threads), working_);
    return link_.compute * (after_.wall_s - before_.wall_s) * together / working_;
  }

  double exchange(double factor) const {
    return link_.exchange_seconds({.clients = working_, .up = up_, .down = down_}, factor);
  }

  // Exchanges with at least one slow client: one draw for each, with the probability that follows from one coin per
  // client.
  double slow_exchanges() const {
    if (link_.straggler_chance == 0.0) return 0.0;
    const double chance = 1.0 - std::pow(1.0 - link_.straggler_chance, working_);
    double slow = 0.0;
    for (std::uint64_t exchange = before_.exchanges; exchange < after_.exchanges; ++exchange)
      if (Stream(simulation_.seed, Purpose::straggler, 0, exchange).bernoulli(chance)) slow += 1.0;
    return slow;
  }

  const Link& link_;
  const Simulation& simulation_;
  const TraceRow& before_;
  const TraceRow& after_;
  double exchanges_ = 0.0;
  double working_ = 1.0;  // clients that take part
  double up_ = 0.0;       // bytes of one client and exchange
  double down_ = 0.0;
};

}  // namespace

std::vector<double> link_seconds(const Link& link, const Simulation& simulation, std::span<const TraceRow> rows) {
  std::vector<double> seconds;
  const TraceRow nothing;
  const TraceRow* before = &nothing;
  double passed = 0.0;
  for (const TraceRow& row : rows) {
    passed += Interval(link, simulation, *before, row).seconds();
    seconds.push_back(passed);
    before = &row;
  }
  return seconds;
}

void replay(std::span<const Link> links, const Simulation& simulation, std::span<TraceRow> rows) {
  for (TraceRow& row : rows) row.link_s.clear();
  for (const Link& link : links) {
    const std::vector<double> seconds = link_seconds(link, simulation, rows);
    for (std::size_t r = 0; r < rows.size(); ++r) rows[r].link_s.push_back(seconds[r]);
  }
}

}  // namespace driftless
