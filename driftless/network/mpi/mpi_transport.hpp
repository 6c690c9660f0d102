// The transport over MPI. Ranks host contiguous ranges of clients, and every rank runs the same program.
#pragma once

#include "driftless/federation/transport.hpp"
#include "driftless/network/mpi/mpi_sum.hpp"

#include <algorithm>
#include <chrono>

namespace driftless {

class MpiTransport final : public Transport {
 public:
  // The launcher passes a signal on to all ranks; `stop_token` is that of this one.
  MpiTransport(MpiSession& mpi, std::size_t clients, StopToken stop_token = {});

  const Layout& layout() const override { return layout_; }
  const Agreement& agreement() const override { return agreement_; }  // without absent clients: MPI survives no loss
  void broadcast(StopSignal signal) override { signal_ = layout_.rank == 0 ? static_cast<double>(signal) : 0.0; }
  void throw_if_ended() override;
  // All ranks start together, and none can tell the others something outside of collectives.
  bool clock_decides() const override { return true; }
  void abort(std::string_view reason) noexcept override { mpi_.abort(reason); }

 private:
  void sum_as(ExchangeId id, std::span<const ClientId> from, std::span<const Node> mine,
              std::span<double> total) override;
  void add_integers_as(ExchangeId id, std::span<const double> mine, std::span<double> total, Integers meaning) override;
  void share_as(ExchangeId id, std::size_t width, std::span<const double> mine, std::span<double> all,
                const RowCheck& check) override;

  double own_signal() const { return std::max(signal_, static_cast<double>(abandoned_here())); }
  void exchange_blocks(std::size_t step, std::size_t width, std::span<double> all, double& signal);

  MpiSession& mpi_;
  StopToken stop_token_;
  std::optional<std::chrono::steady_clock::time_point> stop_seen_;  // when it first asked for an end
  ClientRanges ranges_;
  Layout layout_;
  Agreement agreement_;
  double signal_ = 0.0;  // a StopSignal of rank 0, sent with the next collective
  MpiSum sum_;
  std::vector<ClientId> everyone_;
  std::vector<double> zeros_;
};

}  // namespace driftless
