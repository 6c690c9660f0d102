// Rows of one data set divided among clients.
#pragma once

#include "driftless/core/options.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace driftless {

struct Partition {
  std::vector<std::vector<std::int32_t>> clients;  // row indices, rising inside each client

  bool operator==(const Partition&) const = default;
};

enum class Split {
  iid,            // shuffled, sizes differ by at most one
  dirichlet,      // each class divided by its own Dirichlet draw; sizes differ freely
  dirichlet_lin,  // the same with a bound on sizes, after Lin et al. 2020; see dirichlet_split.hpp
  label,          // rows in the order of their labels, cut into equal parts: each client sees few labels
  contiguous,     // rows in the order of the file, cut into equal parts
};

template <>
struct EnumNames<Split> {
  static constexpr std::array<std::string_view, 5> value{"iid", "dirichlet", "dirichlet-lin", "label", "contiguous"};
};

constexpr bool uses_alpha(Split split) { return split == Split::dirichlet || split == Split::dirichlet_lin; }

struct SplitOptions {
  std::size_t clients = 1;
  Split split = Split::iid;
  double alpha = 1.0;  // Dirichlet splits only: the smaller, the less alike the clients
};

}  // namespace driftless
