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

namespace detail {

// Eigen aligns vectors by the instruction set it is compiled for. A program compiled for another one than the library
// would free what the other aligned, and crash; the library defines this for its own alignment alone, so such a program
// does not link.
template <int alignment>
struct CompiledForAlignment {
  static const bool driftless_and_its_user_need_the_same_march;
};
[[gnu::used]] inline const bool* const same_march =
    &CompiledForAlignment<EIGEN_MAX_ALIGN_BYTES>::driftless_and_its_user_need_the_same_march;

}  // namespace detail
}  // namespace driftless
