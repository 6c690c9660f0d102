#include "driftless/objectives/quadratic/quadratic_recipes.hpp"

#include "driftless/objectives/quadratic/constants.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

constexpr Index small_curvatures = 20;  // of the convex class
constexpr Index pattern_width = 5;      // coordinates that carry the largest client deviations
constexpr Index low_mean_every = 5;     // of the non-convex class

Index size(std::size_t count) { return static_cast<Index>(count); }

// The recipes are stated for L = 100; this is their unit for any other L.
double unit(const QuadraticSpec& spec) { return spec.L / 100.0; }

// The pinned values, one coordinate each, which all samples of all clients share.
std::vector<double> pins(const QuadraticSpec& spec) {
  std::vector<double> values;
  if (spec.convexity == QuadraticClass::strongly_convex) values.push_back(given(spec.mu));
  if (spec.convexity == QuadraticClass::convex)
    for (int k = 1; k <= small_curvatures; ++k) values.push_back(std::ldexp(unit(spec), -k));
  values.push_back(spec.L);
  return values;
}

// Centred values whose largest is `peak` in absolute value; all zero where there is only one.
void centre_and_scale(Eigen::Ref<Vector> values, double peak) {
  values.array() -= values.mean();
  const double largest = values.cwiseAbs().maxCoeff();
  if (values.size() == 1 || largest == 0.0) values.setZero();
  else values *= peak / largest;
}

Vector uniform_vector(Stream& stream, Index length, double low, double high) {
  return Vector::NullaryExpr(length, [&] { return stream.uniform(low, high); });
}

Vector free_means(const QuadraticSpec& spec, Index free) {
  Stream stream = chance(spec, QuadraticChance::mean);
  const double margin = given(spec.delta) + given(spec.spread);
  const double low = lowest_free_curvature(spec) + margin;
  const bool has_low = spec.convexity == QuadraticClass::non_convex;
  Vector mean(free);
  for (Index k = 0; k < free; ++k) {
    const bool is_low = has_low && k % low_mean_every == low_mean_every - 1;
    mean[k] = is_low ? stream.uniform(given(spec.delta), given(spec.delta) + 0.5 * given(spec.spread))
                     : stream.uniform(low, spec.L - margin);
  }
  return mean;
}

// Deviations of the clients on one pattern coordinate: +delta for half of them, −delta for the others, 0 for one if n
// is odd, shifted cyclically.
Vector pattern(const QuadraticSpec& spec, Index shift) {
  const Index n = size(spec.clients);
  Vector values(n);
  for (Index i = 0; i < n; ++i) {
    const Index position = (i + shift) % n;
    values[i] = position < n / 2 ? given(spec.delta) : position < n / 2 * 2 ? -given(spec.delta) : 0.0;
  }
  return values;
}

// The clients but for the last one, of which all but at most one form pairs.
struct Pairs {
  double others;
  double paired;
};
Pairs pairs_of(const QuadraticSpec& spec) {
  const std::size_t others = spec.clients - 1;
  return {static_cast<double>(others), static_cast<double>(others / 2 * 2)};
}

// The last client deviates by delta, the others by −delta/(n − 1) ± w in pairs, which centres them. The mean square
// (delta² n/(n − 1) + paired w²)/n is to be delta_A².
Vector pattern_with_outlier(const QuadraticSpec& spec) {
  const Index n = size(spec.clients);
  const auto [others, paired] = pairs_of(spec);
  const double delta = given(spec.delta);
  const double square = (others + 1.0) * (given(spec.delta_A) * given(spec.delta_A) - delta * delta / others);
  const double w = paired > 0.0 ? std::sqrt(std::max(0.0, square) / paired) : 0.0;
  Vector values = Vector::Constant(n, -delta / others);
  values[n - 1] = delta;
  for (Index i = 0; i + 1 < n - 1; i += 2) {
    values[i] += w;
    values[i + 1] -= w;
  }
  return values;
}

// Column i: the diagonal deviation of client i on the free coordinates.
Matrix client_deviations(const QuadraticSpec& spec, Index free) {
  Stream stream = chance(spec, QuadraticChance::deviation);
  Matrix deviation(free, size(spec.clients));
  const double largest = spec.delta_A.value_or(given(spec.delta));  // beyond the pattern
  for (Index k = 0; k < free; ++k) {
    if (k < pattern_width) {
      deviation.row(k) = (spec.delta_A ? pattern_with_outlier(spec) : pattern(spec, k)).transpose();
      continue;
    }
    Vector noise = uniform_vector(stream, deviation.cols(), -1.0, 1.0);
    centre_and_scale(noise, largest * stream.uniform());
    deviation.row(k) = noise.transpose();
  }
  return deviation;
}

// Random symmetric matrices on the free coordinates, zero on the pins, centred over clients, the largest norm delta.
// The pins stay common eigenvectors, so L and mu are exact although the matrices do not commute.
std::vector<Matrix> client_couplings(const QuadraticSpec& spec, Index pinned) {
  const Index d = size(spec.dim);
  const Index free = d - pinned;
  std::vector<Matrix> couplings(spec.clients, Matrix::Zero(d, d));
  if (given(spec.delta) == 0.0) return couplings;
  Matrix mean = Matrix::Zero(free, free);
  for (std::size_t i = 0; i < spec.clients; ++i) {
    Stream stream = chance(spec, QuadraticChance::coupling, i);
    const Matrix g = Matrix::NullaryExpr(free, free, [&] { return stream.normal(); });
    couplings[i].bottomRightCorner(free, free) = g + g.transpose();
    mean += (g + g.transpose()) / static_cast<double>(spec.clients);
  }
  double largest = 0.0;
  for (Matrix& coupling : couplings) {
    coupling.bottomRightCorner(free, free) -= mean;
    largest = std::max(largest, spectral_norm(coupling.bottomRightCorner(free, free)));
  }
  for (Matrix& coupling : couplings) coupling *= given(spec.delta) / largest;
  return couplings;
}

// Rescales the first coordinates to the means u 2^-20, …, u 2^-1 over all samples, then drops entries by coin.
void make_convex_r1(const QuadraticSpec& spec, std::vector<Matrix>& curvature) {
  const double samples = static_cast<double>(spec.clients * spec.samples);
  for (Index k = 0; k < small_curvatures; ++k) {
    double mean = 0.0;
    for (const Matrix& a : curvature) mean += a.row(k).sum() / samples;
    const double wanted = std::ldexp(unit(spec), static_cast<int>(k - small_curvatures));
    for (Matrix& a : curvature) a.row(k) *= wanted / mean;
  }
  for (std::size_t i = 0; i < curvature.size(); ++i) {
    Stream stream = chance(spec, QuadraticChance::keep, i);
    for (Index k = 0; k < small_curvatures; ++k)
      for (Index j = 0; j < curvature[i].cols(); ++j)
        if (!stream.bernoulli(0.5)) curvature[i](k, j) = 0.0;
  }
}

}  // namespace

Stream chance(const QuadraticSpec& spec, QuadraticChance use, std::size_t client) {
  return Stream(spec.seed, Purpose::generator, client, static_cast<std::uint64_t>(use));
}

DissimilarityRange possible_delta_A(const QuadraticSpec& spec) {
  const auto [others, paired] = pairs_of(spec);
  const double delta2 = given(spec.delta) * given(spec.delta);
  if (others == 0.0) return {0.0, 0.0};
  const double w2 = delta2 * (others - 1.0) * (others - 1.0) / (others * others);  // then delta/(n − 1) + w = delta
  return {std::sqrt(delta2 / others), std::sqrt(delta2 / others + paired * w2 / (others + 1.0))};
}

double lowest_free_curvature(const QuadraticSpec& spec) {
  if (spec.convexity == QuadraticClass::non_convex) return 0.0;
  return spec.convexity == QuadraticClass::convex ? unit(spec) : given(spec.mu);
}

std::size_t least_dim(const QuadraticSpec& spec) {
  if (spec.recipe == QuadraticRecipe::r1) return spec.convexity == QuadraticClass::convex ? small_curvatures + 1 : 1;
  if (given(spec.delta) == 0.0) return pins(spec).size();
  // With an odd number of clients one has no deviation on each pattern coordinate; a second coordinate gives it one.
  return pins(spec).size() + (spec.clients % 2 == 0 ? 1 : 2);
}

QuadraticDraw draw_r1(const QuadraticSpec& spec) {
  const Index d = size(spec.dim);
  const Index m = size(spec.samples);
  Stream base_stream = chance(spec, QuadraticChance::mean);
  const Vector base = uniform_vector(base_stream, d, 0.0, 110.0 * unit(spec));
  QuadraticDraw draw;
  for (std::size_t i = 0; i < spec.clients; ++i) {
    Stream stream = chance(spec, QuadraticChance::sample, i);
    Matrix a(d, m);
    for (Index j = 0; j < m; ++j) a.col(j) = base + uniform_vector(stream, d, 0.0, 18.0 * unit(spec));
    draw.curvature.emplace_back(a.cwiseMax(unit(spec)).cwiseMin(spec.L));
  }
  if (spec.convexity == QuadraticClass::convex) make_convex_r1(spec, draw.curvature);
  return draw;
}

QuadraticDraw draw_r2(const QuadraticSpec& spec) {
  const std::vector<double> pinned = pins(spec);
  const Index first_free = size(pinned.size());
  const Index free = size(spec.dim) - first_free;
  const bool coupled = spec.structure == QuadraticStructure::dense;
  const Vector mean = free_means(spec, free);
  const Matrix deviation = coupled ? Matrix::Zero(free, size(spec.clients)) : client_deviations(spec, free);
  QuadraticDraw draw;
  for (std::size_t i = 0; i < spec.clients; ++i) {
    Stream stream = chance(spec, QuadraticChance::sample, i);
    Matrix a(size(spec.dim), size(spec.samples));
    for (Index k = 0; k < first_free; ++k) a.row(k).setConstant(pinned[static_cast<std::size_t>(k)]);
    for (Index k = 0; k < free; ++k) {
      Vector noise = uniform_vector(stream, a.cols(), -1.0, 1.0);
      centre_and_scale(noise, given(spec.spread));
      a.row(first_free + k) = noise.transpose().array() + (mean[k] + deviation(k, size(i)));
    }
    draw.curvature.push_back(std::move(a));
  }
  if (coupled) draw.coupling = client_couplings(spec, first_free);
  return draw;
}

}  // namespace driftless
