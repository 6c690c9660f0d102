// kind = "torch": neural networks on sets of images, by LibTorch; see torch/net_spec.hpp for the keys. A build without
// LibTorch reads the table too, and reports the lack when the problem is made.
#pragma once

#include "driftless/problems/problem_kind.hpp"

namespace driftless {

ProblemKind torch_kind();

}  // namespace driftless
