#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "python/bindings/arrays.hpp"
#include "python/bindings/declare.hpp"
#include "python/bindings/objectives/makers.hpp"
#include "python/bindings/objectives/objective.hpp"
#include "python/bindings/objectives/rows.hpp"
#include "python/bindings/settings.hpp"

#include <pybind11/stl.h>

namespace driftless::python {
namespace {

using RowIndices = std::optional<py::array_t<std::int32_t>>;

LinearOptions linear_options(double l2, double beta, bool intercept, std::optional<double> weight,
                             const std::string& storage) {
  LinearOptions options{.l2 = l2, .beta = beta, .intercept = intercept, .weight = weight};
  if (!OptionType<Storage>::read(storage, options.storage))
    throw ConfigError({.what = "there is no storage of this name",
                       .seen = "storage = " + toml_string(storage),
                       .advice = "use one of: " + OptionType<Storage>::allowed()});
  return options;
}

std::shared_ptr<Objective> store(const std::string& loss, const RowsView& view, std::span<const std::int32_t> rows,
                                 const LinearOptions& options) {
  const py::gil_scoped_release unlocked;
  return linear_objective(loss, view, rows, options);
}

// What is said of a generalised linear model besides its rows.
struct GlmRequest {
  Family family = Family::logistic;
  double delta = 1.0;
  double tau = 0.5;
  std::size_t classes = 2;

  static Fields fields() {
    using S = GlmRequest;
    constexpr Range part{.low = 0.0, .high = 1.0, .low_open = true, .high_open = true};
    constexpr Range several{.low = 2.0, .high = 10000.0};
    return {field("family", &S::family, anything, "the distribution of the label, or the loss"),
            field("delta", &S::delta, positive, "of huber and quantile"),
            field("tau", &S::tau, part, "the level of quantile"),
            field("classes", &S::classes, several, "of multinomial")};
  }
  FamilyOptions options() const { return {.family = family, .delta = delta, .tau = tau, .classes = classes}; }
};

std::vector<double> chosen(const std::optional<Array>& numbers, std::span<const std::int32_t> rows) {
  std::vector<double> values;
  if (!numbers) return values;
  for (const std::int32_t row : rows) values.push_back(numbers->data()[row]);
  return values;
}

std::shared_ptr<Objective> store_glm(const RowsView& view, std::span<const std::int32_t> rows, const Array& labels,
                                     const std::optional<Array>& weight, const std::optional<Array>& offset,
                                     const py::dict& options, const Array& penalty, bool intercept) {
  const GlmOptions model{.family = read_options<GlmRequest>(options).options(),
                         .penalty = to_vector(penalty, "l2"),
                         .intercept = intercept};
  GlmColumns columns{chosen(labels, rows), chosen(weight, rows), chosen(offset, rows)};
  const py::gil_scoped_release unlocked;
  return glm_objective(view, rows, std::move(columns), model);
}

std::shared_ptr<Objective> quadratic_objective(const py::array_t<double>& a, const py::array_t<double>& b) {
  const Index d = b.size();
  Matrix matrix(d, d);
  const auto entries = a.unchecked<2>();
  for (Index j = 0; j < d; ++j)
    for (Index k = 0; k < d; ++k) matrix(j, k) = entries(j, k);
  const Vector centre = to_vector(b, "b", d);
  const py::gil_scoped_release unlocked;
  return prepared_objective(make_client(DenseQuadratic(matrix, centre)),
                            "quadratic: " + std::to_string(d) + " variables");
}

Array gradient_at(const Objective& f, const py::handle& x) {
  const Vector point = to_vector(x, "x", f.dim());
  Vector g(f.dim());
  {
    const py::gil_scoped_release unlocked;
    f.evaluate([&](const ClientObjective& own) { own.gradient(point, g); });
  }
  return to_array(g);
}

double value_at(const Objective& f, const py::handle& x) {
  const Vector point = to_vector(x, "x", f.dim());
  const py::gil_scoped_release unlocked;
  return f.evaluate([&](const ClientObjective& own) { return own.value(point); });
}

py::tuple value_gradient_at(const Objective& f, const py::handle& x) {
  const Vector point = to_vector(x, "x", f.dim());
  Vector g(f.dim());
  double value = 0.0;
  {
    const py::gil_scoped_release unlocked;
    value = f.evaluate([&](const ClientObjective& own) { return own.value_gradient(point, g); });
  }
  return py::make_tuple(value, to_array(g));
}

Array product_at(const Objective& f, const py::handle& x, const py::handle& v) {
  const Vector point = to_vector(x, "x", f.dim());
  const Vector direction = to_vector(v, "v", f.dim());
  Vector product(f.dim());
  {
    const py::gil_scoped_release unlocked;
    f.evaluate([&](const ClientObjective& own) { own.hessian_vector(point, direction, product); });
  }
  return to_array(product);
}

}  // namespace

void declare_objectives(py::module_& m) {
  py::class_<Objective, std::shared_ptr<Objective>>(m, "Objective", "The function of one client.")
      .def_property_readonly("dim", &Objective::dim, "The number of variables.")
      .def_property_readonly("rows", &Objective::rows, "The number of rows of data; 0 without data.")
      .def("value", &value_at, py::arg("x"), "f(x), of this client alone.")
      .def("gradient", &gradient_at, py::arg("x"), "The gradient at x.")
      .def("value_gradient", &value_gradient_at, py::arg("x"), "f(x) and the gradient at x.")
      .def("hessian_vector", &product_at, py::arg("x"), py::arg("v"), "The product of the Hessian at x with v.")
      .def("__repr__", [](const Objective& f) { return "<driftless.Objective " + f.text() + ">"; })
      .def("__reduce__", [](const Objective& f) -> py::object {
        throw ConfigError({.what = "clients cannot be pickled or copied",
                           .seen = f.text(),
                           .advice = "pickle the arrays, and make the clients from them where they are needed"});
      });
  m.def("linear_csr",
        [](const std::string& loss, const py::array& start, const py::array& column, const py::array_t<double>& value,
           Index columns, const py::array_t<double>& labels, const RowIndices& rows, double l2, double beta,
           bool intercept, std::optional<double> weight, const std::string& storage) {
          const std::vector<std::int32_t> list = client_rows(rows, start.size() - 1);
          return store(loss, view_of_csr(start, column, value, columns, labels, list), list,
                       linear_options(l2, beta, intercept, weight, storage));
        });
  m.def("linear_dense", [](const std::string& loss, const py::array_t<double>& matrix,
                           const py::array_t<double>& labels, const RowIndices& rows, double l2, double beta,
                           bool intercept, std::optional<double> weight, const std::string& storage) {
    const std::vector<std::int32_t> list = client_rows(rows, matrix.shape(0));
    return store(loss, view_of_dense(matrix, labels, list), list, linear_options(l2, beta, intercept, weight, storage));
  });
  m.def("glm_csr",
        [](const py::array& start, const py::array& column, const Array& value, Index columns, const Array& labels,
           const RowIndices& rows, const std::optional<Array>& weight, const std::optional<Array>& offset,
           const py::dict& options, const Array& penalty, bool intercept) {
          const std::vector<std::int32_t> list = client_rows(rows, start.size() - 1);
          return store_glm(view_of_csr(start, column, value, columns, labels, list), list, labels, weight, offset,
                           options, penalty, intercept);
        });
  m.def("glm_dense", [](const Array& matrix, const Array& labels, const RowIndices& rows,
                        const std::optional<Array>& weight, const std::optional<Array>& offset, const py::dict& options,
                        const Array& penalty, bool intercept) {
    const std::vector<std::int32_t> list = client_rows(rows, matrix.shape(0));
    return store_glm(view_of_dense(matrix, labels, list), list, labels, weight, offset, options, penalty, intercept);
  });
  m.def("columns_rise", &columns_rise);
  m.def("quadratic", &quadratic_objective);
  m.def("python_objective", &python_objective);
}

}  // namespace driftless::python
