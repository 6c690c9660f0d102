// A kind of problem that exists in the tests only: f_i(x) = ½‖x − c_i‖², c_i = (i + 1) distance · (1, …, 1). It shows
// that a kind needs no more than its file and its entry in a list.
#pragma once

#include "driftless/problems/problem_kind.hpp"

namespace driftless::test {

ProblemKind toy_kind();  // "toy"

}  // namespace driftless::test
