// The transport of the server's own peer, which hosts no client.
#pragma once

#include "driftless/network/hub/hub.hpp"

namespace driftless {

class HubTransport final : public Transport, public Checkpointing {
 public:
  explicit HubTransport(Hub& hub);

  const Layout& layout() const override { return layout_; }
  const Agreement& agreement() const override { return agreement_; }
  void broadcast(StopSignal signal) override { hub_.broadcast(signal); }
  void throw_if_ended() override { hub_.throw_if_over(); }
  void open_round(RoundLimits limits) override;
  void close_round() override;
  void abandon_round(StopSignal reason) override;
  bool round_is_abandoned() override;
  // Exchanges in the journal were decided on before.
  bool clock_decides() const override { return next_exchange() >= hub_.next_exchange(); }
  void abort(std::string_view reason) noexcept override;

  Checkpointing* checkpointing() override { return this; }
  History history() const override;
  void resume_at(const Position& position) override;
  bool secure_past(bool insist) override;
  void on_checkpoint() override { hub_.on_checkpoint(next_exchange()); }
  void on_setup_done() override { hub_.keep_before(next_exchange()); }
  void on_interrupt() override { hub_.stop_keeping(); }

 private:
  void sum_as(ExchangeId id, std::span<const ClientId> from, std::span<const Node> mine,
              std::span<double> total) override;
  void add_integers_as(ExchangeId id, std::span<const double> mine, std::span<double> total, Integers meaning) override;
  void share_as(ExchangeId id, std::size_t width, std::span<const double> mine, std::span<double> all,
                const RowCheck& check) override;

  Hub& hub_;
  Layout layout_;
  Agreement agreement_;
};

}  // namespace driftless
