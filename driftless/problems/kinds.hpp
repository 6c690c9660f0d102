// The catalogue of problem kinds. Adding a kind: write its file (a class derived from ProblemSpec, and a function that
// returns its ProblemKind), add it to the list in kinds.cpp, and add a row to tests/problems/kind_contract_test.cpp.
#pragma once

#include "driftless/problems/problem_kind.hpp"

#include <span>
#include <vector>

namespace driftless {

// One kind for every loss of the catalogue of losses among them.
const std::vector<ProblemKind>& problem_kinds();

// Fills in the number of clients and the split where the problem decides on them. ConfigError if the two tables are
// wrong or contradict each other. `seed` is that of the run; the kind is looked up in `kinds`.
ProblemConfig read_problem(const ConfigTable& table, FederationConfig& federation, std::size_t seed,
                           std::span<const ProblemKind> kinds = problem_kinds());

// Whether a key of [problem] has the default of this kind; `value` is TOML text.
bool is_usual_problem_key(const std::string& kind, const std::string& key, const std::string& value);

}  // namespace driftless
