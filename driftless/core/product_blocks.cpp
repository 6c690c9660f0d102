#include "driftless/core/product_blocks.hpp"

#include <Eigen/Core>
#include <mutex>

namespace driftless {

void fix_product_blocks() {
  static std::once_flag once;
  std::call_once(once, [] { Eigen::setCpuCacheSizes(32 << 10, 512 << 10, 8 << 20); });
}

}  // namespace driftless
