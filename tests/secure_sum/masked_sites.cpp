#include "tests/secure_sum/masked_sites.hpp"

#include <bit>

namespace driftless::test {

SecureSumOptions MaskedSites::options(std::size_t sites, std::size_t own, std::size_t threshold,
                                      const std::filesystem::path& folder) {
  SecureSumOptions options{.run = "run", .sites = {}, .own = own, .threshold = threshold};
  for (std::size_t s = 0; s < sites; ++s) options.sites.push_back("site-" + std::to_string(s));
  if (folder.empty()) return options;
  options.folder = folder / options.sites[own];
  std::filesystem::create_directories(options.folder);
  return options;
}

MaskedSites::MaskedSites(std::size_t sites, std::size_t threshold, const std::filesystem::path& folder) {
  for (std::size_t s = 0; s < sites; ++s) maskers_.emplace_back(options(sites, s, threshold, folder));
  std::vector<Announcement> all;
  for (RowMasker& masker : maskers_) all.push_back(masker.keys().own());
  for (RowMasker& masker : maskers_) masker.keys().learn(all);
  if (threshold == 0) return;
  std::vector<std::vector<std::string>> sealed;
  for (RowMasker& masker : maskers_) sealed.push_back(masker.keys().sealed_shares());
  for (std::size_t holder = 0; holder < sites; ++holder) {
    std::vector<std::string> mine;
    for (const std::vector<std::string>& shares : sealed) mine.push_back(shares[holder]);
    maskers_[holder].keys().learn_shares(mine);
  }
}

RowMasker::Sum MaskedSites::sum(ExchangeId exchange, std::uint32_t attempt) const {
  return {.name = {.exchange = exchange},
          .attempt = attempt,
          .history = {.high = 7, .low = exchange},
          .present = std::vector<bool>(size(), true)};
}

std::vector<double> row_of(const std::vector<std::uint64_t>& integers) {
  std::vector<double> row;
  for (const std::uint64_t integer : integers) row.push_back(std::bit_cast<double>(integer));
  return row;
}

std::vector<std::uint64_t> integers_of(const std::vector<double>& row) {
  std::vector<std::uint64_t> integers;
  for (const double number : row) integers.push_back(std::bit_cast<std::uint64_t>(number));
  return integers;
}

}  // namespace driftless::test
