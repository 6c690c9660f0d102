// The sites of a networked run, and what happens when one is lost.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/federation/tree_sum.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

// One site that is expected, with the clients that it hosts.
struct SiteSlot {
  std::string site;
  std::vector<ClientId> hosted;
};

enum class OnLoss { abort, drop };
template <>
struct EnumNames<OnLoss> {
  static constexpr std::array<std::string_view, 2> value{"abort", "drop"};
};

}  // namespace driftless
