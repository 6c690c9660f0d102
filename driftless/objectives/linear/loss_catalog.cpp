#include "driftless/objectives/linear/loss_catalog.hpp"

namespace driftless {
namespace {

template <class... Loss>
std::vector<LossInfo> entries_of(std::tuple<Loss...>*) {
  return {loss_info<Loss>()...};
}

}  // namespace

const std::vector<LossInfo>& loss_catalog() {
  static const std::vector<LossInfo> catalog = entries_of(static_cast<Losses*>(nullptr));
  return catalog;
}

}  // namespace driftless
