// When all peers of a run stop early. A signal to rank 0, or its clock, becomes a stop signal that every peer receives
// with the same collective.
#pragma once

#include "driftless/core/interruption.hpp"
#include "driftless/federation/transport.hpp"
#include "driftless/optimize/stop.hpp"

#include <mutex>

namespace driftless {

class StopAgreement {
 public:
  // `own` is polled at rank 0 only. `seconds` limits the work of a method by the clock of rank 0, since clocks differ.
  StopAgreement(Transport& transport, StopToken own, std::optional<double> seconds)
      : transport_(transport), own_(std::move(own)), seconds_(seconds) {}
  StopAgreement(const StopAgreement&) = delete;
  StopAgreement& operator=(const StopAgreement&) = delete;

  StopSignal signal() const;  // what the peers agreed on; thread-safe
  StopToken token() const {
    return [this] { return signal(); };
  }
  bool interrupted() const { return reason_of(signal()) == StopReason::interrupted; }

  bool several_peers() const { return transport_.layout().peers > 1; }
  // The conditions that each peer checks by itself; the others arrive with the agreement.
  StopConditions local_part_of(StopConditions conditions) const;
  std::optional<double> shared_part_of(const StopConditions& conditions) const;  // the seconds
  void begin_method() const;                    // the time that is over was that of the method before
  void check_clock(const TraceRow& row) const;  // called after every round

 private:
  Transport& transport_;
  StopToken own_;
  std::optional<double> seconds_;
  mutable std::mutex mutex_;  // the threads of clients poll too, while constants are measured
};

}  // namespace driftless
