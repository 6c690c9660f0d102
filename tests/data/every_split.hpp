// For tests that hold for every way of dividing rows.
#pragma once

#include "driftless/data/partition.hpp"

#include <gtest/gtest.h>
#include <string>

namespace driftless {

constexpr std::array every_split{Split::iid, Split::dirichlet, Split::dirichlet_lin, Split::label, Split::contiguous};

inline std::string split_test_name(const testing::TestParamInfo<Split>& test_case) {
  std::string name(enum_name(test_case.param));
  std::erase(name, '-');
  return name;
}

}  // namespace driftless
