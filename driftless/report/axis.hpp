// One axis of a drawing: the range it shows, where a value stands on it, and its ticks.
#pragma once

#include <string>
#include <vector>

namespace driftless {

struct Tick {
  double value = 0.0;
  std::string text;      // "0.5", "20k"; the base 10 for a power
  std::string exponent;  // of a power of ten: "−4"; empty otherwise
};

class Axis {
 public:
  static constexpr int usual_ticks = 6;

  // Wide enough for all the values that can be shown: finite, and positive on a logarithmic axis.
  Axis(bool log, const std::vector<double>& values);

  bool log() const { return log_; }
  double least() const { return least_; }
  double most() const { return most_; }

  bool can_show(double value) const;
  double fraction(double value) const;                      // 0 at the lower end, 1 at the upper; clamped to [0, 1]
  std::vector<Tick> ticks(int wanted = usual_ticks) const;  // about so many

 private:
  bool log_;
  double least_;
  double most_;
};

}  // namespace driftless
