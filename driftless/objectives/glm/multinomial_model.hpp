// The objective of several classes: as RowModel, with K − 1 predictions per row. Copies share the rows.
#pragma once

#include "driftless/core/check.hpp"
#include "driftless/objectives/glm/glm_labels.hpp"
#include "driftless/objectives/glm/multinomial_rows.hpp"
#include "driftless/objectives/glm/pair_gram.hpp"
#include "driftless/objectives/glm/variable_penalty.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace driftless {

template <class Rows>
class MultinomialModel {
 public:
  MultinomialModel(std::shared_ptr<const Rows> rows, const FamilyOptions& family, GlmLabels labels,
                   VariablePenalty penalty, double weight, bool intercept)
      : rows_(std::move(rows)),
        family_(family),
        labels_(std::move(labels)),
        penalty_(std::move(penalty)),
        weight_(weight),
        intercept_(intercept) {}

  Index dim() const { return length() * static_cast<Index>(predictions()); }
  std::size_t samples() const { return rows_->blocks().rows(); }

  double value(VecIn x) const {
    const double sum = pass(&x, nullptr, [&](std::size_t first, PredictionBlock z) {
      return multinomial_sum(with_offsets(first, z), labels_.rows(first, z.rows));
    });
    return weight_ * sum + penalty_.value(x);
  }

  void gradient(VecIn x, VecOut g) const {
    penalty_.start_gradient(x, g);
    pass(&x, &g, [&](std::size_t first, PredictionBlock z) {
      multinomial_slopes(with_offsets(first, z), labels_.rows(first, z.rows), weight_);
      return 0.0;
    });
  }

  double value_gradient(VecIn x, VecOut g) const {
    penalty_.start_gradient(x, g);
    const double sum = pass(&x, &g, [&](std::size_t first, PredictionBlock z) {
      return multinomial_sum_slopes(with_offsets(first, z), labels_.rows(first, z.rows), weight_);
    });
    return weight_ * sum + penalty_.value(x);
  }

  void gradient(VecIn x, Batch batch, VecOut g) const {
    DRIFTLESS_ASSERT(!batch.empty(), "a batch holds at least one sample");
    const double scale = weight_ * static_cast<double>(samples()) / static_cast<double>(batch.size());
    const std::size_t width = padded(static_cast<std::size_t>(rows_->dim()));
    const std::span<double> space = scratch<MultinomialModel>(width + predictions() * batch.size());
    const std::span<double> vector = space.first(width);
    const PredictionBlock z{space.data() + width, batch.size(), batch.size(), predictions()};
    std::ranges::fill(vector, 0.0);
    for (std::size_t k = 0; k < predictions(); ++k) {
      const auto part = x.segment(static_cast<Index>(k) * length(), length());
      std::copy_n(part.data(), rows_->dim(), vector.data());
      const double intercept = intercept_ ? part[length() - 1] : 0.0;
      for (std::size_t t = 0; t < batch.size(); ++t)
        z.of(k)[t] = rows_->dot(static_cast<std::size_t>(batch[t]), vector.data()) + intercept;
      labels_.add_offsets(batch, z.of(k));
    }
    multinomial_slopes(z, labels_.rows(batch), scale);
    penalty_.start_gradient(x, g);
    for (std::size_t k = 0; k < predictions(); ++k) {
      std::ranges::fill(vector, 0.0);
      for (std::size_t t = 0; t < batch.size(); ++t)
        rows_->add(static_cast<std::size_t>(batch[t]), z.of(k)[t], vector.data());
      const Index first = static_cast<Index>(k) * length();
      for (Index i = 0; i < rows_->dim(); ++i) g[first + i] += vector[static_cast<std::size_t>(i)];
      if (intercept_) g[first + length() - 1] += lane_sum(z.of(k));
    }
  }

  // Row j of A V maps to s_j (p_jk z_jk − p_jk Σ_l p_jl z_jl). The products of one solve share the probabilities.
  void hessian_vector(VecIn x, VecIn v, VecOut hv) const {
    cache_probabilities(x);
    penalty_.start_product(x, v, hv);
    pass(&v, &hv, [&](std::size_t first, PredictionBlock z) {
      for (std::size_t j = 0; j < z.rows; ++j) {
        double mean = 0.0;
        for (std::size_t k = 0; k < z.predictions; ++k) mean += probability(k, first + j) * z.of(k)[j];
        const double s = weight(first + j);
        for (std::size_t k = 0; k < z.predictions; ++k)
          z.of(k)[j] = s == 0.0 ? 0.0 : s * probability(k, first + j) * (z.of(k)[j] - mean);
      }
      return 0.0;
    });
  }

  void hessian_diagonal(VecIn x, VecOut diagonal) const {
    cache_probabilities(x);
    penalty_.start_diagonal(x, diagonal);
    RowPass(*rows_, intercept_, predictions())(
        nullptr, &diagonal,
        [&](std::size_t first, PredictionBlock z) {
          for (std::size_t k = 0; k < z.predictions; ++k)
            for (std::size_t j = 0; j < z.rows; ++j) z.of(k)[j] = curvature(k, k, first + j);
          return 0.0;
        },
        &Rows::add_squares);
  }

  std::size_t hessian(VecIn x, VecOut triangle) const {
    cache_probabilities(x);
    triangle.setZero();
    const auto weigh = [&](std::size_t k, std::size_t l, std::span<double> weights) {
      for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = curvature(k, l, j);
    };
    const std::size_t passes = add_pair_gram(*rows_, intercept_, predictions(), weigh, triangle);
    penalty_.add_hessian(x, triangle);
    return passes + 1;
  }

  CurvatureFloor curvature_floor() const {
    const Index columns = rows_->used_columns() + (intercept_ && samples() > 0 ? 1 : 0);
    const Index rank = std::min(static_cast<Index>(samples()), columns);
    return penalty_.floor(rank * static_cast<Index>(predictions()), dim());
  }

  double sample_smoothness() const {
    const double largest = largest_row_curvature(
        *rows_, intercept_, [&](std::size_t row) { return labels_.largest_curvature(family_, row); });
    return penalty_.smoothness(weight_ * static_cast<double>(samples()) * largest);
  }

 private:
  std::size_t predictions() const { return family_.predictions(); }
  Index length() const { return rows_->dim() + (intercept_ ? 1 : 0); }
  double probability(std::size_t k, std::size_t row) const { return cache_[k * samples() + row]; }
  double weight(std::size_t row) const { return labels_.weight ? weight_ * (*labels_.weight)[row] : weight_; }
  double curvature(std::size_t k, std::size_t l, std::size_t row) const {
    const double s = weight(row);
    const double p = probability(k, row);
    return s == 0.0 ? 0.0 : s * p * ((k == l ? 1.0 : 0.0) - probability(l, row));
  }

  template <class Map>
  double pass(const Eigen::Ref<const Vector>* direction, VecOut* g, const Map& map) const {
    return RowPass(*rows_, intercept_, predictions())(direction, g, map);
  }
  PredictionBlock with_offsets(std::size_t first, PredictionBlock z) const {
    for (std::size_t k = 0; k < z.predictions; ++k) labels_.add_offsets(first, z.of(k));
    return z;
  }

  void cache_probabilities(VecIn x) const {
    if (cached_at_.size() == x.size() && cached_at_ == x) return;
    cache_.resize(samples() * predictions());
    pass(&x, nullptr, [&](std::size_t first, PredictionBlock z) {
      multinomial_probabilities(with_offsets(first, z));
      for (std::size_t k = 0; k < z.predictions; ++k) std::ranges::copy(z.of(k), cache_.data() + k * samples() + first);
      return 0.0;
    });
    cached_at_ = x;
  }

  std::shared_ptr<const Rows> rows_;
  FamilyOptions family_;
  GlmLabels labels_;
  VariablePenalty penalty_;
  double weight_;
  bool intercept_;
  mutable std::vector<double> cache_;  // probabilities at cached_at_, class after class
  mutable Vector cached_at_;
};

}  // namespace driftless
