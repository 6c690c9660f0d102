#include "driftless/objectives/glm/glm_store.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"
#include "driftless/objectives/glm/glm_loss.hpp"
#include "driftless/objectives/glm/multinomial_model.hpp"
#include "driftless/objectives/linear/dense_rows.hpp"
#include "driftless/objectives/linear/row_model.hpp"
#include "driftless/objectives/linear/sparse_rows.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace driftless {
namespace {

DataError bad_row(const char* what, std::size_t row, const char* name, double value, const std::string& allowed) {
  return DataError({.what = what,
                    .seen = "row " + std::to_string(row + 1) + ": " + name + " " + number(value),
                    .advice = "use " + allowed});
}

void check_labels(std::span<const double> labels, const FamilyOptions& family) {
  for (std::size_t j = 0; j < labels.size(); ++j)
    if (!is_label(family, labels[j]))
      throw bad_row("a label does not suit the family", j, "label", labels[j],
                    "labels that are " + allowed_labels(family));
}

void check_weights(std::span<const double> weights, std::size_t rows) {
  DRIFTLESS_ASSERT(weights.size() == rows, "one weight for each row");
  for (std::size_t j = 0; j < rows; ++j)
    if (!(weights[j] >= 0.0) || !std::isfinite(weights[j]))
      throw bad_row("a weight cannot be used", j, "weight", weights[j], "weights that are finite and not negative");
}

void check_offsets(std::span<const double> offsets, std::size_t rows) {
  DRIFTLESS_ASSERT(offsets.empty() || offsets.size() == rows, "one offset for each row");
  for (std::size_t j = 0; j < offsets.size(); ++j)
    if (!std::isfinite(offsets[j]))
      throw bad_row("an offset cannot be used", j, "offset", offsets[j], "offsets that are finite");
}

std::shared_ptr<const std::vector<double>> shared(std::vector<double> numbers) {
  return std::make_shared<const std::vector<double>>(std::move(numbers));
}

// Null where all weights are 1, which saves time and bits of logarithms.
std::shared_ptr<const std::vector<double>> weights_unless_one(std::shared_ptr<const std::vector<double>> weights) {
  const bool all_one = std::ranges::all_of(*weights, [](double s) { return s == 1.0; });
  return all_one ? nullptr : std::move(weights);
}

}  // namespace

GlmStore::GlmStore(GlmRows rows, const FamilyOptions& family) : family_(family), columns_(rows.columns) {
  const std::size_t count = rows.rows();
  keep_columns({std::move(rows.label), std::move(rows.weight), std::move(rows.offset)});
  if (!rows.dense.empty() || rows.sparse.row_start.size() != count + 1) {
    rows_ = std::make_shared<const DenseRows>(count, columns_, std::move(rows.dense));
    return;
  }
  rows.sparse.label.assign(count, 0.0);  // which only tells their number
  const std::vector<std::int32_t> all = all_rows(rows.sparse);
  if (prefers_dense(rows.sparse, all)) rows_ = std::make_shared<const DenseRows>(rows.sparse, all);
  else rows_ = std::make_shared<const SparseRows>(rows.sparse, all);
}

GlmStore::GlmStore(const RowsView& view, std::span<const std::int32_t> list, GlmColumns columns,
                   const FamilyOptions& family)
    : family_(family), columns_(view.dim()) {
  DRIFTLESS_ASSERT(columns.label.size() == list.size(), "one label for each row");
  keep_columns(std::move(columns));
  if (prefers_dense(view, list)) rows_ = std::make_shared<const DenseRows>(view, list);
  else rows_ = std::make_shared<const SparseRows>(view, list);
}

void GlmStore::keep_columns(GlmColumns columns) {
  const std::size_t count = columns.label.size();
  check_labels(columns.label, family_);
  if (columns.weight.empty()) columns.weight.assign(count, 1.0);
  check_weights(columns.weight, count);
  check_offsets(columns.offset, count);
  label_ = shared(std::move(columns.label));
  weight_ = shared(std::move(columns.weight));
  if (!columns.offset.empty()) offset_ = shared(std::move(columns.offset));
}

std::unique_ptr<ClientObjective> GlmStore::client(const GlmOptions& options) const {
  return client_with(options, weight_);
}

std::unique_ptr<ClientObjective> GlmStore::client(const GlmOptions& options, std::vector<double> row_weights) const {
  check_weights(row_weights, rows());
  return client_with(options, shared(std::move(row_weights)));
}

std::unique_ptr<ClientObjective> GlmStore::client_with(const GlmOptions& options, Values weights) const {
  const Index length = columns_ + (options.intercept ? 1 : 0);
  DRIFTLESS_ASSERT(options.family.family == family_.family && options.family.classes == family_.classes,
                   "labels were checked for one family");
  DRIFTLESS_ASSERT(options.penalty.size() == 0 || options.penalty.size() == length, "one penalty per coefficient");
  const GlmLabels labels{label_, weights_unless_one(std::move(weights)), offset_};
  const VariablePenalty penalty(options.penalty, length, options.family.predictions());
  return std::visit(
      [&]<class Rows>(const std::shared_ptr<const Rows>& rows) {
        if (options.family.family == Family::multinomial)
          return make_client(
              MultinomialModel<Rows>(rows, options.family, labels, penalty, options.scale, options.intercept));
        return make_client(RowModel<GlmLoss, VariablePenalty, Rows>(rows, GlmLoss(options.family, labels), penalty,
                                                                    options.scale, options.intercept));
      },
      rows_);
}

void GlmStore::for_each_block(VecIn x, bool intercept, const BlockUse& use) const {
  std::visit(
      [&](const auto& rows) {
        RowPass(*rows, intercept, family_.predictions())(&x, nullptr, [&](std::size_t first, PredictionBlock z) {
          const GlmLabels labels{label_, nullptr, offset_};
          for (std::size_t k = 0; k < z.predictions; ++k) labels.add_offsets(first, z.of(k));
          use(first, z);
          return 0.0;
        });
      },
      rows_);
}

void GlmStore::predictions(VecIn x, bool intercept, std::span<double> eta) const {
  const std::size_t count = family_.predictions();
  DRIFTLESS_ASSERT(eta.size() == rows() * count, "room for all predictions");
  for_each_block(x, intercept, [&](std::size_t first, const PredictionBlock& z) {
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t j = 0; j < z.rows; ++j) eta[(first + j) * count + k] = z.of(k)[j];
  });
}

// The weights of the products a_j a_j' are made from numbers of each row and prediction, which `of_block` writes over
// the predictions.
void GlmStore::add_products(VecIn x, bool intercept, const BlockUse& of_block, const PairWeight& weight,
                            VecOut triangle) const {
  const std::size_t count = rows();
  std::vector<double> numbers(count * family_.predictions());
  for_each_block(x, intercept, [&](std::size_t first, const PredictionBlock& z) {
    of_block(first, z);
    for (std::size_t k = 0; k < z.predictions; ++k) std::ranges::copy(z.of(k), numbers.data() + k * count + first);
  });
  const auto weigh = [&](std::size_t k, std::size_t l, std::span<double> weights) {
    for (std::size_t j = 0; j < count; ++j)
      weights[j] = weight(j, k == l, numbers[k * count + j], numbers[l * count + j]);
  };
  std::visit([&](const auto& rows) { add_pair_gram(*rows, intercept, family_.predictions(), weigh, triangle); }, rows_);
}

void GlmStore::add_information(VecIn x, bool intercept, std::span<const double> row_weights, VecOut triangle) const {
  DRIFTLESS_ASSERT(row_weights.size() == rows(), "one weight for each row");
  if (family_.family == Family::multinomial) {
    const auto pair = [&](std::size_t row, bool same, double p, double q) {
      return row_weights[row] * p * ((same ? 1.0 : 0.0) - q);
    };
    add_products(
        x, intercept, [](std::size_t, const PredictionBlock& z) { multinomial_probabilities(z); }, pair, triangle);
    return;
  }
  const auto curvatures = [&](std::size_t first, const PredictionBlock& z) {
    expected_curvatures(family_, z.of(0), {label().subspan(first, z.rows), row_weights.subspan(first, z.rows)});
  };
  add_products(x, intercept, curvatures, [](std::size_t, bool, double c, double) { return c; }, triangle);
}

void GlmStore::add_score_products(VecIn x, bool intercept, std::span<const double> row_weights, VecOut triangle) const {
  DRIFTLESS_ASSERT(row_weights.size() == rows(), "one weight for each row");
  const auto slopes = [&](std::size_t first, const PredictionBlock& z) {
    const RowLabels labels{label().subspan(first, z.rows), row_weights.subspan(first, z.rows)};
    if (family_.family == Family::multinomial) multinomial_slopes(z, labels, 1.0);
    else loss_slopes(family_, z.of(0), labels, 1.0);
  };
  add_products(x, intercept, slopes, [](std::size_t, bool, double r, double q) { return r * q; }, triangle);
}

}  // namespace driftless
