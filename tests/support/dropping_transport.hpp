// One process in which a client can be dropped.
#pragma once

#include "driftless/federation/in_process_transport.hpp"

namespace driftless::test {

class DroppingTransport final : public Transport {
 public:
  explicit DroppingTransport(std::size_t clients) : inner_(clients) {}

  const Layout& layout() const override { return inner_.layout(); }
  const Agreement& agreement() const override { return agreement_; }
  void broadcast(StopSignal signal) override { agreement_.signal = signal; }
  void abort(std::string_view) noexcept override {}
  void drop(ClientId id) { agreement_.absent.push_back(id); }

 private:
  void sum_as(ExchangeId, std::span<const ClientId> from, std::span<const Node> mine,
              std::span<double> total) override {
    inner_.sum(from, mine, total);
  }
  void add_integers_as(ExchangeId, std::span<const double> mine, std::span<double> total, Integers meaning) override {
    inner_.add_integers(mine, total, meaning);
  }
  void share_as(ExchangeId, std::size_t width, std::span<const double> mine, std::span<double> all,
                const RowCheck& check) override {
    inner_.share(width, mine, all, check);
  }

  InProcessTransport inner_;
  Agreement agreement_;
};

}  // namespace driftless::test
