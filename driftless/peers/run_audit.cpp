#include "driftless/peers/run_audit.hpp"

#include "driftless/files/digest.hpp"
#include "driftless/files/input_file.hpp"

namespace driftless {

void record_results(AuditLog& audit, const Experiment& experiment) {
  for (const MethodOutcome& outcome : experiment.record.outcomes)
    audit.record(
        "result",
        {{"method", outcome.method.label},
         {"stop_reason", std::string(enum_name(outcome.reason))},
         {"rounds", std::to_string(outcome.last().round)},
         {"model_sha256", sha256(read_input_file(experiment.record.directory / outcome.method.label / "model.npy"))}});
}

}  // namespace driftless
