#include "driftless/results/link_table.hpp"

#include "driftless/console/text_table.hpp"

#include <cmath>
#include <fmt/format.h>

namespace driftless {
namespace {

std::string cell(const TargetLine& line, std::size_t link) {
  if (!line.complete()) return "not reached";
  const Spread& s = line.link_s.at(link);
  if (s.least == s.most) return seconds_text(s.mean);
  return fmt::format("{} [{}–{}]", seconds_text(s.mean), seconds_text(s.least), seconds_text(s.most));
}

std::string link_table(const TargetTable& table, const Link& link, std::size_t index) {
  std::vector<std::vector<std::string>> lines{{"time on " + link.text}};
  for (const TargetLine& line : table.blocks.front().lines) lines.push_back({line.title});
  for (const TargetBlock& block : table.blocks) {
    if (!block.reached()) continue;
    lines.front().push_back("to " + target_name(block.target));
    for (std::size_t l = 0; l < block.lines.size(); ++l) lines[l + 1].push_back(cell(block.lines[l], index));
  }
  const std::string missed = missed_targets(table);
  return aligned(lines) + (missed.empty() ? "" : missed + ": reached by nobody\n");
}

}  // namespace

std::string link_tables_text(const TargetTable& table, std::span<const Link> links) {
  std::string text;
  if (table.blocks.empty()) return text;
  for (std::size_t k = 0; k < links.size(); ++k) text += link_table(table, links[k], k) + "\n";
  return text;
}

std::string seconds_text(double seconds) {
  if (seconds > 0.0 && seconds < 1e-3) return fmt::format("{:.3g} µs", 1e6 * seconds);
  if (seconds > 0.0 && seconds < 1.0) return fmt::format("{:.3g} ms", 1e3 * seconds);
  if (seconds < 600.0) return fmt::format("{:.3g} s", seconds);
  const long minutes = std::lround(seconds / 60.0);
  return minutes < 60 ? fmt::format("{} min", minutes) : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace driftless
