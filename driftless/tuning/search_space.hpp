// The search space of one method: its free options, each with the values that it may take.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/core/random.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace driftless {

enum class Scale { linear, log };
template <>
struct EnumNames<Scale> {
  static constexpr std::array<std::string_view, 2> value{"linear", "log"};
};

// What a range counts in.
enum class RangeUnit { number, theory };
template <>
struct EnumNames<RangeUnit> {
  static constexpr std::array<std::string_view, 2> value{"number", "theory"};
};

struct SearchRange {
  double low = required;
  double high = required;
  Scale scale = Scale::linear;
  std::optional<std::size_t> count;  // points of a grid, including both ends
  RangeUnit of = RangeUnit::number;  // theory: multiples of the value that theory gives the option
  bool whole = false;                // the option takes whole numbers only

  static Fields fields() {
    using S = SearchRange;
    return {field("low", &S::low, finite, "least value"), field("high", &S::high, finite, "largest value"),
            field("scale", &S::scale, anything, "how values are spread between the two"),
            field("count", &S::count, Range{.low = 2.0, .high = 10000.0}, "how many points a grid takes"),
            field("of", &S::of, anything, "\"theory\": the range is of multiples of theory's value")};
  }
  void check() const;  // ConfigError where the range is empty
};

struct SearchAxis {
  std::string option;
  std::variant<std::vector<OptionValue>, SearchRange> values;
  bool of_theory = false;  // the values are multiples of the one that theory gives for the rest of the setting

  const SearchRange* range() const { return std::get_if<SearchRange>(&values); }
  bool countable() const { return range() == nullptr || range()->count.has_value(); }
};

// Which end of the values that a search tries for an option this one is at, or near where values are drawn; none where
// there is one value only or they are not numbers.
enum class End { none, low, high };
End end_of(const SearchAxis& axis, const OptionValue& value);

using SearchSpace = std::vector<SearchAxis>;  // empty: no free options

std::vector<OptionValue> grid_values(const SearchAxis& axis);
// The number of points of the grid; the largest representable number where there are too many to count.
std::size_t grid_size(const SearchSpace& space);
// Every combination; the last option changes fastest.
std::vector<Settings> grid(const SearchSpace& space);

// Each option drawn independently: one of the list, or uniform on the scale of the range.
Settings draw(const SearchSpace& space, Stream& stream);

// A multiple of a number, of the same type; whole numbers are at least 1. Other values stay as they are.
OptionValue multiplied(const OptionValue& value, double multiple);

// The settings, in which the chosen ones replace others or are added.
Settings with(Settings settings, const Settings& chosen);

std::string axis_text(const SearchAxis& axis);        // as a line of [method.search]
std::string settings_text(const Settings& settings);  // "lambda = 2, p = 0.1"

}  // namespace driftless
