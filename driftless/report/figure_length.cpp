#include "driftless/core/error.hpp"
#include "driftless/report/figure.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace driftless {
namespace {

constexpr double points_per_inch = 72.0;
constexpr double mm_per_inch = 25.4;
constexpr double points_per_mm = points_per_inch / mm_per_inch;

struct LengthUnit {
  std::string_view name;
  double points;
};
constexpr std::array<LengthUnit, 4> length_units{
    {{"mm", points_per_mm}, {"cm", 10.0 * points_per_mm}, {"in", points_per_inch}, {"pt", 1.0}}};

}  // namespace

double read_length(const std::string& text, const std::string& flag) {
  double value = 0.0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  for (const LengthUnit& known : length_units) {
    if (failure != std::errc() || unit != known.name) continue;
    const double points = value * known.points;
    if (points >= 10.0 * points_per_mm && points <= 2000.0 * points_per_mm) return points;
  }
  throw ConfigError({.what = "this is not a length of a figure",
                     .seen = flag + " " + text,
                     .advice = "give a number with mm, cm, in or pt, from 1 cm to 2 m, such as 85mm"});
}

}  // namespace driftless
