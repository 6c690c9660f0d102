// The transport of one process that hosts every client.
#pragma once

#include "driftless/federation/transport.hpp"

namespace driftless {

class InProcessTransport final : public Transport {
 public:
  explicit InProcessTransport(std::size_t clients);

  const Layout& layout() const override { return layout_; }
  const Agreement& agreement() const override { return agreement_; }
  void broadcast(StopSignal signal) override { agreement_.signal = signal_ = signal; }
  void abort(std::string_view) noexcept override {}  // there are no other peers

 private:
  void sum_as(ExchangeId id, std::span<const ClientId> from, std::span<const Node> mine,
              std::span<double> total) override;
  void add_integers_as(ExchangeId id, std::span<const double> mine, std::span<double> total, Integers meaning) override;
  void share_as(ExchangeId id, std::size_t width, std::span<const double> mine, std::span<double> all,
                const RowCheck& check) override;

  void agree() { agreement_.signal = abandons_round(abandoned_here()) ? abandoned_here() : signal_; }

  Layout layout_;
  StopSignal signal_ = StopSignal::none;
  Agreement agreement_;
  TreeAdder adder_;
};

}  // namespace driftless
