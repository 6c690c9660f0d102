#include "driftless/reproduce/auto/verdict.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <string_view>
#include <tuple>

namespace driftless {
namespace {

// The general methods with their usual local solvers, and those under names of their own. Methods that find their
// parameters by themselves are not the paper's.
constexpr std::array<std::string_view, 3> dane_names{"dane+", "dane+-gd", "dane+-fgd"};
constexpr std::array<std::string_view, 3> fedred_names{"fedred", "fedred-gd", "fedred-gd-drift"};

using Wanted = std::function<bool(const std::string& method)>;

const AutoResult* best_of(const AutoRecord& record, const Wanted& wanted) {
  const auto order = [](const AutoResult* r) {
    return std::tuple(r->best->cost.exchanges, r->best->cost.bytes, std::string_view(r->method));
  };
  const AutoResult* best = nullptr;
  for (const AutoResult& result : record.results)
    if (result.arrived() && wanted(result.method) && (best == nullptr || order(&result) < order(best))) best = &result;
  return best;
}

Wanted one_of(std::span<const std::string_view> names) {
  return [names](const std::string& method) { return std::ranges::find(names, method) != names.end(); };
}

}  // namespace

std::optional<double> AutoComparison::ratio() const {
  if (!arrived() || best == nullptr) return std::nullopt;
  return static_cast<double>(own->best->cost.exchanges) / static_cast<double>(best->best->cost.exchanges);
}

bool AutoComparison::within(double factor) const {
  if (!arrived()) return false;
  const std::optional<double> multiple = ratio();
  return !multiple || *multiple <= factor;
}

bool AutoComparison::fewer_than(const AutoResult* other) const {
  return arrived() && (other == nullptr || own->best->cost.exchanges < other->best->cost.exchanges);
}

AutoComparison compared_in(const AutoRecord& record) {
  return {.record = &record,
          .own = record.find(AutoPlan::subject),
          .best = best_of(record, [](const std::string& method) { return method != AutoPlan::subject; }),
          .dane = best_of(record, one_of(dane_names)),
          .fedred = best_of(record, one_of(fedred_names))};
}

std::vector<AutoComparison> comparisons(std::span<const AutoRecord> records) {
  std::vector<AutoComparison> all;
  for (const AutoRecord& record : records)
    if (const AutoComparison compared = compared_in(record); compared.own != nullptr) all.push_back(compared);
  return all;
}

std::vector<AutoComparison> of_half(std::span<const AutoComparison> all, AutoHalf half) {
  std::vector<AutoComparison> cells;
  std::ranges::copy_if(all, std::back_inserter(cells),
                       [&](const AutoComparison& c) { return c.record->cell.half() == half; });
  return cells;
}

std::vector<AutoClaim> claims_on(std::span<const AutoComparison> cells) {
  const std::size_t n = cells.size();
  const auto claim = [&](std::string text, std::size_t needed, auto&& holds) {
    return AutoClaim{.text = std::move(text),
                     .holds_in = static_cast<std::size_t>(std::ranges::count_if(cells, holds)),
                     .cells = n,
                     .needed = needed};
  };
  using C = const AutoComparison&;
  return {claim("never diverges", n, [](C c) { return c.own->end != AutoEnd::diverged; }),
          claim("always arrives", n, [](C c) { return c.arrived(); }),
          claim("within 1.2 times the exchanges of the best tuned method in 90 % of the cells", (9 * n + 9) / 10,
                [](C c) { return c.within(1.2); }),
          claim("within 2 times in all", n, [](C c) { return c.within(2.0); }),
          claim("the fewest exchanges of all, or as few, in half of the cells", (n + 1) / 2,
                [](C c) { return c.within(1.0); }),
          claim("fewer than DANE+ at its best setting in all", n, [](C c) { return c.fewer_than(c.dane); }),
          claim("fewer than FedRed at its best setting in all", n, [](C c) { return c.fewer_than(c.fedred); })};
}

}  // namespace driftless
