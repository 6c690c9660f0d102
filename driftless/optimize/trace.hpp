// The measurements of a run. They use the same collectives as the method, but are never counted.
#pragma once

#include "driftless/core/reference.hpp"
#include "driftless/federation/federation.hpp"
#include "driftless/federation/test_set.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace driftless {

struct TraceRow {
  std::uint64_t round = 0;      // outer iterations; 0 is the start
  std::uint64_t exchanges = 0;  // synchronous round trips
  std::uint64_t messages = 0;   // vectors, both directions
  std::uint64_t bytes_up = 0;
  std::uint64_t bytes_down = 0;
  std::uint64_t local_steps = 0;  // cumulative, at the busiest client
  std::uint64_t grad_evals = 0;   // cumulative, at the busiest client
  double wall_s = 0.0;            // without measuring
  double f = 0.0;
  std::optional<double> f_gap;  // f − f*
  double grad_norm = 0.0;
  std::optional<double> dist;  // ‖x − x*‖
  // with a test set only
  std::optional<double> test_loss;
  std::optional<double> test_accuracy;
  std::vector<double> link_s;  // by requested link: seconds so far; see link_model.hpp
};

class Trace {
 public:
  using Sink = std::function<void(const TraceRow&)>;  // called with every new row

  explicit Trace(std::optional<Reference> reference = {}, Sink sink = {}, std::shared_ptr<const TestSet> test = {})
      : reference_(std::move(reference)), sink_(std::move(sink)), test_(std::move(test)) {}

  // A row without the measured columns; the work is that of the clients hosted here.
  static TraceRow count(const Federation& fed, double wall_s);
  static void count_work(const Federation& fed, TraceRow& row);                 // that of all clients
  const TraceRow& measure(Federation& fed, const Vector& x, TraceRow counted);  // with the work of all clients

  // Continues another trace: its rows, and its best points through `visit_state`.
  void restore(std::vector<TraceRow> rows) { rows_ = std::move(rows); }
  void visit_state(StateVisitor& visit);

  const std::vector<TraceRow>& rows() const { return rows_; }
  const Vector& best() const { return best_; }                    // the measured x of least f
  const Vector& best_gradient() const { return best_gradient_; }  // the measured x of least ‖∇f‖

 private:
  std::optional<Reference> reference_;
  Sink sink_;
  std::shared_ptr<const TestSet> test_;
  std::vector<TraceRow> rows_;
  Vector best_;
  Vector best_gradient_;
  double least_f_ = 0.0;
  double least_grad_norm_ = 0.0;
};

}  // namespace driftless
