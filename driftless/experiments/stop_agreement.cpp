#include "driftless/experiments/stop_agreement.hpp"

namespace driftless {

StopSignal StopAgreement::signal() const {
  const std::scoped_lock lock(mutex_);
  if (transport_.layout().rank == 0 && transport_.agreement().signal == StopSignal::none)
    if (const StopSignal own = own_.signal(); own != StopSignal::none) transport_.broadcast(own);
  return transport_.agreement().signal;
}

StopConditions StopAgreement::local_part_of(StopConditions conditions) const {
  if (several_peers()) conditions.seconds.reset();
  return conditions;
}

std::optional<double> StopAgreement::shared_part_of(const StopConditions& conditions) const {
  return several_peers() ? conditions.seconds : std::nullopt;
}

void StopAgreement::begin_method() const {
  if (transport_.layout().rank == 0 && reason_of(transport_.agreement().signal) == StopReason::seconds)
    transport_.broadcast(StopSignal::none);
}

void StopAgreement::check_clock(const TraceRow& row) const {
  const bool over = seconds_ && row.wall_s >= *seconds_;
  if (several_peers() && over && transport_.layout().rank == 0 && transport_.agreement().signal == StopSignal::none)
    transport_.broadcast(StopSignal::time_over);
}

}  // namespace driftless
