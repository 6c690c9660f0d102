#include "driftless/glm/site_sums.hpp"

namespace driftless {

std::vector<double> sum_over_sites(Federation& fed, std::size_t width, const SiteNumbers& write) {
  const Vector mean = fed.mean_scalars({fed.everyone(), fed.everyone()}, width, [&](Client& i, VecOut numbers) {
    write(i.slot(), {numbers.data(), static_cast<std::size_t>(numbers.size())});
  });
  const auto clients = static_cast<double>(fed.clients() - fed.transport().agreement().absent.size());
  std::vector<double> sums(width);
  for (std::size_t k = 0; k < width; ++k) sums[k] = clients * mean[static_cast<Index>(k)];
  return sums;
}

std::vector<double> numbers_of_sites(Federation& fed, std::size_t width, const SiteNumbers& write) {
  const std::size_t hosted = fed.transport().layout().hosted.size();
  std::vector<double> mine(hosted * width, 0.0);
  fed.pool().for_each(
      hosted, [&](std::size_t slot, std::size_t) { write(slot, std::span(mine).subspan(slot * width, width)); });
  std::vector<double> all(fed.clients() * width);
  fed.transport().share(width, mine, all);
  return all;
}

}  // namespace driftless
