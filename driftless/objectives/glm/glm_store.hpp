// The rows of one client for generalised linear models, and the objectives made from them, which share the rows:
//   f_i(x) = w Σ_j s_j loss(a_j'x + o_j, y_j) + ½ Σ_k penalty_k x_k²
// x holds the coefficients of the variables, then the intercept; for K classes K − 1 such blocks, one after the other.
// With w = n/S, S the sum of the weights s_j of all rows of all n clients, the mean of the f_i is the weighted mean of
// the losses and the penalty.
#pragma once

#include "driftless/core/vector.hpp"
#include "driftless/data/glm_rows.hpp"
#include "driftless/data/rows_view.hpp"
#include "driftless/federation/client_objective.hpp"
#include "driftless/objectives/glm/family.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace driftless {

class DenseRows;
class SparseRows;
struct PredictionBlock;

struct GlmOptions {
  FamilyOptions family;
  double scale = 1.0;  // w
  Vector penalty;      // of each coefficient of one prediction, the same for every client; empty: zero
  bool intercept = true;
};

// What rows have besides their entries.
struct GlmColumns {
  std::vector<double> label;
  std::vector<double> weight;  // empty: 1
  std::vector<double> offset;  // empty: 0
};

class GlmStore {
 public:
  // DataError for a label that the family does not allow, and for a weight or an offset that cannot be used.
  GlmStore(GlmRows rows, const FamilyOptions& family);
  // Of rows that others keep: the columns are those of the listed rows, in that order.
  GlmStore(const RowsView& view, std::span<const std::int32_t> list, GlmColumns columns, const FamilyOptions& family);

  std::size_t rows() const { return label_->size(); }
  Index columns() const { return columns_; }
  std::span<const double> label() const { return *label_; }
  std::span<const double> weight() const { return *weight_; }  // one of each row

  // f_i; with row weights instead of the rows' own, where zero leaves a row out.
  std::unique_ptr<ClientObjective> client(const GlmOptions& options) const;
  std::unique_ptr<ClientObjective> client(const GlmOptions& options, std::vector<double> row_weights) const;

  // a_j'x + o_j, all predictions of a row after those of the row before it.
  void predictions(VecIn x, bool intercept, std::span<double> eta) const;

  // triangle += Σ_j s_j E[∂²loss/∂η²] a_j a_j', the expected information, s_j from `row_weights`. For losses without a
  // likelihood the second derivative itself.
  void add_information(VecIn x, bool intercept, std::span<const double> row_weights, VecOut triangle) const;
  // triangle += Σ_j s_j² (∂loss/∂η)² a_j a_j', for robust standard errors.
  void add_score_products(VecIn x, bool intercept, std::span<const double> row_weights, VecOut triangle) const;

 private:
  using Values = std::shared_ptr<const std::vector<double>>;
  using BlockUse = std::function<void(std::size_t first, const PredictionBlock& z)>;
  using PairWeight = std::function<double(std::size_t row, bool same, double of_k, double of_l)>;

  void keep_columns(GlmColumns columns);
  std::unique_ptr<ClientObjective> client_with(const GlmOptions& options, Values weights) const;
  void for_each_block(VecIn x, bool intercept, const BlockUse& use) const;
  void add_products(VecIn x, bool intercept, const BlockUse& of_block, const PairWeight& weight, VecOut triangle) const;

  FamilyOptions family_;
  Index columns_ = 0;
  std::variant<std::shared_ptr<const DenseRows>, std::shared_ptr<const SparseRows>> rows_;
  Values label_;
  Values weight_;
  Values offset_;  // null: zero
};

}  // namespace driftless
