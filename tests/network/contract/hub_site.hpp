// A site that uses the hub directly, without a wire in between.
#pragma once

#include "driftless/network/hub/hub.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <thread>

namespace driftless::test {

class HubSite final : public Transport {
 public:
  HubSite(Hub& hub, std::size_t slot) : hub_(hub), slot_(slot) {
    layout_ = {.clients = hub.clients(),
               .peers = hub.slots().size() + 1,
               .rank = slot + 1,
               .hosted = hub.slots()[slot].hosted};
  }

  // With the first collective if not before.
  HubConnection& join() {
    if (!connection_) connection_ = hub_.join(slot_, next_exchange());
    return *connection_;
  }
  void finish() {
    if (connection_) connection_->on_finished();
  }

  const Layout& layout() const override { return layout_; }
  const Agreement& agreement() const override { return agreement_; }
  void broadcast(StopSignal) override {}
  bool round_is_abandoned() override { return hub_.is_abandoned(next_exchange()); }
  void abort(std::string_view reason) noexcept override {
    join().on_abort(
        {.what = "the site aborted the run", .seen = std::string(reason), .advice = "see the error of the site"});
    connection_.reset();
  }

 private:
  using Rows = std::function<std::vector<double>(std::size_t index)>;

  void sum_as(ExchangeId id, std::span<const ClientId>, std::span<const Node> mine, std::span<double> total) override {
    const Chunks chunks{total.size()};
    const auto rows = [&](std::size_t index) {
      std::vector<double> values;
      for (const Node& node : mine) {
        const auto part = node.sum.subspan(chunks.first(index), chunks.size(index));
        values.insert(values.end(), part.begin(), part.end());
      }
      return values;
    };
    std::vector<double> result(total.size());  // a lone node may lie in the total
    exchange(id, mine.empty() ? 0 : chunks.count(), rows, result);
    std::ranges::copy(result, total.begin());
  }

  void share_as(ExchangeId id, std::size_t, std::span<const double> mine, std::span<double> all,
                const RowCheck&) override {
    const Chunks chunks{mine.size()};
    const auto rows = [&](std::size_t index) {
      const auto part = mine.subspan(chunks.first(index), chunks.size(index));
      return std::vector<double>(part.begin(), part.end());
    };
    exchange(id, chunks.count(), rows, all);
  }

  void add_integers_as(ExchangeId id, std::span<const double> mine, std::span<double> total, Integers) override {
    const Chunks chunks{mine.size()};
    const auto rows = [&](std::size_t index) {
      const auto part = mine.subspan(chunks.first(index), chunks.size(index));
      return std::vector<double>(part.begin(), part.end());
    };
    exchange(id, chunks.count(), rows, total);
  }

  // A site sends and receives at the same time: the hub takes no rows that are far ahead of the slowest site.
  void exchange(ExchangeId id, std::size_t chunks, const Rows& rows, std::span<double> total) {
    using Kind = Hub::Outgoing::Kind;
    if (!connection_) connection_ = hub_.join(slot_, id);
    for (std::uint32_t attempt = 0;;) {
      std::jthread sender([&, attempt] { send(id, attempt, chunks, rows); });
      Hub::Outgoing out = connection_->next();
      for (; out.kind == Kind::chunk; out = connection_->next())
        std::ranges::copy(out.values, total.subspan(Chunks{total.size()}.first(out.index)).begin());
      if (out.kind == Kind::rejection) {
        connection_->close();  // ends the sender
        throw Error(out.rejection->kind(), out.rejection->info());
      }
      ASSERT_NE(static_cast<int>(out.kind), static_cast<int>(Kind::closed));
      agreement_ = out.agreement;
      if (out.kind == Kind::done) return;
      attempt = out.attempt;
    }
  }

  void send(ExchangeId id, std::uint32_t attempt, std::size_t chunks, const Rows& rows) {
    try {
      if (abandoned_here() != StopSignal::none) return connection_->on_abandon(id);
      for (std::size_t index = 0; index < chunks && id >= connection_->live(); ++index)
        connection_->receive(id, attempt, index, rows(index));
    } catch (const Rejection& rejection) { connection_->reject(rejection.info()); }
  }

  Hub& hub_;
  std::size_t slot_;
  std::unique_ptr<HubConnection> connection_;
  Layout layout_;
  Agreement agreement_;
};

}  // namespace driftless::test
