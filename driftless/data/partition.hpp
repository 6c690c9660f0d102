// Rows of one data set divided among clients. The same data, options and seed give the same lists everywhere.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/data/labelled_rows.hpp"

#include <array>
#include <cstdint>
#include <string>
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

// No client is ever empty. ConfigError if the options do not allow that.
Partition split_rows(const LabelledRows& data, const SplitOptions& options, std::uint64_t seed);

// "" if every row 0 … rows − 1 belongs to exactly one client and each list rises; otherwise what is wrong.
std::string coverage_fault(const Partition& partition, std::size_t rows);

}  // namespace driftless
