// The vector types of the whole library.
#pragma once

#include <Eigen/Core>
#include <cstddef>

namespace driftless {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using VecIn = const Eigen::Ref<const Vector>&;
using VecOut = Eigen::Ref<Vector>;

}  // namespace driftless
