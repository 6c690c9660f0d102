// Settings that the tests of the methods for nets share.
#pragma once

#include "tests/support/testbed.hpp"

namespace driftless::test {

inline const std::int64_t two = 2;
inline const Settings two_steps{{"step", 0.25}, {"local_steps", two}};
inline const Settings four_steps{{"step", 0.04}, {"local_steps", std::int64_t{4}}};
inline const Settings sampled{
    {"step", 0.002}, {"local_steps", std::int64_t{4}}, {"batch", std::int64_t{3}}, {"cohort", std::int64_t{3}}};
inline const Settings one_client{{"cohort", std::int64_t{1}}};
inline const std::vector<std::string> adaptive{"fedadagrad", "fedadam", "fedyogi"};

}  // namespace driftless::test
