// Data sets: how rows are divided among clients, LIBSVM files, generated quadratics.
#include "driftless/data/find_data.hpp"
#include "driftless/data/libsvm/libsvm_reader.hpp"
#include "driftless/data/split_rows.hpp"
#include "driftless/objectives/quadratic/quadratic_generator.hpp"
#include "driftless/objectives/quadratic/resolve_quadratic.hpp"

#include "python/bindings/arrays.hpp"
#include "python/bindings/declare.hpp"
#include "python/bindings/objectives/makers.hpp"
#include "python/bindings/settings.hpp"

#include <pybind11/stl.h>

namespace driftless::python {
namespace {

py::list split(const Array& labels, std::size_t clients, const std::string& how, double alpha, std::uint64_t seed) {
  SplitOptions options{.clients = clients, .alpha = alpha};
  if (!OptionType<Split>::read(how, options.split))
    throw ConfigError({.what = "there is no split of this name",
                       .seen = "how = " + toml_string(how),
                       .advice = "use one of: " + OptionType<Split>::allowed()});
  LabelledRows rows;
  rows.name = "the labels";
  rows.label.assign(labels.data(), labels.data() + labels.size());
  py::list parts;
  for (const std::vector<std::int32_t>& part : split_rows(rows, options, seed).clients)
    parts.append(to_array(std::span<const std::int32_t>(part)));
  return parts;
}

// An array that keeps the numbers alive and does not copy them.
template <class Number>
py::array array_over(const std::shared_ptr<const Dataset>& data, const std::vector<Number>& numbers) {
  auto keep = std::make_unique<std::shared_ptr<const Dataset>>(data);
  const py::capsule owner(keep.get(), [](void* p) { delete static_cast<std::shared_ptr<const Dataset>*>(p); });
  keep.release();
  return py::array_t<Number>(static_cast<py::ssize_t>(numbers.size()), numbers.data(), owner);
}

py::tuple read_file(const std::string& path, bool binary, std::optional<std::size_t> columns,
                    std::optional<double> positive_label) {
  LibsvmOptions options{.labels = binary ? Labels::binary : Labels::real, .positive_label = positive_label};
  if (columns) options.dim = static_cast<Index>(*columns);
  std::shared_ptr<const Dataset> data;
  {
    const py::gil_scoped_release unlocked;
    data = std::make_shared<const Dataset>(read_libsvm(find_data(path), options));
  }
  return py::make_tuple(array_over(data, data->value), array_over(data, data->column),
                        array_over(data, data->row_start), data->dim, array_over(data, data->label));
}

py::dict constants_of(const Constants& c) {
  py::dict values;
  values["L"] = c.L;
  values["L_f"] = c.L_f;
  values["mu"] = c.mu;
  values["mu_f"] = c.mu_f;
  values["delta_A"] = c.delta_A;
  values["delta_B"] = c.delta_B;
  return values;
}

py::dict generate(const py::dict& options) {
  const QuadraticProblem problem = [&] {
    const auto spec = read_options<QuadraticSpec>(options);
    const py::gil_scoped_release unlocked;
    return generate_quadratic(resolved(spec));
  }();
  py::list clients;
  std::visit(
      [&](const auto& list) {
        for (const auto& f : list) clients.append(prepared_objective(make_client(f), "a generated quadratic"));
      },
      problem.clients);
  py::dict result;
  result["clients"] = clients;
  result["start"] = to_array(problem.start);
  result["minimizer"] = problem.minimizer ? py::object(to_array(*problem.minimizer)) : py::object(py::none());
  result["minimum"] = problem.minimum;
  result["constants"] = constants_of(problem.constants);
  return result;
}

}  // namespace

void declare_data(py::module_& m) {
  m.def("split_rows", &split);
  m.def("read_libsvm", &read_file);
  m.def("generate_quadratics", &generate);
  m.def("quadratic_options", [] {
    py::dict helps;
    for (const OptionInfo& option : describe_options<QuadraticSpec>()) helps[py::str(option.name)] = option.help;
    return helps;
  });
}

}  // namespace driftless::python
