#include "driftless/run/problem_constants.hpp"

#include "driftless/run/measured_constants.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless {

ProblemConstants problem_constants(const Problem& problem, ThreadPool& pool) {
  if (problem.constants) return {.values = *problem.constants, .exact = true, .at = "everywhere"};
  std::vector<Vector> points{problem.start};
  if (problem.reference) points.push_back(problem.reference->minimizer);
  return {.values = measured_constants(problem.clients, points, pool),
          .exact = false,
          .at = problem.reference ? "start and optimum" : "start"};
}

std::string constants_line(const ProblemConstants& constants) {
  const Constants& c = constants.values;
  const bool two_points = constants.at == "start and optimum";
  return fmt::format("L = {:.4g}, L_f = {:.4g}, mu = {:.4g}, delta_A = {:.4g}, delta_B = {:.4g}, delta_1 = {:.4g} ({})",
                     c.L, c.L_f, c.mu, c.delta_A, c.delta_B, c.delta_1,
                     constants.exact ? "exact"
                     : two_points    ? "measured at the start and at the optimum"
                                     : "measured at the start");
}

std::string constants_file_text(const ProblemConstants& constants) {
  const Constants& c = constants.values;
  return nlohmann::ordered_json{{"schema_version", 1},
                                {"at", constants.at},
                                {"exact", constants.exact},
                                {"method", constants.exact ? "closed form" : "hessians"},
                                {"n", c.clients},
                                {"L", c.L},
                                {"L_f", c.L_f},
                                {"mu", c.mu},
                                {"mu_f", c.mu_f},
                                {"delta_A", c.delta_A},
                                {"delta_A_up", c.delta_A_up},
                                {"delta_B", c.delta_B},
                                {"delta_1", c.delta_1}}
             .dump(2) +
         "\n";
}

}  // namespace driftless
