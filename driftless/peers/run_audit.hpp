// The results of a networked run in the audit log of a peer.
#pragma once

#include "driftless/experiments/experiment.hpp"
#include "driftless/peers/audit_log.hpp"

namespace driftless {

// One record for each method, with the digest of its model.
void record_results(AuditLog& audit, const Experiment& experiment);

}  // namespace driftless
