// Multinomial regression whose penalty treats all classes alike. The coefficients d_k of the classes 1 … K − 1 are
// differences to class 0; of all coefficients w_k of the K classes with these differences the least Σ_k ‖w_k‖² is
//   Σ_k ‖d_k‖² − ‖Σ_k d_k‖²/K.
#pragma once

#include "driftless/federation/client_objective.hpp"

#include <memory>

namespace driftless::python {

struct MultinomialShape {
  Index classes = 2;
  Index width = 0;      // coefficients of a class, with the intercept
  Index penalized = 0;  // of them, the first ones
  double l2 = 0.0;
};

// f without a penalty, plus half of l2 times the penalty above.
class SymmetricMultinomial {
 public:
  SymmetricMultinomial(std::unique_ptr<ClientObjective> f, const MultinomialShape& shape)
      : f_(std::move(f)), shape_(shape) {}
  SymmetricMultinomial(const SymmetricMultinomial& other) : f_(other.f_->clone()), shape_(other.shape_) {}
  SymmetricMultinomial(SymmetricMultinomial&&) = default;

  Index dim() const { return f_->dim(); }
  double value(VecIn x) const { return f_->value(x) + penalty(x); }
  void gradient(VecIn x, VecOut g) const {
    f_->gradient(x, g);
    add_penalty_product(x, g);
  }
  double value_gradient(VecIn x, VecOut g) const {
    const double value = f_->value_gradient(x, g);
    add_penalty_product(x, g);
    return value + penalty(x);
  }
  void hessian_vector(VecIn x, VecIn v, VecOut hv) const {
    f_->hessian_vector(x, v, hv);
    add_penalty_product(v, hv);
  }
  std::size_t hessian(VecIn x, VecOut triangle) const {
    const std::size_t passes = f_->hessian(x, triangle);
    const Index predictions = shape_.classes - 1;
    for (Index k = 0; k < predictions; ++k)
      for (Index l = 0; l <= k; ++l)
        for (Index c = 0; c < shape_.penalized; ++c)
          triangle[triangle_size(k * shape_.width + c) + l * shape_.width + c] += shape_.l2 * weight(k, l);
    return passes;
  }

 private:
  double weight(Index k, Index l) const { return (k == l ? 1.0 : 0.0) - 1.0 / static_cast<double>(shape_.classes); }

  auto of_class(VecIn x, Index k) const { return x.segment(k * shape_.width, shape_.penalized); }
  Vector sum(VecIn x) const {
    Vector total = Vector::Zero(shape_.penalized);
    for (Index k = 0; k + 1 < shape_.classes; ++k) total += of_class(x, k);
    return total;
  }

  double penalty(VecIn x) const {
    double squares = -sum(x).squaredNorm() / static_cast<double>(shape_.classes);
    for (Index k = 0; k + 1 < shape_.classes; ++k) squares += of_class(x, k).squaredNorm();
    return 0.5 * shape_.l2 * squares;
  }
  void add_penalty_product(VecIn v, VecOut to) const {
    const Vector mean = sum(v) / static_cast<double>(shape_.classes);
    for (Index k = 0; k + 1 < shape_.classes; ++k)
      to.segment(k * shape_.width, shape_.penalized) += shape_.l2 * (of_class(v, k) - mean);
  }

  std::unique_ptr<const ClientObjective> f_;
  MultinomialShape shape_;
};

}  // namespace driftless::python
