// A run directory, written by hand, whose method gd fitted a model of tables.
#pragma once

#include "driftless/glm/coefficient_scale.hpp"
#include "driftless/glm/inference.hpp"
#include "driftless/glm/model_file.hpp"

#include "tests/glm/sample_model.hpp"
#include "tests/report/small_run.hpp"

namespace driftless {

// Errors of the model are a tenth of the estimates, those over sites are as large as the estimates and have 2 degrees.
inline Inference sample_inference(const GlmModel& model) {
  const CoefficientScale scale = coefficient_scale(model);
  Inference inference;
  inference.family = model.family;
  inference.label = model.coding.label;
  inference.classes = model.coding.classes;
  inference.rows = model.rows;
  inference.weight = static_cast<double>(model.rows);
  inference.sites = 3;
  inference.parameters = 7.5;
  inference.deviance = 900.5;
  inference.aic = 915.5;
  inference.names = scale.names;
  inference.estimate = scale.map * model.coefficients;
  inference.coded_estimate = Vector::Zero(inference.estimate.size());
  for (Index k = 0; k < inference.coded_estimate.size(); ++k)
    inference.coded_estimate[k] = model.coefficients[scale.coded[static_cast<std::size_t>(k)]];
  inference.coded_error = 0.1 * inference.coded_estimate.cwiseAbs();
  inference.errors[0] = CoefficientErrors{.error = 0.1 * inference.estimate.cwiseAbs(), .covariance = {}};
  inference.errors[2] = CoefficientErrors{.error = inference.estimate.cwiseAbs(), .degrees = 2.0, .covariance = {}};
  inference.notes = {"There are few sites."};
  return inference;
}

inline constexpr const char* sample_evaluation = R"({"schema_version": 1,
  "train": {"rows": 30, "weight": 30.0, "loss": 0.5, "auc": 0.75, "auc_error": 0.01, "accuracy": 0.7,
    "confusion": {"classes": ["no", "yes"], "weights": [[15.0, 5.0], [4.0, 6.0]]},
    "roc": [[0.0, 0.0, null], [0.25, 0.6, 0.5], [1.0, 1.0, -2.0]],
    "calibration": [{"rows": 20, "weight": 20.0, "predicted": 0.05, "observed": 0.1},
                    {"rows": 0, "weight": 0.0, "predicted": null, "observed": null},
                    {"rows": 10, "weight": 10.0, "predicted": 0.25, "observed": 0.3}]},
  "test": {"rows": 12, "weight": 12.0, "loss": 0.6, "auc": null, "auc_error": null,
    "roc": [[0.0, 0.0, null], [1.0, 1.0, -2.0]]},
  "sites": [{"site": "client 0", "shown": true, "rows": 12, "weight": 12.0, "loss": 0.6},
            {"site": "client 1", "shown": false}],
  "local": [{"site": "client 0", "shown": true, "rows": 12, "weight": 12.0, "loss": 0.7},
            {"site": "client 1", "shown": false}]})";

inline constexpr const char* sample_path = R"({"schema_version": 1, "folds": 5, "rule": "1se", "least": 2, "chosen": 1,
  "l2": 0.1, "exchanges": 40, "path": [{"l2": 1.0, "loss": 0.9, "standard_error": 0.05},
    {"l2": 0.1, "loss": 0.52, "standard_error": 0.04}, {"l2": 0.01, "loss": 0.5, "standard_error": 0.03},
    {"l2": 0.001, "loss": null, "standard_error": null}]})";

inline void write_fitted_run(const TempFolder& folder, const std::string& name = "fitted",
                             const GlmModel& model = sample_model()) {
  write_small_run(folder, name);
  folder.write(name + "/gd/model.json", model_json(model));
  folder.write(name + "/gd/inference.json", inference_json(sample_inference(model)));
  folder.write(name + "/gd/evaluation.json", sample_evaluation);
  folder.write(name + "/gd/penalty_path.json", sample_path);
}

}  // namespace driftless
