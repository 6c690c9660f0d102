#include "driftless/objectives/glm/family_rows.hpp"

#include "driftless/core/check.hpp"
#include "driftless/kernels/exponential.hpp"
#include "driftless/kernels/lane_sum.hpp"
#include "driftless/kernels/logistic.hpp"
#include "driftless/objectives/linear/scratch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

// One row of each family: t the prediction, y the label, e = exp(argument(t)) where there is an argument.
struct SquaredRow {
  double value(double t, double y, double) const { return 0.5 * (t - y) * (t - y); }
  double slope(double t, double y, double) const { return t - y; }
  double curvature(double, double, double) const { return 1.0; }
};

struct PoissonRow {
  static double argument(double t) { return t; }
  double value(double t, double y, double e) const { return y == 0.0 ? e : e - y * t; }
  double slope(double, double y, double e) const { return e - y; }
  double curvature(double, double, double e) const { return e; }
};

struct GammaRow {
  static double argument(double t) { return -t; }
  double value(double t, double y, double e) const {
    return e == std::numeric_limits<double>::infinity() ? e : y * e + t;
  }
  double slope(double, double y, double e) const { return 1.0 - y * e; }
  double curvature(double, double y, double e) const { return y * e; }
  double expected(double, double, double) const { return 1.0; }  // the mean of y is 1/e
};

struct HuberRow {
  double delta;
  double value(double t, double y, double) const {
    const double r = std::abs(t - y);
    return r <= delta ? 0.5 * r * r : delta * r - 0.5 * delta * delta;
  }
  double slope(double t, double y, double) const { return std::clamp(t - y, -delta, delta); }
  double curvature(double t, double y, double) const { return std::abs(t - y) <= delta ? 1.0 : 0.0; }
};

struct SquaredHingeRow {
  double value(double t, double y, double) const {
    const double gap = std::max(0.0, 1.0 - y * t);
    return 0.5 * gap * gap;
  }
  double slope(double t, double y, double) const { return -y * std::max(0.0, 1.0 - y * t); }
  double curvature(double t, double y, double) const { return y * t < 1.0 ? 1.0 : 0.0; }
};

// |r| convolved with the uniform density on [−δ, δ] is r²/(2δ) + δ/2 inside.
struct QuantileRow {
  double delta;
  double tau;
  double value(double t, double y, double) const {
    const double r = t - y;
    const double size = std::abs(r);
    return (size <= delta ? 0.25 * (size * size / delta + delta) : 0.5 * size) - (tau - 0.5) * r;
  }
  double slope(double t, double y, double) const { return 0.5 * std::clamp((t - y) / delta, -1.0, 1.0) - (tau - 0.5); }
  double curvature(double t, double y, double) const { return std::abs(t - y) <= delta ? 0.5 / delta : 0.0; }
};

template <class Use>
auto with_row(const FamilyOptions& options, const Use& use) {
  switch (options.family) {
    case Family::least_squares: return use(SquaredRow{});
    case Family::poisson: return use(PoissonRow{});
    case Family::gamma: return use(GammaRow{});
    case Family::huber: return use(HuberRow{options.delta});
    case Family::squared_hinge: return use(SquaredHingeRow{});
    case Family::quantile: return use(QuantileRow{options.delta, options.tau});
    case Family::logistic:
    case Family::multinomial: break;
  }
  DRIFTLESS_ASSERT(false, "families with kernels of their own are handled before");
  return use(SquaredRow{});
}

double weighted(double weight, double number) { return weight == 0.0 ? 0.0 : weight * number; }

// The exponentials that a row needs, or t in their stead, which is not read.
template <class Row>
std::span<const double> exponentials_of(const Row& /*row*/, std::span<const double> t) {
  if constexpr (requires { Row::argument(0.0); }) {
    const std::span<double> e = scratch<Row>(t.size());
    for (std::size_t j = 0; j < t.size(); ++j) e[j] = Row::argument(t[j]);
    exponentials(e, e);
    return e;
  } else return t;
}

template <class Row>
double sum_of(const Row& row, std::span<const double> t, std::span<const double> e, RowLabels rows) {
  const double* y = rows.label.data();
  if (rows.weight.empty()) return lane_sum(t.size(), [&](std::size_t j) { return row.value(t[j], y[j], e[j]); });
  const double* s = rows.weight.data();
  return lane_sum(t.size(), [&](std::size_t j) { return weighted(s[j], row.value(t[j], y[j], e[j])); });
}

// t_j ← scale s_j number(t_j, y_j, e_j)
template <class Number>
void map_rows(std::span<double> t, std::span<const double> e, RowLabels rows, double scale, const Number& number) {
  const double* y = rows.label.data();
  const double* s = rows.weight.data();
  if (rows.weight.empty())
    for (std::size_t j = 0; j < t.size(); ++j) t[j] = scale * number(t[j], y[j], e[j]);
  else
    for (std::size_t j = 0; j < t.size(); ++j) t[j] = weighted(scale * s[j], number(t[j], y[j], e[j]));
}
template <class Row>
void slopes_of(const Row& row, std::span<double> t, std::span<const double> e, RowLabels rows, double scale) {
  map_rows(t, e, rows, scale, [&](double at, double y, double exponential) { return row.slope(at, y, exponential); });
}
template <class Row>
void curvatures_of(const Row& row, std::span<double> t, RowLabels rows, double scale) {
  map_rows(t, exponentials_of(row, t), rows, scale,
           [&](double at, double y, double exponential) { return row.curvature(at, y, exponential); });
}

void multiply_by(std::span<const double> weights, std::span<double> t) {
  for (std::size_t j = 0; j < weights.size(); ++j) t[j] = weighted(weights[j], t[j]);
}

// Rows with weights cannot share a logarithm as those of the kernel do.
double logistic_sum(std::span<const double> t, RowLabels rows) {
  if (rows.weight.empty()) return logistic_value(t, rows.label);
  const double* y = rows.label.data();
  const double* s = rows.weight.data();
  const std::span<double> tail = scratch<RowLabels>(t.size());
  for (std::size_t j = 0; j < t.size(); ++j) tail[j] = -std::abs(t[j]);
  exponentials(tail, tail);
  logarithms_of_one_plus(tail, tail);
  return lane_sum(t.size(), [&](std::size_t j) { return weighted(s[j], std::max(-y[j] * t[j], 0.0) + tail[j]); });
}

}  // namespace

double loss_sum(const FamilyOptions& options, std::span<const double> eta, RowLabels rows) {
  if (options.family == Family::logistic) return logistic_sum(eta, rows);
  return with_row(options, [&](const auto& row) { return sum_of(row, eta, exponentials_of(row, eta), rows); });
}

void loss_slopes(const FamilyOptions& options, std::span<double> eta, RowLabels rows, double scale) {
  if (options.family == Family::logistic) {
    logistic_slopes(eta, rows.label, scale, eta);
    multiply_by(rows.weight, eta);
    return;
  }
  with_row(options, [&](const auto& row) { slopes_of(row, eta, exponentials_of(row, eta), rows, scale); });
}

double loss_sum_slopes(const FamilyOptions& options, std::span<double> eta, RowLabels rows, double scale) {
  if (options.family == Family::logistic) {
    if (rows.weight.empty()) return logistic_value_slopes(eta, rows.label, scale, eta);
    const double sum = logistic_sum(eta, rows);
    loss_slopes(options, eta, rows, scale);
    return sum;
  }
  return with_row(options, [&](const auto& row) {
    const std::span<const double> e = exponentials_of(row, eta);
    const double sum = sum_of(row, eta, e, rows);
    slopes_of(row, eta, e, rows, scale);
    return sum;
  });
}

void loss_curvatures(const FamilyOptions& options, std::span<double> eta, RowLabels rows, double scale) {
  if (options.family == Family::logistic) {
    logistic_curvatures(eta, scale, eta);
    multiply_by(rows.weight, eta);
    return;
  }
  with_row(options, [&](const auto& row) { curvatures_of(row, eta, rows, scale); });
}

void expected_curvatures(const FamilyOptions& options, std::span<double> eta, RowLabels rows) {
  if (options.family != Family::gamma) return loss_curvatures(options, eta, rows, 1.0);
  const GammaRow row;
  map_rows(eta, eta, rows, 1.0, [&](double t, double y, double e) { return row.expected(t, y, e); });
}

}  // namespace driftless
