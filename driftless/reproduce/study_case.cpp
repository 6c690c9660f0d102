#include "driftless/reproduce/study_case.hpp"

#include "driftless/files/output_file.hpp"
#include "driftless/results/target_table.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>

namespace driftless {
namespace {

std::string without_seed(const std::string& label) {
  const std::size_t dash = label.rfind('-');
  if (dash == std::string::npos || dash + 1 == label.size()) return label;
  const bool number = std::all_of(label.begin() + static_cast<std::ptrdiff_t>(dash) + 1, label.end(),
                                  [](unsigned char c) { return std::isdigit(c) != 0; });
  return number ? label.substr(0, dash) : label;
}

// The gap, or, where it is not known, the least gradient norm so far: both as parts of the first.
std::vector<double> parts_of(const MethodOutcome& run) {
  std::vector<double> parts;
  const bool gap = run.first().f_gap.has_value();
  for (const TraceRow& row : run.rows) {
    const double part = gap ? *row.f_gap / *run.first().f_gap : row.grad_norm / run.first().grad_norm;
    parts.push_back(gap || parts.empty() ? part : std::min(part, parts.back()));
  }
  return parts;
}

using Count = std::uint64_t TraceRow::*;

// Round by round over the seeds. One that has ended stays where it is, so that the curve ends at the mean cost.
Series series_of(const Variant& variant, Count count, double floor) {
  Series series{.label = variant.label, .x = {}, .y = {}, .low = {}, .high = {}};
  std::vector<std::vector<double>> parts;
  std::size_t length = 0;
  for (const MethodOutcome* run : variant.runs) {
    parts.push_back(parts_of(*run));
    length = std::max(length, run->rows.size());
  }
  const double n = static_cast<double>(variant.runs.size());
  for (std::size_t r = 0; r < length && (r == 0 || series.y.back() >= floor); ++r) {
    double x = 0.0;
    std::vector<double> now;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const std::size_t at = std::min(r, parts[k].size() - 1);
      x += static_cast<double>(variant.runs[k]->rows[at].*count) / n;
      now.push_back(parts[k][at]);
    }
    series.x.push_back(x);
    series.y.push_back(std::accumulate(now.begin(), now.end(), 0.0) / n);
    if (now.size() < 2) continue;
    series.low.push_back(std::max(*std::ranges::min_element(now), floor));
    series.high.push_back(*std::ranges::max_element(now));
  }
  return series;
}

}  // namespace

std::vector<Variant> variants_of(std::span<const MethodOutcome> outcomes) {
  std::vector<Variant> variants;
  for (const MethodOutcome& outcome : outcomes) {
    const std::string label = without_seed(outcome.method.label);
    const auto known = std::ranges::find(variants, label, &Variant::label);
    if (known == variants.end()) variants.push_back({label, {&outcome}});
    else known->runs.push_back(&outcome);
  }
  return variants;
}

Spent spent_until(const Variant& variant, double part) {
  Spent mean{.rounds = 0.0, .exchanges = 0.0, .gradients = 0.0};
  const double n = static_cast<double>(variant.runs.size());
  for (const MethodOutcome* run : variant.runs) {
    const TraceRow* row = first_at(run->rows, part);
    if (row == nullptr) return {};
    mean.rounds += static_cast<double>(row->round) / n;
    mean.exchanges += static_cast<double>(row->exchanges) / n;
    mean.gradients += static_cast<double>(row->grad_evals) / n;
  }
  return mean;
}

Experiment run_case(const std::string& name, const std::string& config, const StudyOptions& options) {
  const std::filesystem::path file = options.out / (name + ".toml");
  write_output_file(file, config);
  return run_experiment(read_config(file), {.out = (options.out / name).string(),
                                            .progress = options.progress,
                                            .stop_token = options.stop_token,
                                            .exit_code = options.exit_code});
}

std::vector<Panel> progress_panels(const std::string& title, const std::vector<Variant>& variants, double floor) {
  const bool gap = variants.front().runs.front()->first().f_gap.has_value();
  const std::string y_title = gap ? "gap, part of the first" : "least gradient norm, part of the first";
  struct Axis {
    std::string title;
    Count count;
  };
  const std::array<Axis, 3> axes{{{"rounds", &TraceRow::round},
                                  {"exchanges", &TraceRow::exchanges},
                                  {"gradients of the busiest client", &TraceRow::grad_evals}}};
  std::vector<Panel> panels;
  for (const Axis& axis : axes) {
    Panel panel{.title = title, .x_title = axis.title, .y_title = y_title, .log_x = true, .log_y = true, .series = {}};
    for (const Variant& variant : variants) panel.series.push_back(series_of(variant, axis.count, floor));
    panels.push_back(std::move(panel));
  }
  return panels;
}

}  // namespace driftless
