#include "driftless/run/metrics_file.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"

#include <cmath>

namespace driftless {
namespace {

// Calls visit(name, value) for every column in its order; values are whole numbers, doubles or doubles that may be
// missing.
template <class Visit>
void visit_columns(const TraceRow& row, Visit&& visit) {
  visit("round", row.round);
  visit("exchanges", row.exchanges);
  visit("messages", row.messages);
  visit("bytes_up", row.bytes_up);
  visit("bytes_down", row.bytes_down);
  visit("local_steps", row.local_steps);
  visit("grad_evals", row.grad_evals);
  visit("wall_s", row.wall_s);
  visit("f", row.f);
  visit("f_gap", row.f_gap);
  visit("grad_norm", row.grad_norm);
  visit("dist", row.dist);
}

std::string csv_value(std::uint64_t v) { return std::to_string(v); }
std::string csv_value(double v) { return number(v); }
std::string csv_value(const std::optional<double>& v) { return v ? number(*v) : ""; }

std::string json_value(std::uint64_t v) { return std::to_string(v); }
std::string json_value(double v) { return std::isfinite(v) ? number(v) : "null"; }
std::string json_value(const std::optional<double>& v) { return v ? json_value(*v) : "null"; }

}  // namespace

std::string csv_header() {
  std::string line;
  visit_columns({}, [&](const char* name, const auto&) { line += (line.empty() ? "" : ",") + std::string(name); });
  return line;
}

std::string csv_line(const TraceRow& row) {
  std::string line;
  bool first = true;
  visit_columns(row, [&](const char*, const auto& value) {
    line += (first ? "" : ",") + csv_value(value);
    first = false;
  });
  return line;
}

std::string json_line(const TraceRow& row) {
  std::string line;
  visit_columns(row, [&](const char* name, const auto& value) {
    line += (line.empty() ? "{\"" : ", \"") + std::string(name) + "\": " + json_value(value);
  });
  return line + "}";
}

MetricsFile::MetricsFile(const std::filesystem::path& folder)
    : folder_(folder),
      csv_(folder / "metrics.csv", std::ios::binary),
      jsonl_(folder / "metrics.jsonl", std::ios::binary) {
  csv_ << csv_header() << '\n' << std::flush;
  require_good(csv_, "metrics.csv");
  require_good(jsonl_, "metrics.jsonl");
}

void MetricsFile::add(const TraceRow& row) {
  csv_ << csv_line(row) << '\n' << std::flush;
  jsonl_ << json_line(row) << '\n' << std::flush;
  require_good(csv_, "metrics.csv");
  require_good(jsonl_, "metrics.jsonl");
}

void MetricsFile::require_good(const std::ofstream& file, const char* name) const {
  if (file.good()) return;
  throw DataError({.what = "the metrics cannot be written",
                   .seen = (folder_ / name).string(),
                   .advice = "make sure that the folder may be written to and has room"});
}

}  // namespace driftless
