// The study behind docs/auto.md from its records: the page, the CSV file and the JSON text.
#include "driftless/console/text_table.hpp"
#include "driftless/reproduce/auto/study.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <set>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<AutoComparison>;

std::string auto_cost_text(const Cost& cost) {
  return fmt::format("{} / {} / {}", cost.exchanges, bytes_text(static_cast<double>(cost.bytes)), cost.grad_evals);
}

// "38 / 1.2 MB / 38", or why not.
std::string costs_or_end(const AutoResult* result) {
  if (result == nullptr) return "–";
  if (result->arrived()) return auto_cost_text(result->best->cost);
  return fmt::format("– ({})", result->end == AutoEnd::too_slow ? "too slow" : std::string(enum_name(result->end)));
}

std::string auto_best_text(const AutoResult* result) {
  if (result == nullptr) return "none arrived";
  return result->best->setting.empty() ? result->method : fmt::format("{}, {}", result->method, result->best->setting);
}

std::string exchanges_text(const AutoResult* result) {
  return result == nullptr ? "–" : fmt::format("{}", result->best->cost.exchanges);
}

bool stopped_by_clock(const AutoRecord& record) { return std::ranges::any_of(record.results, &AutoResult::clock); }

std::string auto_row_of(const AutoComparison& c) {
  const AutoCell& cell = c.record->cell;
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", cell.data, cell.clients,
                     enum_name(cell.split), enum_name(cell.weight), costs_or_end(c.own), c.own->note,
                     auto_best_text(c.best), costs_or_end(c.best), c.ratio() ? fmt::format("{:.2f}", *c.ratio()) : "–",
                     exchanges_text(c.dane),
                     fmt::format("{}{}", exchanges_text(c.fedred), stopped_by_clock(*c.record) ? " *" : ""));
}

std::string auto_table_of(const Cells& cells) {
  std::string text =
      "| data | n | split | l2 | auto | its choice | best tuned method | its costs | ratio | DANE+ | FedRed |\n"
      "|---|---:|---|---|---:|---|---|---:|---:|---:|---:|\n";
  for (const AutoComparison& c : cells) text += auto_row_of(c);
  return text;
}

std::string auto_verdict_of(const Cells& cells) {
  std::string text = "| claim | holds in | needed | |\n|---|---:|---:|---|\n";
  for (const AutoClaim& claim : claims_on(cells))
    text += fmt::format("| {} | {} of {} | {} | {} |\n", claim.text, claim.holds_in, claim.cells, claim.needed,
                        claim.holds() ? "holds" : "does not hold");
  return text;
}

struct MethodCount {
  std::string method;
  std::size_t ran = 0;
  std::size_t arrived = 0;
  std::size_t best = 0;
};

// By how often each was the best of the tuned ones.
std::vector<MethodCount> auto_counts_of(const std::vector<AutoRecord>& records) {
  std::vector<MethodCount> counts;
  for (const MethodEntry& entry : method_catalog()) {
    MethodCount count{.method = entry.name};
    for (const AutoRecord& record : records) {
      const AutoResult* result = record.find(entry.name);
      if (result == nullptr) continue;
      ++count.ran;
      count.arrived += result->arrived() ? 1 : 0;
      const AutoResult* best = compared_in(record).best;
      count.best += best != nullptr && best->method == entry.name ? 1 : 0;
    }
    if (count.ran > 0) counts.push_back(std::move(count));
  }
  std::ranges::stable_sort(counts, std::greater<>(), [](const MethodCount& c) { return std::pair(c.best, c.arrived); });
  return counts;
}

std::string auto_methods_table(const AutoStudy& study) {
  std::string text = "| method | arrived in | fewest exchanges of the tuned ones in |\n|---|---:|---:|\n";
  for (const MethodCount& count : auto_counts_of(study.records))
    text += fmt::format("| {} | {} of {} | {} |\n", count.method, count.arrived, count.ran, count.best);
  return text;
}

std::string budget_text(const AutoBudget& budget) {
  return fmt::format(
      "To ‖∇f(x)‖ ≤ {:g} from x = 0. `auto` has no parameter; every other method has the best setting of its grid in "
      "the catalogue (multiples of theory's values, `driftless tune --dry-run` shows them), found by successive "
      "halving. The budget is the same for each method in a cell, `auto` among them: {} exchanges per setting, and for "
      "all its settings together {} to {} gradient evaluations of the busiest client, fewer where the data is large. "
      "One seed. Methods that form d × d matrices are left out for d > {}. A cell marked * has a method that the "
      "safety net of {:g} seconds of the processor stopped.\n",
      AutoPlan::target, budget.exchanges, budget.least_gradients, budget.gradients, budget.matrix_dim, budget.seconds);
}

std::string left_out(const AutoStudy& study) {
  std::string text;
  for (const AutoRecord& record : study.records)
    if (!record.impossible.empty()) text += fmt::format("* {}: {}\n", record.cell.name(), record.impossible);
  for (const auto& [set, reason] : study.missing) text += fmt::format("* {}: {}\n", set, reason);
  if (study.pending > 0)
    text += fmt::format("* {} cells are not finished; the same command continues\n", study.pending);
  return text.empty() ? "" : "\n## Left out\n\n" + text;
}

std::string auto_names_of(const Cells& cells) {
  std::set<std::string> names;
  for (const AutoComparison& c : cells) names.insert(c.record->cell.data);
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

Json arrival_json(const std::optional<AutoArrival>& arrival) {
  if (!arrival) return {};
  return {{"setting", arrival->setting},
          {"exchanges", arrival->cost.exchanges},
          {"bytes", arrival->cost.bytes},
          {"gradients", arrival->cost.grad_evals}};
}

Json result_json(const AutoResult* result) {
  if (result == nullptr) return {};
  return {{"method", result->method}, {"end", enum_name(result->end)}, {"best", arrival_json(result->best)}};
}

using CostCount = std::uint64_t Cost::*;
using KeptArrival = std::optional<AutoArrival> AutoResult::*;

// The method with the least of one count, `auto` left out.
Json least_of(const AutoRecord& record, KeptArrival kept, CostCount count) {
  const AutoResult* least = nullptr;
  for (const AutoResult& result : record.results) {
    if (result.method == AutoPlan::subject || !(result.*kept)) continue;
    if (least == nullptr || (result.*kept)->cost.*count < (least->*kept)->cost.*count) least = &result;
  }
  if (least == nullptr) return {};
  Json json = arrival_json(least->*kept);
  json["method"] = least->method;
  return json;
}

Json cell_json(const AutoComparison& c) {
  const AutoCell& cell = c.record->cell;
  return {{"data", cell.data},
          {"clients", cell.clients},
          {"split", enum_name(cell.split)},
          {"l2", enum_name(cell.weight)},
          {"half", enum_name(cell.half())},
          {"auto", result_json(c.own)},
          {"choice", c.own->note},
          {"best", result_json(c.best)},
          {"ratio", c.ratio() ? Json(*c.ratio()) : Json()},
          {"dane_plus", result_json(c.dane)},
          {"fedred", result_json(c.fedred)},
          {"fewest_bytes", least_of(*c.record, &AutoResult::fewest_bytes, &Cost::bytes)},
          {"fewest_gradients", least_of(*c.record, &AutoResult::fewest_gradients, &Cost::grad_evals)},
          {"clock", stopped_by_clock(*c.record)}};
}

Json claims_json(const std::vector<AutoClaim>& claims) {
  Json json = Json::array();
  for (const AutoClaim& claim : claims)
    json.push_back({{"claim", claim.text},
                    {"holds_in", claim.holds_in},
                    {"cells", claim.cells},
                    {"needed", claim.needed},
                    {"holds", claim.holds()}});
  return json;
}

std::string quoted(const std::string& text) {
  std::string doubled;
  for (const char c : text) doubled += c == '"' ? std::string("\"\"") : std::string(1, c);
  return '"' + doubled + '"';
}

std::string csv_line(const AutoRecord& record, const AutoResult& result) {
  const AutoCell& cell = record.cell;
  const std::string costs = result.arrived() ? fmt::format("{},{},{}", result.best->cost.exchanges,
                                                           result.best->cost.bytes, result.best->cost.grad_evals)
                                             : ",,";
  return fmt::format("{},{},{},{},{},{},{},{},{},{:.3g},{},{}\n", quoted(cell.data), cell.clients,
                     enum_name(cell.split), enum_name(cell.weight), enum_name(cell.half()), result.method,
                     enum_name(result.end), costs, quoted(result.arrived() ? result.best->setting : result.nearest),
                     result.arrived() ? 0.0 : result.part, result.settings, result.clock ? "true" : "false");
}

}  // namespace

std::string auto_markdown(const AutoStudy& study) {
  const Cells all = comparisons(study.records);
  const Cells development = of_half(all, AutoHalf::development);
  const Cells report = of_half(all, AutoHalf::report);
  return budget_text(study.budget) +
         fmt::format("\n## On all sets\n\n{}\n## On the sets of the report\n\n{}: {} cells.\n\n{}\n"
                     "## On the sets of the development\n\nEvery second set by name ({}): {} cells.\n\n{}\n",
                     auto_verdict_of(all), auto_names_of(report), report.size(), auto_verdict_of(report),
                     auto_names_of(development), development.size(), auto_verdict_of(development)) +
         fmt::format("## The cells\n\nCosts are exchanges / bytes in both directions / gradient evaluations of the "
                     "busiest client; DANE+ and FedRed stand for their exchanges at their best settings.\n\n"
                     "Report:\n\n{}\nDevelopment:\n\n{}\n## The methods\n\n{}",
                     auto_table_of(report), auto_table_of(development), auto_methods_table(study)) +
         left_out(study);
}

std::string auto_csv(const AutoStudy& study) {
  std::string text =
      "data,clients,split,l2,half,method,end,exchanges,bytes,gradients,setting,part_left,settings,clock\n";
  for (const AutoRecord& record : study.records)
    for (const AutoResult& result : record.results) text += csv_line(record, result);
  return text;
}

std::string auto_json(const AutoStudy& study) {
  const Cells all = comparisons(study.records);
  Json cells = Json::array();
  for (const AutoComparison& c : all) cells.push_back(cell_json(c));
  Json impossible = Json::array();
  for (const AutoRecord& record : study.records)
    if (!record.impossible.empty()) impossible.push_back({{"cell", record.cell.name()}, {"reason", record.impossible}});
  Json missing = Json::array();
  for (const auto& [set, reason] : study.missing) missing.push_back({{"data", set}, {"reason", reason}});
  const Json json{{"schema_version", 1},
                  {"complete", study.pending == 0},
                  {"budget",
                   {{"exchanges", study.budget.exchanges},
                    {"gradients", study.budget.gradients},
                    {"least_gradients", study.budget.least_gradients},
                    {"seconds", study.budget.seconds}}},
                  {"all", claims_json(claims_on(all))},
                  {"report", claims_json(claims_on(of_half(all, AutoHalf::report)))},
                  {"development", claims_json(claims_on(of_half(all, AutoHalf::development)))},
                  {"cells", std::move(cells)},
                  {"impossible", std::move(impossible)},
                  {"missing", std::move(missing)}};
  return json.dump(2) + "\n";
}

}  // namespace driftless
