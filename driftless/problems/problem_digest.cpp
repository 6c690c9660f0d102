#include "driftless/problems/problem_digest.hpp"

#include "driftless/console/machine.hpp"
#include "driftless/files/digest.hpp"

namespace driftless {

std::string problem_digest(const ProblemConfig& config, const Problem& problem) {
  Sha256 digest;
  digest.add_text("driftless reference 2\n").add_text(program_version()).add_text(config.kind);
  config.spec->add_to_digest(digest, problem);
  for (const DataSource& data : problem.data) digest.add_text(data.digest);
  for (const auto& f : problem.clients) digest.add_word(f->samples());
  digest.add_text(problem.split_manifest);
  return digest.hex();
}

}  // namespace driftless
