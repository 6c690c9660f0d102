#include "driftless/privacy/sampled_gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace driftless {
namespace {

// log erfc(x). Where erfc comes close to the smallest double, five terms of its asymptotic series have all digits.
double log_erfc(double x) {
  if (x < 20.0) return std::log(std::erfc(x));
  const double s = 1.0 / (2.0 * x * x);
  const double series = -s + s * s * (3.0 - s * (15.0 - s * (105.0 - s * 945.0)));
  return -x * x - std::log(x) - 0.5 * std::log(std::numbers::pi) + std::log1p(series);
}

// A sum of terms of either sign and any size, each given by its logarithm.
class LogSum {
 public:
  void add(double log_size, double sign) {
    terms_.push_back({log_size, sign});
    most_ = std::max(most_, log_size);
  }
  double most() const { return most_; }

  double log() const {
    double sum = 0.0;
    for (const Term& term : terms_) sum += term.sign * std::exp(term.log_size - most_);
    return most_ + std::log(sum);
  }

 private:
  struct Term {
    double log_size;
    double sign;
  };

  std::vector<Term> terms_;
  double most_ = -std::numeric_limits<double>::infinity();
};

// The binomial coefficients C(α, 0), C(α, 1), … of a real α, by size and sign.
class Binomials {
 public:
  explicit Binomials(double order) : order_(order) {}

  double log_size() const { return log_size_; }
  double sign() const { return sign_; }
  void next() {
    const double factor = (order_ - index_) / (index_ + 1.0);
    log_size_ += std::log(std::abs(factor));
    if (factor < 0.0) sign_ = -sign_;
    index_ += 1.0;
  }

 private:
  double order_;
  double index_ = 0.0;
  double log_size_ = 0.0;
  double sign_ = 1.0;
};

// The binomial theorem, and E e^{k(2t − 1)/(2z²)} = e^{k(k − 1)/(2z²)}:  A = Σ_k C(α, k) (1 − q)^{α − k} q^k e^{…}.
double log_moment_of_whole_order(double order, double noise, double rate) {
  LogSum sum;
  Binomials binomials(order);
  for (double k = 0.0; k <= order; k += 1.0) {
    sum.add(binomials.log_size() + (order - k) * std::log1p(-rate) + k * std::log(rate) +
                k * (k - 1.0) / (2.0 * noise * noise),
            1.0);
    binomials.next();
  }
  return sum.log();
}

// Below z₀, where both terms of the base are equal, the first is the larger one, above it the second: on each side the
// binomial series of the real order converges. The integral of e^{k(2t − 1)/(2z²)} over a side is that over the whole
// line times the chance that N(k, z²) lies on that side.
class SplitSeries {
 public:
  SplitSeries(double order, double noise, double rate)
      : order_(order),
        noise_(noise),
        log_rate_(std::log(rate)),
        log_rest_(std::log1p(-rate)),
        split_(noise * noise * (log_rest_ - log_rate_) + 0.5) {}

  double split() const { return split_; }  // z₀
  // Of C(α, i) without that factor, both sides.
  double below(double i) const { return side(i, (i - split_) / (std::numbers::sqrt2 * noise_)); }
  double above(double i) const {
    const double k = order_ - i;
    return side(k, (split_ - k) / (std::numbers::sqrt2 * noise_));
  }

 private:
  double side(double k, double x) const {
    return (order_ - k) * log_rest_ + k * log_rate_ + k * (k - 1.0) / (2.0 * noise_ * noise_) + log_erfc(x) -
           std::numbers::ln2;
  }

  double order_;
  double noise_;
  double log_rate_;
  double log_rest_;
  double split_;
};

// Behind the order the terms alternate, and behind z₀, or α − z₀, they fall like a power of their index only. What is
// left there when they are small is half the next term and a quarter of its change (Euler's transformation), up to the
// second difference of small terms.
double log_moment(double order, double noise, double rate) {
  const double small = std::log(1e-9);
  const double nothing = std::log(1e-15);
  const SplitSeries series(order, noise, rate);
  LogSum sum;
  Binomials binomials(order);
  const auto add_both = [&](double i, double weight) {
    const double low = series.below(i) + binomials.log_size();
    const double high = series.above(i) + binomials.log_size();
    sum.add(low + std::log(weight), binomials.sign());
    sum.add(high + std::log(weight), binomials.sign());
    binomials.next();
    return std::max(low, high);
  };
  const double smooth = std::max({order, series.split(), order - series.split()}) + 100.0;
  const auto continues = [&](double i, double size) {
    return i <= order + 2.0 || size > sum.most() + (i < smooth ? nothing : small);
  };
  double i = 0.0;
  for (double size = 0.0; continues(i, size); i += 1.0) size = add_both(i, 1.0);
  add_both(i, 0.75);
  add_both(i + 1.0, 0.25);
  return sum.log();
}

}  // namespace

double sampled_gaussian_rdp(double order, double noise, double rate) {
  if (rate == 1.0) return order / (2.0 * noise * noise);
  const bool whole = order == std::floor(order);
  const double log_a = whole ? log_moment_of_whole_order(order, noise, rate) : log_moment(order, noise, rate);
  return std::max(0.0, log_a) / (order - 1.0);
}

}  // namespace driftless
