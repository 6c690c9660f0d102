// The points that theory outputs for methods with many local iterates: the weighted average of all of them, kept as one
// running average per client, or one iterate drawn uniformly from all clients and iterations, kept by reservoir
// sampling with shared chance.
#pragma once

#include "driftless/federation/federation.hpp"
#include "driftless/rules/output_point.hpp"

#include <optional>

namespace driftless {

class OutputRecord {
 public:
  // False if the point is not one of those kept here.
  bool keep(OutputPoint point) {
    active_ = point == OutputPoint::weighted || point == OutputPoint::uniform;
    kind_ = point == OutputPoint::uniform ? IterateRecord::Kind::pick : IterateRecord::Kind::weighted_average;
    return active_;
  }

  // Iterate k = 1, 2, … has weight q^{−k} in the average.
  void start(const Federation& fed, double q) {
    if (active_) record_i_ = fed.per_client(IterateRecord{.kind = kind_, .q = q, .point = Vector::Zero(fed.dim())});
  }

  // Before the given number of local iterations: decides whether one of them becomes the drawn iterate, and whose.
  void begin(Federation& fed, std::size_t iterations) {
    if (!active_ || kind_ != IterateRecord::Kind::pick) return;
    std::size_t pick = 0;
    for (std::size_t k = 1; k <= iterations; ++k)
      if (fed.keep(1.0 / static_cast<double>(++seen_))) pick = k;
    if (pick == 0) return;
    owner_ = fed.output_client();
    fed.for_each_client(*owner_, [&](Client& i) { record_i_[i].countdown = pick; });
  }

  IterateRecord* operator[](const Client& i) { return active_ ? &record_i_[i] : nullptr; }

  // One exchange; x itself where no iterate was seen.
  Vector output(Federation& fed, const Vector& x) {
    if (!active_ || fed.ledger().rounds == 0) return x;
    const Cohort& from = kind_ == IterateRecord::Kind::pick ? *owner_ : fed.everyone();
    return fed.mean({from, fed.everyone()}, [&](Client& i, VecOut row) { row = record_i_[i].point; });
  }

 private:
  bool active_ = false;
  IterateRecord::Kind kind_ = IterateRecord::Kind::weighted_average;
  std::size_t seen_ = 0;
  std::optional<Cohort> owner_;
  PerClient<IterateRecord> record_i_;
};

}  // namespace driftless
