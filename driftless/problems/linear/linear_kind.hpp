// Linear models on rows of data, one kind for every loss: kind = "logistic", "least-squares", …
#pragma once

#include "driftless/objectives/linear/loss_catalog.hpp"
#include "driftless/problems/problem_kind.hpp"

namespace driftless {

ProblemKind linear_kind(const LossInfo& loss);

}  // namespace driftless
