// The clients of a generalised linear model that are hosted here, with all that choosing its penalty and judging it
// need.
#pragma once

#include "driftless/federation/federation.hpp"
#include "driftless/objectives/glm/glm_store.hpp"
#include "driftless/tables/coding.hpp"
#include "driftless/tables/design.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace driftless {

struct GlmClient {
  explicit GlmClient(GlmRows rows, const FamilyOptions& family) : train(std::move(rows), family) {}

  GlmStore train;
  std::optional<GlmStore> test;       // rows that no fit uses
  std::vector<double> sample_weight;  // of the rows of `train`, without class weights
  DesignCounts counts;
};

// The rule for the l2 that a cross-validation chooses.
enum class PenaltyRule {
  minimum,    // the least mean loss
  one_error,  // the largest l2 whose mean loss is within one standard error of the least
};
template <>
struct EnumNames<PenaltyRule> {
  static constexpr std::array<std::string_view, 2> value{"min", "1se"};
};

struct GlmClients {
  FamilyOptions family;
  Coding coding;
  bool intercept = true;
  double l2 = 0.0;
  double scale = 1.0;     // w of GlmOptions
  Vector penalty_factor;  // of each coefficient of one prediction, times l2; 0 for the intercept
  std::vector<std::shared_ptr<GlmClient>> hosted;  // in the order of their ids

  Index dim() const { return static_cast<Index>(family.predictions()) * penalty_factor.size(); }
  GlmOptions options(double weight) const {
    return {.family = family, .scale = scale, .penalty = weight * penalty_factor, .intercept = intercept};
  }
  ClientObjectives objectives() const {
    ClientObjectives all;
    for (const auto& client : hosted) all.push_back(client->train.client(options(l2)));
    return all;
  }
};

}  // namespace driftless
