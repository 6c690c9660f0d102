#include "driftless/tuning/search_space.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

// t = 0 is low, t = 1 is high.
double between(const SearchRange& r, double t) {
  const double v = r.scale == Scale::log ? r.low * std::pow(r.high / r.low, t) : r.low + t * (r.high - r.low);
  return std::clamp(v, r.low, r.high);
}

OptionValue typed(const SearchRange& r, double v) {
  if (r.whole) return static_cast<std::int64_t>(std::llround(v));
  return v;
}

OptionValue draw_value(const SearchAxis& axis, Stream& stream) {
  const SearchRange* r = axis.range();
  if (r == nullptr) {
    const auto& list = std::get<std::vector<OptionValue>>(axis.values);
    return list[stream.index(list.size())];
  }
  // With rounding the two ends would be half as likely as the others.
  if (r->whole && r->scale == Scale::linear)
    return static_cast<std::int64_t>(r->low) +
           static_cast<std::int64_t>(stream.index(static_cast<std::size_t>(r->high - r->low) + 1));
  return typed(*r, between(*r, stream.uniform()));
}

std::optional<double> number_in(const OptionValue& value) {
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::nullopt;
}

// 0 at the low end, 1 at the high one.
double position_in(const SearchRange& range, double value) {
  if (range.scale == Scale::log) return std::log(value / range.low) / std::log(range.high / range.low);
  return (value - range.low) / (range.high - range.low);
}

// The same for a list of numbers, whatever their order.
std::optional<double> position_in(const std::vector<OptionValue>& list, double value) {
  double low = value, high = value;
  for (const OptionValue& each : list) {
    const std::optional<double> number = number_in(each);
    if (!number) return std::nullopt;
    low = std::min(low, *number);
    high = std::max(high, *number);
  }
  if (!(low < high)) return std::nullopt;
  return value == low ? 0.0 : value == high ? 1.0 : 0.5;
}

}  // namespace

void SearchRange::check() const {
  const auto fail = [&](const std::string& what, const std::string& seen, const std::string& advice) {
    throw ConfigError({.what = what, .seen = seen, .advice = advice});
  };
  if (!(low < high))
    fail("'high' is not above 'low'", "low = " + number(low) + ", high = " + number(high), "give low < high");
  if (scale == Scale::log && low <= 0.0)
    fail("a logarithmic range begins above 0", "low = " + number(low), "give low > 0, or scale = \"linear\"");
  if (whole && (low != std::floor(low) || high != std::floor(high) || std::abs(low) > 1e15 || high > 1e15))
    fail("this option takes whole numbers", "low = " + number(low) + ", high = " + number(high),
         "give whole numbers for low and high");
}

End end_of(const SearchAxis& axis, const OptionValue& value) {
  constexpr double near = 0.05;
  const std::optional<double> number = number_in(value);
  if (!number) return End::none;
  const SearchRange* range = axis.range();
  const std::optional<double> position = range != nullptr
                                             ? position_in(*range, *number)
                                             : position_in(std::get<std::vector<OptionValue>>(axis.values), *number);
  if (!position) return End::none;
  return *position <= near ? End::low : *position >= 1.0 - near ? End::high : End::none;
}

std::vector<OptionValue> grid_values(const SearchAxis& axis) {
  const SearchRange* r = axis.range();
  if (r == nullptr) return std::get<std::vector<OptionValue>>(axis.values);
  const std::size_t count = r->count.value_or(2);
  std::vector<OptionValue> values;
  for (std::size_t i = 0; i < count; ++i) {
    const OptionValue value = typed(*r, between(*r, static_cast<double>(i) / static_cast<double>(count - 1)));
    if (values.empty() || values.back() != value) values.push_back(value);  // whole numbers may coincide
  }
  return values;
}

std::size_t grid_size(const SearchSpace& space) {
  std::size_t size = 1;
  for (const SearchAxis& axis : space) {
    const std::size_t values = grid_values(axis).size();
    if (size > std::numeric_limits<std::size_t>::max() / values) return std::numeric_limits<std::size_t>::max();
    size *= values;
  }
  return size;
}

std::vector<Settings> grid(const SearchSpace& space) {
  std::vector<Settings> points{{}};
  for (const SearchAxis& axis : space) {
    std::vector<Settings> longer;
    for (const Settings& point : points)
      for (const OptionValue& value : grid_values(axis)) longer.push_back(with(point, {{axis.option, value}}));
    points = std::move(longer);
  }
  return points;
}

Settings draw(const SearchSpace& space, Stream& stream) {
  Settings chosen;
  for (const SearchAxis& axis : space) chosen.emplace_back(axis.option, draw_value(axis, stream));
  return chosen;
}

OptionValue multiplied(const OptionValue& value, double multiple) {
  if (const auto* whole = std::get_if<std::int64_t>(&value))
    return std::max<std::int64_t>(1, std::llround(static_cast<double>(*whole) * multiple));
  if (const auto* real = std::get_if<double>(&value)) return *real * multiple;
  return value;
}

Settings with(Settings settings, const Settings& chosen) {
  for (const auto& [key, value] : chosen) {
    const auto old = std::ranges::find_if(settings, [&](const auto& s) { return s.first == key; });
    if (old == settings.end()) settings.emplace_back(key, value);
    else old->second = value;
  }
  return settings;
}

std::string axis_text(const SearchAxis& axis) {
  std::vector<std::string> words;
  if (const SearchRange* r = axis.range()) {
    for (const auto& [key, value] : echo_options(*r))
      if (key != "of" || axis.of_theory) words.push_back(key + " = " + value);
    return axis.option + " = { " + join(words) + " }\n";
  }
  for (const OptionValue& value : std::get<std::vector<OptionValue>>(axis.values)) words.push_back(to_text(value));
  const std::string list = "[" + join(words) + "]";
  return axis.option + " = " + (axis.of_theory ? "{ theory = " + list + " }" : list) + "\n";
}

std::string settings_text(const Settings& settings) {
  std::vector<std::string> words;
  for (const auto& [key, value] : settings) words.push_back(key + " = " + to_text(value));
  return join(words);
}

}  // namespace driftless
