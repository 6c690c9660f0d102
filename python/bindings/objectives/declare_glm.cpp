// Generalised linear models over rows of NumPy and SciPy; driftless/_glm.py has the defaults.
#include "driftless/objectives/glm/glm_store.hpp"

#include "python/bindings/arrays.hpp"
#include "python/bindings/declare.hpp"
#include "python/bindings/objectives/makers.hpp"
#include "python/bindings/objectives/rows.hpp"
#include "python/bindings/objectives/symmetric_multinomial.hpp"

#include <pybind11/stl.h>

namespace driftless::python {
namespace {

struct GlmRequest {
  std::string family = "logistic";
  double delta = 1.0;
  double tau = 0.5;
  std::size_t classes = 2;
  bool intercept = true;
  double l2 = 0.0;              // not of the intercept
  bool symmetric = false;       // the penalty of several classes treats them alike
  std::optional<double> scale;  // of the loss of a row; none: it follows from the rows of all clients
  std::vector<double> weight;   // of each row; empty: 1
  std::vector<double> offset;   // of each row; empty: 0

  FamilyOptions options() const {
    FamilyOptions options{.delta = delta, .tau = tau, .classes = classes};
    if (OptionType<Family>::read(family, options.family)) return options;
    throw ConfigError({.what = "there is no family of this name",
                       .seen = "family = " + toml_string(family),
                       .advice = "use one of: " + OptionType<Family>::allowed()});
  }
};

class GlmObjective final : public Objective {
 public:
  GlmObjective(GlmRows rows, const GlmRequest& request)
      : family_(request.options()),
        store_(std::move(rows), family_),
        scale_(request.scale),
        l2_(request.l2),
        intercept_(request.intercept),
        symmetric_(request.symmetric) {}

  Index dim() const override { return width() * static_cast<Index>(family_.predictions()); }
  std::size_t rows() const override { return store_.rows(); }
  PenaltyWeights penalty() const override { return {.l2 = intercept_ || symmetric_ ? 0.0 : l2_, .beta = 0.0}; }
  bool weighted_by_all() const override { return !scale_; }
  std::string text() const override {
    return std::string(enum_name(family_.family)) + ": " + std::to_string(rows()) + " rows, " + std::to_string(dim()) +
           " coefficients, l2 = " + number(l2_);
  }
  std::unique_ptr<ClientObjective> client(double row_weight) const override {
    GlmOptions options{.family = family_, .scale = scale_.value_or(row_weight), .penalty = {}, .intercept = intercept_};
    if (!symmetric_) options.penalty = penalties();
    std::unique_ptr<ClientObjective> f = store_.client(options);
    if (!symmetric_) return f;
    const MultinomialShape shape{
        .classes = static_cast<Index>(family_.classes), .width = width(), .penalized = store_.columns(), .l2 = l2_};
    return make_client(SymmetricMultinomial(std::move(f), shape));
  }

 private:
  Index width() const { return store_.columns() + (intercept_ ? 1 : 0); }
  Vector penalties() const {
    Vector penalty = Vector::Constant(width(), l2_);
    if (intercept_) penalty[store_.columns()] = 0.0;
    return penalty;
  }

  FamilyOptions family_;
  GlmStore store_;
  std::optional<double> scale_;
  double l2_;
  bool intercept_;
  bool symmetric_;
};

// A copy of the rows: sparse where the matrix is, otherwise with all entries.
GlmRows rows_of(const RowsView& view, const GlmRequest& request, bool sparse) {
  constexpr std::size_t lanes = 8;
  GlmRows rows{.columns = view.dim(), .weight = request.weight, .offset = request.offset};
  for (std::size_t j = 0; j < view.rows(); ++j) rows.label.push_back(view.label(j));
  if (!sparse) {
    rows.stride = (static_cast<std::size_t>(view.dim()) + lanes - 1) / lanes * lanes;
    rows.dense.assign(view.rows() * rows.stride, 0.0);
    for (std::size_t j = 0; j < view.rows(); ++j)
      view.for_each_entry(j, [&](std::size_t k, double value) { rows.dense[j * rows.stride + k] = value; });
    return rows;
  }
  Dataset& data = rows.sparse;
  data.name = view.name();
  data.dim = view.dim();
  data.row_start.push_back(0);
  for (std::size_t j = 0; j < view.rows(); ++j) {
    view.for_each_entry(j, [&](std::size_t k, double value) {
      data.column.push_back(static_cast<std::int32_t>(k));
      data.value.push_back(value);
    });
    data.row_start.push_back(static_cast<std::int64_t>(data.column.size()));
  }
  return rows;
}

std::shared_ptr<Objective> stored(const RowsView& view, const GlmRequest& request, bool sparse) {
  const py::gil_scoped_release unlocked;
  return std::make_shared<GlmObjective>(rows_of(view, request, sparse), request);
}

}  // namespace

void declare_glm(py::module_& m) {
  py::class_<GlmRequest>(m, "GlmRequest")
      .def(py::init())
      .def_readwrite("family", &GlmRequest::family)
      .def_readwrite("delta", &GlmRequest::delta)
      .def_readwrite("tau", &GlmRequest::tau)
      .def_readwrite("classes", &GlmRequest::classes)
      .def_readwrite("intercept", &GlmRequest::intercept)
      .def_readwrite("l2", &GlmRequest::l2)
      .def_readwrite("symmetric", &GlmRequest::symmetric)
      .def_readwrite("scale", &GlmRequest::scale)
      .def_readwrite("weight", &GlmRequest::weight)
      .def_readwrite("offset", &GlmRequest::offset);
  m.def("glm_csr", [](const py::array& start, const py::array& column, const py::array_t<double>& value, Index columns,
                      const py::array_t<double>& labels, const GlmRequest& request) {
    const std::vector<std::int32_t> all = client_rows({}, start.size() - 1);
    return stored(view_of_csr(start, column, value, columns, labels, all), request, true);
  });
  m.def("glm_dense",
        [](const py::array_t<double>& matrix, const py::array_t<double>& labels, const GlmRequest& request) {
          const std::vector<std::int32_t> all = client_rows({}, matrix.shape(0));
          return stored(view_of_dense(matrix, labels, all), request, false);
        });
}

}  // namespace driftless::python
