#include "driftless/federation/in_process_transport.hpp"

#include <algorithm>
#include <numeric>

namespace driftless {

InProcessTransport::InProcessTransport(std::size_t clients) {
  layout_.clients = clients;
  layout_.hosted.resize(clients);
  std::iota(layout_.hosted.begin(), layout_.hosted.end(), ClientId{0});
}

void InProcessTransport::sum_as(ExchangeId, std::span<const ClientId>, std::span<const Node> mine,
                                std::span<double> total) {
  agree();
  adder_.add_nodes({0, layout_.clients}, mine, total);
}

void InProcessTransport::add_integers_as(ExchangeId, std::span<const double> mine, std::span<double> total, Integers) {
  agree();
  std::ranges::copy(mine, total.begin());
}

void InProcessTransport::share_as(ExchangeId, std::size_t, std::span<const double> mine, std::span<double> all,
                                  const RowCheck&) {
  agree();
  std::copy(mine.begin(), mine.end(), all.begin());
}

}  // namespace driftless
