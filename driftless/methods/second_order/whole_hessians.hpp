// Which methods send what determines the Hessians of the clients: matrices of d(d + 1)/2 numbers, or products with as
// many directions as span the data. For sites that do not want to.
#pragma once

#include "driftless/core/options.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace driftless {

// `auto` may choose one of the others.
inline constexpr std::array<std::string_view, 6> methods_with_whole_hessians{"newton",   "newton-in-span", "fednl",
                                                                             "fednl-ls", "fednl-pp",       "auto"};

// Of a method around another one, the inner one decides.
inline bool may_send_hessians(std::string_view method, const Settings& settings) {
  const auto sends = [](std::string_view name) { return std::ranges::count(methods_with_whole_hessians, name) > 0; };
  const auto inner = std::ranges::find(settings, "inner", &Settings::value_type::first);
  if (inner != settings.end())
    if (const auto* name = std::get_if<std::string>(&inner->second); name != nullptr && sends(*name)) return true;
  return sends(method);
}

}  // namespace driftless
