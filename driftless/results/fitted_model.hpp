// What a method that fitted a model of tables left in its folder: model.json, inference.json, evaluation.json and
// penalty_path.json.
#pragma once

#include "driftless/glm/cross_validation.hpp"
#include "driftless/glm/inference.hpp"
#include "driftless/glm/model.hpp"

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

namespace driftless {

struct PenaltyPath {
  CrossValidation found;
  PenaltyRule rule = PenaltyRule::one_error;
};

struct FittedModel {
  GlmModel model;
  std::optional<Inference> inference;  // none: there are too many coefficients for standard errors
  nlohmann::json evaluation;           // of the form that evaluation_object writes; null where the run left none
  std::optional<PenaltyPath> path;     // none: the penalty was given
};

// Null where the folder has no model. DataError where one of the files is not what a run writes.
std::shared_ptr<const FittedModel> read_fitted_model(const std::filesystem::path& folder);

}  // namespace driftless
