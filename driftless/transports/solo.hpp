// The transport of one process that hosts every client.
#pragma once

#include "driftless/federation/transport.hpp"

namespace driftless {

class Solo final : public Transport {
 public:
  explicit Solo(std::size_t clients);

  const Layout& layout() const override { return layout_; }
  const News& news() const override { return news_; }
  void say(std::uint32_t word) override { news_.word = word; }
  void abort(std::string_view) noexcept override {}  // there is nobody else to tell

 private:
  void sum_as(ExchangeId id, std::span<const ClientId> from, std::span<const Node> mine,
              std::span<double> total) override;
  void share_as(ExchangeId id, std::size_t width, std::span<const double> mine, std::span<double> all) override;

  Layout layout_;
  News news_;
  TreeAdder adder_;
};

}  // namespace driftless
