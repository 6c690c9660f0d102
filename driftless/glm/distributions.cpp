#include "driftless/glm/distributions.hpp"

#include "driftless/core/check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

namespace driftless {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Γ(a + ½)/Γ(a). The quotient of the functions themselves would lose digits in proportion to a, so small a are raised
// by Γ(a + 1) = a Γ(a) until the asymptotic series in 1/a is exact to rounding.
double gamma_half_ratio(double a) {
  double lifted = 1.0;
  for (; a < 32.0; a += 1.0) lifted *= a / (a + 0.5);
  const double u = 1.0 / (8.0 * a);
  // log Γ(a + ½) − log Γ(a) − ½ log a in powers of 1/a.
  const double a2 = 1.0 / (a * a);
  const double series = u * (-1.0 + a2 * (1.0 / 24.0 + a2 * (-1.0 / 80.0 + a2 * (17.0 / 1792.0))));
  return std::sqrt(a) * std::exp(series) * lifted;
}

// The continued fraction of the incomplete beta function by the modified Lentz algorithm (Abramowitz and Stegun
// 26.5.8); it converges for x < (a + 1)/(a + b + 2) in about √max(a, b) terms.
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  const auto away_from_zero = [](double v) { return std::abs(v) < tiny ? tiny : v; };
  double c = 1.0, d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0)), fraction = d;
  for (double m = 1.0; m < 1e7; m += 1.0) {
    const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
    d = 1.0 / away_from_zero(1.0 + even * d);
    c = away_from_zero(1.0 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
    d = 1.0 / away_from_zero(1.0 + odd * d);
    c = away_from_zero(1.0 + odd / c);
    fraction *= d * c;
    if (std::abs(d * c - 1.0) <= epsilon) break;
  }
  return fraction;
}

// Half of the mass of Student's distribution at 0 < t: beyond t, and between 0 and t; the larger one by difference.
struct Halves {
  double beyond;
  double within;
};

Halves student_halves_of_few(double t, double degrees) {
  const double a = 0.5 * degrees, square = t * t / degrees;
  // x^a (1 − x)^½ / B(a, ½) with x = 1/(1 + t²/ν), without differences of large logarithms.
  const double front = std::exp(-a * std::log1p(square)) * std::sqrt(square / (1.0 + square)) * gamma_half_ratio(a) /
                       std::sqrt(std::numbers::pi);
  const double x = 1.0 / (1.0 + square);
  if (x < (a + 1.0) / (a + 2.5)) {
    const double beyond = 0.5 * front * beta_fraction(a, 0.5, x) / a;
    return {beyond, 0.5 - beyond};
  }
  const double within = front * beta_fraction(0.5, a, square / (1.0 + square));
  return {0.5 - within, within};
}

Halves normal_halves(double x) {
  // x/√2 in two parts: the rounding of one would change the tail by x² of its units.
  constexpr double root = 0.70710678118654752440, root_rest = -4.8336466567264567e-17;
  const double y = x * root, rest = std::fma(x, root, -y) + x * root_rest;
  const double slope = std::exp(-y * y) / std::sqrt(std::numbers::pi);
  return {0.5 * std::erfc(y) - slope * rest, 0.5 * std::erf(y) + slope * rest};
}

double normal_density(double x) { return std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi); }

// For many degrees of freedom ν, where the fraction above loses digits. With z² = ν log(1 + t²/ν) the density is
// c exp(−z²/2) h(z²/ν), h(w) = √(w/(1 − e^{−w})), of which a few terms of the power series are enough. The moments of
// the normal distribution follow from each other: m_k = ±z^{2k−1} φ(z) + (2k − 1) m_{k−1}.
Halves student_halves_of_many(double t, double degrees) {
  constexpr std::array<double, 9> h{1.0,
                                    1.0 / 4.0,
                                    1.0 / 96.0,
                                    -1.0 / 384.0,
                                    -1.0 / 10240.0,
                                    19.0 / 368640.0,
                                    79.0 / 61931520.0,
                                    -55.0 / 49545216.0,
                                    -2339.0 / 118908518400.0};
  const double square = degrees * std::log1p(t * t / degrees), z = std::sqrt(square);
  const double c = gamma_half_ratio(0.5 * degrees) * std::sqrt(2.0 / degrees);
  Halves moment = normal_halves(z), sum = moment;
  double edge = normal_density(z) * z, scale = 1.0;
  for (std::size_t k = 1; k < h.size(); ++k) {
    const double factor = 2.0 * static_cast<double>(k) - 1.0;
    moment = {factor * moment.beyond + edge, factor * moment.within - edge};
    edge *= square;
    scale /= degrees;
    sum.beyond += h[k] * scale * moment.beyond;
    sum.within += h[k] * scale * moment.within;
  }
  return {c * sum.beyond, c * sum.within};
}

Halves student_halves(double t, double degrees) {
  return degrees < 500.0 ? student_halves_of_few(t, degrees) : student_halves_of_many(t, degrees);
}

double student_density(double t, double degrees) {
  const double front = gamma_half_ratio(0.5 * degrees) / std::sqrt(degrees * std::numbers::pi);
  return front * std::exp(-0.5 * (degrees + 1.0) * std::log1p(t * t / degrees));
}

// Solves halves(x).beyond = tail for tail < ½, or halves(x).within = middle near the centre, by Newton's method inside
// a bracket, so that it converges from any start. The tail is compared by its logarithm, in which it is nearly linear.
template <class HalvesOf, class Density>
double upper_quantile(double tail, double middle, double start, const HalvesOf& halves, const Density& density) {
  const bool central = middle < 0.25;
  double low = 0.0, high = std::numeric_limits<double>::infinity(), x = start;
  for (int step = 0; step < 200; ++step) {
    const Halves at = halves(x);
    const double miss = central ? middle - at.within : at.beyond * std::log(at.beyond / tail);
    (miss > 0.0 ? low : high) = x;
    double next = x + miss / density(x);
    if (!(next > low && next < high)) next = std::isinf(high) ? 2.0 * x : 0.5 * (low + high);
    if (std::abs(next - x) <= 0.5 * epsilon * x) return next;
    x = next;
  }
  return x;
}

// A first guess, to 5e-4 (Abramowitz and Stegun 26.2.23).
double rough_normal_quantile(double tail) {
  const double t = std::sqrt(-2.0 * std::log(tail));
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

template <class HalvesOf, class Density>
double quantile(double probability, const HalvesOf& halves, const Density& density) {
  DRIFTLESS_ASSERT(probability > 0.0 && probability < 1.0, "a quantile needs a probability between 0 and 1");
  if (probability == 0.5) return 0.0;
  const bool upper = probability > 0.5;
  const double tail = upper ? 1.0 - probability : probability;
  const double middle = std::abs(probability - 0.5);
  const double start = std::max(rough_normal_quantile(tail), middle);
  const double x = upper_quantile(tail, middle, start, halves, density);
  return upper ? x : -x;
}

double upper_tail(double x, const Halves& halves) { return x >= 0.0 ? halves.beyond : 0.5 + halves.within; }

// x^a e^−x / Γ(a + 1).
double poisson_term(double a, double x) {
  if (a < 32.0) return std::exp(a * std::log(x) - x) / std::tgamma(a + 1.0);
  // By Stirling's series, with the difference of large terms in closed form: a log(x/a) − (x − a).
  const double excess = (x - a) / a;
  const double gap = a * (std::log1p(excess) - excess);
  const double a2 = 1.0 / (a * a);
  const double series = (1.0 / 12.0 + a2 * (-1.0 / 360.0 + a2 * (1.0 / 1260.0 - a2 / 1680.0))) / a;
  return std::exp(gap - series) / std::sqrt(2.0 * std::numbers::pi * a);
}

// P(a, x) by its power series, for x < a + 1.
double gamma_series(double a, double x) {
  double term = 1.0, sum = 1.0;
  for (double k = 1.0; term > 0.25 * epsilon * sum; k += 1.0) sum += term *= x / (a + k);
  return poisson_term(a, x) * sum;
}

// Q(a, x) by its continued fraction, for x ≥ a + 1.
double gamma_fraction(double a, double x) {
  double b = x + 1.0 - a, c = 1e300, d = 1.0 / b, fraction = d;
  for (double k = 1.0; k < 1e7; k += 1.0) {
    const double numerator = -k * (k - a);
    b += 2.0;
    d = 1.0 / (numerator * d + b);
    c = b + numerator / c;
    fraction *= d * c;
    if (std::abs(d * c - 1.0) <= epsilon) break;
  }
  return poisson_term(a, x) * a * fraction;
}

}  // namespace

double normal_tail(double x) { return upper_tail(x, normal_halves(std::abs(x))); }

double normal_quantile(double level) { return quantile(level, normal_halves, normal_density); }

double student_tail(double t, double degrees) {
  DRIFTLESS_ASSERT(degrees > 0.0, "a distribution of Student needs degrees of freedom");
  if (std::isinf(degrees)) return normal_tail(t);
  if (std::isinf(t)) return t > 0.0 ? 0.0 : 1.0;
  return t == 0.0 ? 0.5 : upper_tail(t, student_halves(std::abs(t), degrees));
}

double student_quantile(double level, double degrees) {
  DRIFTLESS_ASSERT(degrees > 0.0, "a distribution of Student needs degrees of freedom");
  if (std::isinf(degrees)) return normal_quantile(level);
  return quantile(
      level, [&](double t) { return student_halves(t, degrees); },
      [&](double t) { return student_density(t, degrees); });
}

double chi_squared_tail(double x, double degrees) {
  DRIFTLESS_ASSERT(degrees > 0.0, "a chi-squared distribution needs degrees of freedom");
  if (x <= 0.0) return 1.0;
  if (std::isinf(x)) return 0.0;
  const double a = 0.5 * degrees, half = 0.5 * x;
  return half < a + 1.0 ? 1.0 - gamma_series(a, half) : gamma_fraction(a, half);
}

}  // namespace driftless
