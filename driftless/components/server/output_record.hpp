// The points that theory outputs for methods with many local iterates: the weighted average of all of them, kept as one
// running average per client, or one iterate drawn uniformly from all clients and iterations, kept by reservoir
// sampling with shared chance.
#pragma once

#include "driftless/components/server/output_point.hpp"
#include "driftless/federation/federation.hpp"
#include "driftless/federation/state_visitor.hpp"

#include <limits>

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
  void prepare(const Federation& fed, double q) {
    if (active_) record_i_ = fed.per_client(IterateRecord{.kind = kind_, .q = q, .point = Vector::Zero(fed.dim())});
  }

  // Called before the given number of local iterations: decides whether one of them becomes the drawn iterate, and of
  // which client. An iteration stands for the point it ends at or, where `before` holds the clients' points now, for
  // the point it begins at.
  void begin(Federation& fed, std::size_t iterations, const PerClient<Vector>* before = nullptr) {
    if (!active_ || kind_ != IterateRecord::Kind::pick) return;
    std::size_t pick = 0;
    for (std::size_t k = 1; k <= iterations; ++k)
      if (fed.keep(1.0 / static_cast<double>(++seen_))) pick = k;
    if (pick == 0) return;
    const Cohort owner = fed.output_client();
    owner_ = owner.ids().front();
    const std::size_t steps = before != nullptr ? pick - 1 : pick;
    fed.for_each_client(owner, [&](Client& i) {
      record_i_[i].countdown = steps;
      if (steps == 0) record_i_[i].point = (*before)[i];
    });
  }

  IterateRecord* operator[](const Client& i) { return active_ ? &record_i_[i] : nullptr; }

  // One exchange; x itself before the first iterate.
  Vector output(Federation& fed, const Vector& x) {
    if (!active_ || fed.ledger().rounds == 0) return x;
    const Cohort from = kind_ == IterateRecord::Kind::pick ? Cohort::of({owner_}, fed.clients()) : fed.everyone();
    return fed.mean({from, fed.everyone()}, [&](Client& i, VecOut row) { row = record_i_[i].point; });
  }

  void visit_state(StateVisitor& visit) {
    if (!active_) return;
    visit.count("output_seen", seen_);
    visit.count("output_owner", owner_);
    visit_member(visit, "output_weight_i", &IterateRecord::weight);
    visit_member(visit, "output_countdown_i", &IterateRecord::countdown);
    visit_member(visit, "output_point_i", &IterateRecord::point);
  }

 private:
  // One member of all records as a variable per client. It is a copy: a visitor must not keep its address.
  template <class T>
  void visit_member(StateVisitor& visit, std::string_view name, T IterateRecord::* member) {
    std::vector<IterateRecord>& records = record_i_.hosted();
    PerClient<T> values(records.size(), T{});
    for (std::size_t slot = 0; slot < records.size(); ++slot) values.hosted()[slot] = records[slot].*member;
    visit.per_client(name, values);
    for (std::size_t slot = 0; slot < records.size(); ++slot) records[slot].*member = values.hosted()[slot];
  }

  bool active_ = false;
  IterateRecord::Kind kind_ = IterateRecord::Kind::weighted_average;
  std::uint64_t seen_ = 0;
  ClientId owner_ = std::numeric_limits<ClientId>::max();  // of the drawn iterate; none before the first round
  PerClient<IterateRecord> record_i_;
};

}  // namespace driftless
