#include "driftless/problems/problem_spec.hpp"

#include "driftless/data/libsvm/libsvm_reader.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/problems/problem.hpp"

namespace driftless {

std::shared_ptr<const ProblemSpec> ProblemSpec::with_absolute_paths(const ConfigTable& /*source*/) const {
  return nullptr;
}

std::optional<LibsvmOptions> ProblemSpec::client_file_options() const { return std::nullopt; }

bool ProblemSpec::clients_bring_files() const { return client_file_options().has_value(); }

void ProblemSpec::add_to_digest(Sha256& digest, const Problem& problem) const {
  digest.add_word(problem.n).add_word(static_cast<std::uint64_t>(problem.dim()));
  for (const auto& [key, value] : echo()) digest.add_text(key).add_text(value);
}

ModelExport ProblemSpec::model_export() const { return {}; }

}  // namespace driftless
