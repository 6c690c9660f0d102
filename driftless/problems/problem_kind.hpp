// A kind of problem: its name, and how it reads its part of a configuration.
#pragma once

#include "driftless/config/config_table.hpp"
#include "driftless/problems/problem_config.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace driftless {

struct ProblemKind {
  std::string name;  // the value of problem.kind
  // Reads all keys of the table. Shared keys go into `problem` (read_problem_table does that); `federation` is checked,
  // and gets the number of clients and the split where the kind decides on them. ConfigError where the tables are
  // wrong or contradict each other.
  std::function<std::shared_ptr<const ProblemSpec>(const ConfigTable& table, FederationConfig& federation,
                                                   ProblemConfig& problem)>
      read;
};

// Reads the table: the keys of `own` and the shared keys, which go into `problem`. `start` is x⁰ where the table has
// none.
template <class... Keys>
void read_problem_table(const ConfigTable& table, ProblemConfig& problem, const StartPoint& start, Keys&... own) {
  ProblemKeys shared;
  read_table(table, shared, own...);
  problem.x0 = shared.x0.value_or(start);
  problem.reference = shared.reference;
  problem.seed = shared.seed.value_or(problem.seed);
}

// ConfigError that shows the key with its value, or the table where it lacks the key.
[[noreturn]] void reject_key(const ConfigTable& table, std::string_view key, const std::string& what,
                             const std::string& advice);

}  // namespace driftless
