// What a report draws: one curve per method, or per group of methods that differ only in their seed.
#pragma once

#include "driftless/results/run_files.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace driftless {

// A column of the drawings: what is paid (the horizontal axes) or what is reached.
struct ReportColumn {
  std::string key;
  std::string title;
  bool reached;
  // Of a row, and of the first row of the same method; not a number where it is not known.
  std::function<double(const TraceRow& row, const TraceRow& first)> value;
};
// What is paid, the time on every link after it, then what is reached.
std::vector<ReportColumn> report_columns(std::span<const RunFiles> runs);

std::string link_key(std::size_t link);  // "link_s", "link_s_2", …

struct CurveMember {
  const RunFiles* run = nullptr;
  const MethodFiles* method = nullptr;
};

// For a group the rows are those of the rounds that every member measured: the mean of every column, and for what is
// reached its least and greatest value.
struct Curve {
  std::string label;  // different for all curves of a report
  std::string name;   // different for all curves of a problem; curves of one name look alike
  std::vector<CurveMember> members;
  std::size_t problem = 0;                // curves of the same number are of the same problem, and can be compared
  std::vector<std::vector<double>> mean;  // by column
  std::vector<std::vector<double>> low;   // by column; empty for a single method
  std::vector<std::vector<double>> high;

  std::size_t size() const { return mean.front().size(); }
  bool group() const { return members.size() > 1; }
};

// The problems of these curves, by the names of their runs: "first, second".
std::vector<std::string> problem_names(const std::vector<Curve>& curves);

// The names of all curves in the order in which they appear; the index in this list is the line style of a curve.
std::vector<std::string> curve_names(const std::vector<Curve>& curves);

// What a chart shows first: the relative gap where problems are compared, else the gap.
std::string first_shown(const std::vector<Curve>& curves);

// Methods of one problem and one setting are a group, also over several runs.
std::vector<Curve> curves_of(std::span<const RunFiles> runs);

// Rows of a long curve that a page keeps, first and last among them: half of them evenly spaced, half evenly on a
// logarithmic scale, so that either kind of axis looks whole.
inline constexpr std::size_t kept_at_most = 1500;
std::vector<std::size_t> kept_rows(std::size_t count);

}  // namespace driftless
