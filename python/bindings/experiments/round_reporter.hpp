// Rounds of a run on their way to Python.
#pragma once

#include "driftless/optimize/trace.hpp"

#include "python/bindings/run/caller_thread.hpp"

#include <chrono>
#include <pybind11/pybind11.h>
#include <string>

namespace driftless::python {

namespace py = pybind11;

// Calls on_round(label, counts) of Python for some of the rounds: a call costs as much as a round of a small problem.
class RoundReporter {
 public:
  RoundReporter(CallerThread& caller, const py::object& on_round) : caller_(caller), on_round_(on_round) {}

  void operator()(const std::string& label, const TraceRow& row) {
    const auto now = Clock::now();
    if (now < next_ && label == label_) return;
    label_ = label;
    next_ = now + std::chrono::milliseconds(100);
    caller_.call([&] { on_round_(label, row.round, row.exchanges, row.f, row.grad_norm); });
  }

 private:
  using Clock = std::chrono::steady_clock;

  CallerThread& caller_;
  const py::object& on_round_;
  std::string label_;
  Clock::time_point next_;
};

}  // namespace driftless::python
