#include "driftless/federation/chance.hpp"

namespace driftless {

void SeededChance::enter_round(std::uint64_t round) {
  coin_ = Stream(seed_, Purpose::coin, 0, round);
  client_ = Stream(seed_, Purpose::client_index, 0, round);
  cohort_ = Stream(seed_, Purpose::cohort, 0, round);
  order_ = Stream(seed_, Purpose::order, 0, round);
  output_ = Stream(seed_, Purpose::output_point, 0, round);
}

// The last client with a weight where rounding makes the sum of all smaller than what was drawn.
ClientId SeededChance::client_by(std::span<const double> weights) {
  double left = client_.uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
  ClientId chosen = 0;
  for (ClientId i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0.0)) continue;
    chosen = i;
    left -= weights[i];
    if (left < 0.0) break;
  }
  return chosen;
}

Cohort SeededChance::cohort(std::size_t size, std::size_t clients) {
  if (size >= clients) return Cohort::everyone(clients);
  std::vector<ClientId> ids(clients);
  std::iota(ids.begin(), ids.end(), ClientId{0});
  for (std::size_t k = 0; k < size; ++k) std::swap(ids[k], ids[k + cohort_.index(clients - k)]);
  ids.resize(size);
  return Cohort::of(std::move(ids), clients);
}

std::vector<std::size_t> SeededChance::order(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  order_.shuffle(std::span(numbers));
  return numbers;
}

}  // namespace driftless
