#include "driftless/report/axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace driftless {
namespace {

// "20k" for 20000: long numbers do not fit under an axis.
std::string short_number(double value) {
  if (value == 0.0) return "0";
  constexpr std::array<const char*, 5> units{"", "k", "M", "G", "T"};
  std::size_t unit = 0;
  while (std::abs(value) >= 9999.5 && unit + 1 < units.size()) {
    value /= 1000.0;
    ++unit;
  }
  return fmt::format("{:.4g}{}", value, units[unit]);
}

// 1, 2 or 5 times a power of ten, so that about the wanted number of steps fills the range.
double round_step(double range, int wanted) {
  const double rough = range / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough) return factor * power;
  return 10.0 * power;
}

std::vector<Tick> linear_ticks(double least, double most, int wanted) {
  const double step = round_step(most - least, wanted);
  std::vector<Tick> ticks;
  for (double k = std::ceil(least / step - 1e-9); k * step <= most + 1e-9 * step; k += 1.0)
    ticks.push_back({.value = k * step, .text = short_number(k * step), .exponent = ""});
  return ticks;
}

std::vector<Tick> decade_ticks(double least, double most, int wanted) {
  const int first = static_cast<int>(std::ceil(std::log10(least) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(most) + 1e-9));
  const int step = std::max(1, (last - first + wanted) / wanted);
  std::vector<Tick> ticks;
  for (int k = first; k <= last; ++k)
    if (k % step == 0)
      ticks.push_back(
          {.value = std::pow(10.0, k), .text = "10", .exponent = k < 0 ? "−" + std::to_string(-k) : std::to_string(k)});
  return ticks;
}

// For less than two decades, where powers of ten alone would be too few.
std::vector<Tick> fine_log_ticks(double least, double most) {
  std::vector<Tick> ticks;
  for (int k = static_cast<int>(std::floor(std::log10(least))); std::pow(10.0, k) <= most; ++k)
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10.0, k);
      if (value >= least * (1.0 - 1e-9) && value <= most * (1.0 + 1e-9))
        ticks.push_back({.value = value, .text = short_number(value), .exponent = ""});
    }
  return ticks;
}

}  // namespace

Axis::Axis(bool log, const std::vector<double>& values) : log_(log), least_(log ? 1.0 : 0.0), most_(log ? 10.0 : 1.0) {
  bool first = true;
  for (const double value : values) {
    if (!can_show(value)) continue;
    least_ = first ? value : std::min(least_, value);
    most_ = first ? value : std::max(most_, value);
    first = false;
  }
  if (least_ < most_) return;
  // A single value stands in the middle.
  const double value = least_;
  least_ = log ? value / 2.0 : value - std::max(1.0, std::abs(value)) / 2.0;
  most_ = log ? value * 2.0 : value + std::max(1.0, std::abs(value)) / 2.0;
}

bool Axis::can_show(double value) const { return std::isfinite(value) && (!log_ || value > 0.0); }

double Axis::fraction(double value) const {
  if (!(value > least_)) return 0.0;
  if (value >= most_) return 1.0;
  return log_ ? std::log(value / least_) / std::log(most_ / least_) : (value - least_) / (most_ - least_);
}

std::vector<Tick> Axis::ticks(int wanted) const {
  if (!log_) return linear_ticks(least_, most_, wanted);
  if (most_ / least_ >= 100.0) return decade_ticks(least_, most_, wanted);
  const std::vector<Tick> ticks = fine_log_ticks(least_, most_);
  return ticks.size() > 2 ? ticks : linear_ticks(least_, most_, wanted);
}

}  // namespace driftless
