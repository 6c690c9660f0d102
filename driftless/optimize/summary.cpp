#include "driftless/optimize/summary.hpp"

#include "driftless/core/check.hpp"

#include <array>
#include <charconv>

namespace driftless {
namespace {

std::string with_digits(double value, int digits) {
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, digits).ptr;
  return {buffer.data(), end};
}

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
                  .rows = {}};
  summary.rows = std::move(rows);
  return summary;
}

std::string Summary::brief() const {
  return "stopped after " + counted(rounds, "round") + " (" + std::string(reason_text(reason)) + "), " +
         counted(exchanges, "exchange") + ", " + counted(bytes(), "byte") + ": f = " + with_digits(f, 10) +
         ", gradient norm = " + with_digits(grad_norm, 4);
}

}  // namespace driftless
