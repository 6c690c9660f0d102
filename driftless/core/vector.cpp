#include "driftless/core/vector.hpp"

namespace driftless::detail {

template <int alignment>
const bool CompiledForAlignment<alignment>::driftless_and_its_user_need_the_same_march = true;
template struct CompiledForAlignment<EIGEN_MAX_ALIGN_BYTES>;

}  // namespace driftless::detail
