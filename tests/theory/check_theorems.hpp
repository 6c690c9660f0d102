// Theorem checks of whole runs, for tests.
#pragma once

#include "driftless/config/method_config.hpp"
#include "driftless/optimize/driver.hpp"
#include "driftless/problems/problem_constants.hpp"
#include "driftless/theory/theorem_check.hpp"

#include "tests/support/testbed.hpp"

namespace driftless::test {

// The problem on which theorems are checked.
struct Ground {
  const ClientObjectives& clients;
  Vector start;
  ProblemConstants constants;
  std::optional<Reference> reference;

  TheoremFacts facts(OutputPoint output = OutputPoint::last) const { return {constants.values, reference, output}; }
};

inline Ground ground_of(const Instance& i) {
  return {i.clients, i.start, {i.constants, true, "everywhere"}, Reference{i.minimizer, i.minimum}};
}
inline Ground ground_of(const Problem& p, ThreadPool& pool) {
  return {p.clients, p.start, problem_constants(p, pool, {.everywhere = true}).value(), p.reference};
}

struct Trial {
  std::size_t rounds = 40;
  Assumptions assumptions = Assumptions::respected;
  Method* in_place = nullptr;  // runs under the name of the configured method
};

inline TheoremCheckReport check_theorems(const Ground& ground, const MethodConfig& config, const Trial& trial = {}) {
  InProcessTransport transport(ground.clients.size());
  ThreadPool pool(1);
  Federation fed(ground.clients, transport, pool, config.seed);
  TheoremCheck check(find_method(config.name), config.settings, ground.facts(config.output), ground.clients,
                     trial.assumptions, ConstantsOrigin{ground.constants.exact, ground.constants.everywhere});
  DriveOptions options;
  options.stop.rounds = trial.rounds;
  options.output = config.output;
  options.observe = [&](Method& m, Federation& f, const Vector& x) { check.watch(m, f, x); };
  const std::unique_ptr<Method> made = find_method(config.name).make(config.settings);
  Method& method = trial.in_place != nullptr ? *trial.in_place : *made;
  Trace trace(ground.reference);
  const DriveResult result = drive(method, fed, ground.start, options, trace);
  check.finish(method, fed, result.x, result.output);
  return check.report();
}

// The mean over `seeds` seeds; the report of the first.
inline TheoremCheckReport check_over_seeds(const Ground& ground, MethodConfig config, std::size_t seeds,
                                           const Trial& trial = {}) {
  std::vector<TheoremCheckReport> reports;
  std::vector<std::string> labels;
  for (config.seed = 1; config.seed <= seeds; ++config.seed) {
    reports.push_back(check_theorems(ground, config, trial));
    labels.push_back(std::to_string(config.seed));
  }
  std::vector<TheoremCheckReport*> pointers;
  for (TheoremCheckReport& report : reports) pointers.push_back(&report);
  judge_over_seeds(labels, pointers);
  return reports.front();
}

inline MethodConfig method_of(const std::string& name, const Settings& settings,
                              OutputPoint output = OutputPoint::last) {
  return {.name = name,
          .label = name,
          .seed = 1,
          .output = output,
          .certificate = true,
          .settings = settings,
          .theory = {}};
}

}  // namespace driftless::test
