// The kinds of objectives that Python can make.
#pragma once

#include "driftless/objectives/glm/glm_store.hpp"
#include "driftless/objectives/linear/linear_client.hpp"

#include "python/bindings/objectives/objective.hpp"

#include <pybind11/pybind11.h>

namespace driftless::python {

namespace py = pybind11;

struct LinearOptions {
  double l2 = 0.0;
  double beta = 0.0;
  bool intercept = false;
  std::optional<double> weight;  // of a row; none: it follows from the rows of all clients
  Storage storage = Storage::automatic;
};

// Rows of a linear model by the name of its loss. Without `list` all rows of the view.
std::shared_ptr<Objective> linear_objective(const std::string& loss, const RowsView& view,
                                            std::span<const std::int32_t> list, const LinearOptions& options);

// Rows of a generalised linear model; the columns are those of the listed rows. `penalty`: of each coefficient.
std::shared_ptr<Objective> glm_objective(const RowsView& view, std::span<const std::int32_t> list, GlmColumns columns,
                                         const GlmOptions& options);

// Any f_i that can be copied.
std::shared_ptr<Objective> prepared_objective(std::unique_ptr<ClientObjective> prototype, std::string text);

// A Python object with value_gradient(x) and dim, and what else it offers.
std::shared_ptr<Objective> python_objective(const py::object& object);

}  // namespace driftless::python
