#include "driftless/problems/problem_digest.hpp"

#include "driftless/console/machine.hpp"
#include "driftless/files/digest.hpp"

namespace driftless {

std::string problem_digest(const ProblemSetup& config, const Problem& problem) {
  const auto& linear = std::get<LinearProblem>(config.problem.details);
  Sha256 digest;
  const auto add = [&](std::string_view text) { digest.add_word(text.size()).add(text); };
  add("driftless reference 1\n");
  add(program_version());
  add(enum_name(config.problem.kind));
  add(enum_name(linear.keys.storage));
  add(enum_name(linear.keys.precision));
  digest.add_word(linear.keys.intercept ? 1 : 0).add_number(problem.l2.value_or(0.0));
  digest.add_word(problem.n).add_word(static_cast<std::uint64_t>(problem.dim()));
  for (const auto& [key, value] : std::visit([](const auto& source) { return echo_options(source); }, linear.source)) {
    if (key == "cache") continue;  // changes nothing
    add(key);
    add(value);
  }
  for (const DataSource& data : problem.data) add(data.digest);
  for (const auto& f : problem.clients) digest.add_word(f->samples());
  add(problem.split_manifest);
  return digest.hex();
}

}  // namespace driftless
