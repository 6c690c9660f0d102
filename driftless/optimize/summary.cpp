#include "driftless/optimize/summary.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/text.hpp"

namespace driftless {
namespace {

std::string counted(std::uint64_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace

Summary summary_of(StopReason reason, std::vector<TraceRow> rows) {
  DRIFTLESS_ASSERT(!rows.empty(), "a run measures at least its start");
  const TraceRow& last = rows.back();
  Summary summary{.reason = reason,
                  .x = {},
                  .output = {},
                  .output_traffic = {},
                  .rounds = last.round,
                  .exchanges = last.exchanges,
                  .messages = last.messages,
                  .bytes_up = last.bytes_up,
                  .bytes_down = last.bytes_down,
                  .local_steps = last.local_steps,
                  .grad_evals = last.grad_evals,
                  .seconds = last.wall_s,
                  .f = last.f,
                  .grad_norm = last.grad_norm,
                  .gap = last.f_gap,
                  .decision = {},
                  .rows = {}};
  summary.rows = std::move(rows);
  return summary;
}

std::string Summary::brief() const {
  return "stopped after " + counted(rounds, "round") + " (" + std::string(reason_text(reason)) + "), " +
         counted(exchanges, "exchange") + ", " + counted(bytes(), "byte") + ": f = " + number(f, 10) +
         ", gradient norm = " + number(grad_norm, 4);
}

}  // namespace driftless
