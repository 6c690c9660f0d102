// Chance that draws what it was given, for exact expectations: the cohort, the order of indices, and true coins. And
// all the draws there are.
#pragma once

#include "driftless/federation/chance.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace driftless::test {

class ChosenChance final : public Chance {
 public:
  explicit ChosenChance(std::vector<ClientId> cohort, std::vector<std::size_t> indices = {})
      : cohort_(std::move(cohort)), indices_(std::move(indices)) {}

  void enter_round(std::uint64_t) override {}
  bool coin(double) override { return true; }
  ClientId client(std::size_t) override { return cohort_.front(); }
  Cohort cohort(std::size_t, std::size_t clients) override { return Cohort::of(cohort_, clients); }
  std::vector<std::size_t> order(std::size_t) override { return indices_; }
  bool keep(double) override { return true; }
  ClientId output_client(std::size_t) override { return 0; }

 private:
  std::vector<ClientId> cohort_;
  std::vector<std::size_t> indices_;
};

// All sets of `size` out of 0 … count − 1.
inline std::vector<std::vector<std::size_t>> all_subsets(std::size_t size, std::size_t count) {
  std::vector<std::vector<std::size_t>> sets;
  std::vector<bool> chosen(count, false);
  std::fill(chosen.end() - static_cast<std::ptrdiff_t>(size), chosen.end(), true);
  do {
    std::vector<std::size_t>& set = sets.emplace_back();
    for (std::size_t k = 0; k < count; ++k)
      if (chosen[k]) set.push_back(k);
  } while (std::next_permutation(chosen.begin(), chosen.end()));
  return sets;
}

// All orders of 0 … count − 1.
inline std::vector<std::vector<std::size_t>> all_orders(std::size_t count) {
  std::vector<std::vector<std::size_t>> orders;
  std::vector<std::size_t> indices(count);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  do orders.push_back(indices);
  while (std::next_permutation(indices.begin(), indices.end()));
  return orders;
}

}  // namespace driftless::test
