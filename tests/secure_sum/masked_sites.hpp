// Sites that mask rows, with a server that only passes on what they announce.
#pragma once

#include "driftless/secure_sum/row_masker.hpp"

#include <deque>
#include <string>
#include <vector>

namespace driftless::test {

class MaskedSites {
 public:
  explicit MaskedSites(std::size_t sites, std::size_t threshold = 0, const std::filesystem::path& folder = {});

  std::size_t size() const { return maskers_.size(); }
  RowMasker& operator[](std::size_t site) { return maskers_[site]; }
  static SecureSumOptions options(std::size_t sites, std::size_t own, std::size_t threshold,
                                  const std::filesystem::path& folder = {});
  RowMasker::Sum sum(ExchangeId exchange, std::uint32_t attempt = 0) const;  // over all sites

 private:
  std::deque<RowMasker> maskers_;
};

// Integers in the bits of numbers.
std::vector<double> row_of(const std::vector<std::uint64_t>& integers);
std::vector<std::uint64_t> integers_of(const std::vector<double>& row);

}  // namespace driftless::test
