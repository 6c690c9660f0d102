#include "driftless/results/metrics_file.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/files/output_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace driftless {
namespace {

constexpr const char* csv_name = "metrics.csv";
constexpr const char* jsonl_name = "metrics.jsonl";

// Calls visit(name, value) for every column in its order; values are whole numbers, doubles or doubles that may be
// missing. The last two exist only with a test set.
template <class Row, class Visit>
void visit_columns(Row&& row, bool tested, Visit&& visit) {
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
  if (!tested) return;
  visit("test_loss", row.test_loss);
  visit("test_accuracy", row.test_accuracy);
}

std::string csv_value(std::uint64_t v) { return std::to_string(v); }
std::string csv_value(double v) { return number(v); }
std::string csv_value(const std::optional<double>& v) { return v ? number(*v) : ""; }

std::string json_value(std::uint64_t v) { return std::to_string(v); }
std::string json_value(double v) { return std::isfinite(v) ? number(v) : "null"; }
std::string json_value(const std::optional<double>& v) { return v ? json_value(*v) : "null"; }

template <class Number>
bool read_value(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}
bool read_value(std::string_view text, std::optional<double>& value) {
  return text.empty() || read_value(text, value.emplace());
}

std::optional<TraceRow> row_of(std::string_view line, bool tested) {
  TraceRow row;
  bool good = true;
  bool more = true;
  visit_columns(row, tested, [&](const char*, auto& value) {
    const std::size_t comma = line.find(',');
    good = good && more && read_value(line.substr(0, comma), value);
    more = comma != std::string_view::npos;
    line.remove_prefix(more ? comma + 1 : line.size());
  });
  return good && !more ? std::optional(row) : std::nullopt;
}

}  // namespace

std::string csv_header(bool tested) {
  std::string line;
  visit_columns(TraceRow{}, tested,
                [&](const char* name, const auto&) { line += (line.empty() ? "" : ",") + std::string(name); });
  return line;
}

std::string csv_line(const TraceRow& row) {
  std::string line;
  bool first = true;
  visit_columns(row, row.test_loss.has_value(), [&](const char*, const auto& value) {
    line += (first ? "" : ",") + csv_value(value);
    first = false;
  });
  return line;
}

std::string json_line(const TraceRow& row) {
  std::string line;
  visit_columns(row, row.test_loss.has_value(), [&](const char* name, const auto& value) {
    line += (line.empty() ? "{\"" : ", \"") + std::string(name) + "\": " + json_value(value);
  });
  return line + "}";
}

std::vector<TraceRow> read_metrics(const std::filesystem::path& file) {
  const std::string text = read_input_file(file);
  const auto reject = [&](std::size_t line, const std::string& seen) {
    throw DataError({.what = "the metrics cannot be read",
                     .seen = file.string() + ":" + std::to_string(line) + ": " + seen,
                     .advice = "give the directory as 'driftless run' left it"});
  };
  std::vector<TraceRow> rows;
  bool tested = false;
  std::size_t number = 0;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (++number == 1) {
      tested = line == csv_header(true);
      if (!tested && line != csv_header(false)) reject(1, line.substr(0, 80));
      continue;
    }
    if (const std::optional<TraceRow> row = row_of(line, tested)) rows.push_back(*row);
    else reject(number, line.substr(0, 80));
  }
  return rows;
}

std::string digest_of_metrics(const std::vector<TraceRow>& rows) {
  Sha256 digest;
  digest.add(csv_header(!rows.empty() && rows.front().test_loss.has_value()) + "\n");
  for (const TraceRow& row : rows) digest.add(csv_line(row) + "\n");
  return digest.hex();
}

std::string digest_of_metrics(const std::filesystem::path& file) { return sha256(read_input_file(file)); }

std::string digest_of_metrics(const std::filesystem::path& file, std::size_t rows) {
  const std::string text = read_input_file(file);
  std::size_t end = 0;
  for (std::size_t line = 0; line <= rows && end < text.size(); ++line)
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return sha256(std::string_view(text).substr(0, end));
}

MetricsFile::MetricsFile(const std::filesystem::path& folder, std::ios::openmode mode)
    : folder_(folder), csv_(folder / csv_name, mode), jsonl_(folder / jsonl_name, mode) {
  require_good(csv_, csv_name);
  require_good(jsonl_, jsonl_name);
}

MetricsFile::MetricsFile(const std::filesystem::path& folder, bool tested)
    : MetricsFile(folder, std::ios::binary | std::ios::trunc) {
  const std::string header = csv_header(tested) + "\n";
  csv_ << header << std::flush;
  require_good(csv_, csv_name);
  digest_.add(header);
}

MetricsFile MetricsFile::continuing(const std::filesystem::path& folder, const std::vector<TraceRow>& rows,
                                    bool tested) {
  std::string csv = csv_header(tested) + "\n";
  std::string jsonl;
  for (const TraceRow& row : rows) {
    csv += csv_line(row) + "\n";
    jsonl += json_line(row) + "\n";
  }
  write_output_file(folder / csv_name, csv);
  write_output_file(folder / jsonl_name, jsonl);
  MetricsFile metrics(folder, std::ios::binary | std::ios::app);
  metrics.digest_.add(csv);
  return metrics;
}

void MetricsFile::sync() const {
  sync_to_disk(folder_ / csv_name);
  sync_to_disk(folder_ / jsonl_name);
}

void MetricsFile::add(const TraceRow& row) {
  const std::string line = csv_line(row) + "\n";
  csv_ << line << std::flush;
  jsonl_ << json_line(row) << '\n' << std::flush;
  require_good(csv_, csv_name);
  require_good(jsonl_, jsonl_name);
  digest_.add(line);
}

void MetricsFile::require_good(const std::ofstream& file, const char* name) const {
  if (file.good()) return;
  throw DataError({.what = "the metrics cannot be written",
                   .seen = (folder_ / name).string(),
                   .advice = "make sure that the folder can be written to and the disk has free space"});
}

}  // namespace driftless
