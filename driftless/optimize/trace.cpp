#include "driftless/optimize/trace.hpp"

namespace driftless {

TraceRow Trace::count(const Federation& fed, double wall_s) {
  const Ledger& ledger = fed.ledger();
  const Tally work = fed.busiest_here();
  return {.round = ledger.rounds,
          .exchanges = ledger.exchanges,
          .messages = ledger.messages(),
          .bytes_up = ledger.bytes_up,
          .bytes_down = ledger.bytes_down,
          .local_steps = work.steps,
          .grad_evals = work.gradients,
          .wall_s = wall_s};
}

void Trace::count_work(const Federation& fed, TraceRow& row) {
  const Tally work = fed.busiest();
  row.local_steps = work.steps;
  row.grad_evals = work.gradients;
}

const TraceRow& Trace::measure(Federation& fed, const Vector& x, TraceRow row) {
  const Measurement at = fed.measure(x);
  row.f = at.value;
  row.grad_norm = at.gradient.norm();
  if (reference_) {
    row.f_gap = at.value - reference_->minimum;
    row.dist = (x - reference_->minimizer).norm();
  }
  if (test_) {
    const TestScore score = test_->score(x, fed.statistics(x, test_->statistics_size()));
    row.test_loss = score.loss;
    row.test_accuracy = score.accuracy;
  }
  if (rows_.empty() || row.f < least_f_) {
    least_f_ = row.f;
    best_ = x;
  }
  if (rows_.empty() || row.grad_norm < least_grad_norm_) {
    least_grad_norm_ = row.grad_norm;
    best_gradient_ = x;
  }
  rows_.push_back(row);
  if (sink_) sink_(row);
  return rows_.back();
}

void Trace::visit_state(StateVisitor& visit) {
  visit.vector("best", best_);
  visit.vector("best_gradient", best_gradient_);
  visit.number("least_f", least_f_);
  visit.number("least_grad_norm", least_grad_norm_);
}

}  // namespace driftless
