#include "python/bindings/objectives/symmetric_multinomial.hpp"

#include "python/bindings/declare.hpp"
#include "python/bindings/objectives/objective.hpp"

namespace driftless::python {
namespace {

class SymmetricObjective final : public Objective {
 public:
  SymmetricObjective(std::shared_ptr<const Objective> f, const MultinomialShape& shape)
      : f_(std::move(f)), shape_(shape) {}

  Index dim() const override { return f_->dim(); }
  std::size_t rows() const override { return f_->rows(); }
  double mass() const override { return f_->mass(); }
  std::string text() const override { return f_->text() + ", a penalty of all classes alike"; }
  bool weighted_by_all() const override { return f_->weighted_by_all(); }
  std::unique_ptr<ClientObjective> client(double row_weight) const override {
    return make_client(SymmetricMultinomial(f_->client(row_weight), shape_));
  }

 private:
  std::shared_ptr<const Objective> f_;
  MultinomialShape shape_;
};

}  // namespace

void declare_symmetric(py::module_& m) {
  m.def(
      "symmetric_multinomial",
      [](const std::shared_ptr<Objective>& f, Index classes, Index penalized, double l2) -> std::shared_ptr<Objective> {
        const MultinomialShape shape{
            .classes = classes, .width = f->dim() / (classes - 1), .penalized = penalized, .l2 = l2};
        return std::make_shared<SymmetricObjective>(f, shape);
      },
      py::arg("f"), py::arg("classes"), py::arg("penalized"), py::arg("l2"));
}

}  // namespace driftless::python
