// Names of sites: they appear in certificates, in configurations and as parts of paths.
#pragma once

#include <string_view>

namespace driftless {

// [a-z0-9][a-z0-9-]{0,62}
constexpr bool is_site_name(std::string_view name) {
  constexpr std::size_t longest = 63;
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyz0123456789-";
  return !name.empty() && name.size() <= longest && name.front() != '-' &&
         name.find_first_not_of(allowed) == std::string_view::npos;
}

}  // namespace driftless
