#include "driftless/glm/prediction.hpp"

#include "driftless/core/check.hpp"

#include <algorithm>
#include <array>

namespace driftless {
namespace {

constexpr std::size_t dot_lanes = 8;  // which the stride is a multiple of

// Eight sums side by side, which the compiler turns into vector instructions, added in a fixed order.
double dot_product(const double* row, const double* coefficients, std::size_t stride) {
  std::array<double, dot_lanes> sum{};
  for (std::size_t k = 0; k < stride; k += dot_lanes)
    for (std::size_t lane = 0; lane < dot_lanes; ++lane) sum[lane] += row[k + lane] * coefficients[k + lane];
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

void add_dense(const GlmRows& rows, std::span<const double> coefficients, std::size_t first, std::size_t step,
               std::vector<double>& eta) {
  std::vector<double> padded(rows.stride, 0.0);
  std::ranges::copy(coefficients, padded.begin());
  for (std::size_t row = 0; first + row * step < eta.size(); ++row)
    eta[first + row * step] += dot_product(rows.dense.data() + row * rows.stride, padded.data(), rows.stride);
}

void add_sparse(const Dataset& rows, std::span<const double> coefficients, std::size_t first, std::size_t step,
                std::vector<double>& eta) {
  for (std::size_t row = 0; first + row * step < eta.size(); ++row) {
    double sum = 0.0;
    const auto end = static_cast<std::size_t>(rows.row_start[row + 1]);
    for (auto k = static_cast<std::size_t>(rows.row_start[row]); k < end; ++k)
      sum += rows.value[k] * coefficients[static_cast<std::size_t>(rows.column[k])];
    eta[first + row * step] += sum;
  }
}

}  // namespace

std::vector<double> linear_predictions(const GlmModel& model, const Design& design) {
  const std::size_t step = model.family.predictions();
  const std::size_t variables = model.coding.variables();
  const GlmRows& rows = design.rows;
  DRIFTLESS_ASSERT(static_cast<std::size_t>(rows.columns) == variables, "the design has the coding of the model");
  std::vector<double> eta(design.kept.size() * step);
  for (std::size_t p = 0; p < step; ++p) {
    const std::span<const double> block(model.coefficients.data() + p * model.width(), model.width());
    for (std::size_t row = 0; row < design.kept.size(); ++row)
      eta[row * step + p] = (model.intercept ? block.back() : 0.0) + (rows.offset.empty() ? 0.0 : rows.offset[row]);
    if (!rows.dense.empty()) add_dense(rows, block.first(variables), p, step, eta);
    else if (variables > 0) add_sparse(rows.sparse, block.first(variables), p, step, eta);
  }
  return eta;
}

std::vector<std::string> value_names(const GlmModel& model) {
  switch (model.family.family) {
    case Family::logistic: return {"probability"};
    case Family::multinomial: {
      std::vector<std::string> names;
      for (const std::string& name : model.coding.classes) names.push_back("probability=" + name);
      return names;
    }
    case Family::huber: return {"location"};
    case Family::quantile: return {"quantile"};
    case Family::squared_hinge: return {"score"};
    default: return {"mean"};
  }
}

void predicted_values(const GlmModel& model, std::span<const double> eta, std::span<double> values) {
  if (model.family.family == Family::multinomial) class_probabilities(eta, values);
  else values.front() = mean_of(model.family, eta.front());
}

std::size_t predicted_class(std::span<const double> eta) {
  const auto most = std::ranges::max_element(eta);
  return *most > 0.0 ? static_cast<std::size_t>(most - eta.begin()) + 1 : 0;
}

}  // namespace driftless
