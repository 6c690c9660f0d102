// Masked rows: they cancel in the sum, look like noise by themselves, and a site rejects what would unmask it.
#include "driftless/core/error.hpp"
#include "driftless/secure_sum/pad.hpp"
#include "driftless/secure_sum/shamir.hpp"

#include "tests/secure_sum/masked_sites.hpp"
#include "tests/support/temp_folder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

std::vector<std::uint64_t> plain_row(std::size_t site, std::size_t width) {
  std::vector<std::uint64_t> integers(width);
  for (std::size_t k = 0; k < width; ++k) integers[k] = 1000 * site + k;
  return integers;
}

// The sum of what the sites send, and of their rows.
struct Sums {
  std::vector<double> masked;
  std::vector<std::uint64_t> plain;
};
Sums send(MaskedSites& sites, const RowMasker::Sum& sum, std::size_t width) {
  Sums sums{std::vector<double>(width, 0.0), std::vector<std::uint64_t>(width, 0)};
  for (std::size_t s = 0; s < sites.size(); ++s) {
    if (!sum.present[s]) continue;
    std::vector<double> row = row_of(plain_row(s, width));
    sites[s].mask(sum, Integers::terms, row);
    add_row(row, sums.masked, Addition::modular);
    for (std::size_t k = 0; k < width; ++k) sums.plain[k] += plain_row(s, width)[k];
  }
  return sums;
}

TEST(MaskedRows, CancelInTheSumOverAllSites) {
  for (const std::size_t count : {2U, 3U, 10U, 60U}) {
    MaskedSites sites(count);
    const Sums sums = send(sites, sites.sum(4), 3000);
    EXPECT_EQ(integers_of(sums.masked), sums.plain) << count;
  }
}

// The server must not be able to take rows apart: neither by themselves, nor all but one.
TEST(MaskedRows, AreUniformAsFarAsStatisticsTell) {
  MaskedSites sites(3);
  constexpr std::size_t width = 100'000;
  std::vector<double> row = row_of(std::vector<std::uint64_t>(width, 42));
  sites[1].mask(sites.sum(0), Integers::terms, row);
  std::vector<double> counts(256, 0.0);
  double ones = 0.0, repeats = 0.0;
  std::uint64_t before = 0;
  for (const std::uint64_t integer : integers_of(row)) {
    for (int byte = 0; byte < 8; ++byte) counts[integer >> (8 * byte) & 0xff] += 1.0;
    ones += std::popcount(integer);
    repeats += std::popcount(integer ^ before);
    before = integer;
  }
  const double expected = 8.0 * width / 256.0;
  double chi_square = 0.0;
  for (const double count : counts) chi_square += (count - expected) * (count - expected) / expected;
  EXPECT_GT(chi_square, 120.0);  // 255 degrees of freedom: both bounds are seven standard deviations away
  EXPECT_LT(chi_square, 415.0);
  const double deviation = std::sqrt(64.0 * width) / 2.0;
  EXPECT_NEAR(ones, 32.0 * width, 7.0 * deviation);
  EXPECT_NEAR(repeats, 32.0 * width, 7.0 * deviation);
}

TEST(MaskedRows, OfTheSameNumbersDifferInEveryExchangeAttemptAndHistory) {
  MaskedSites sites(3, 2);
  std::vector<std::vector<std::uint64_t>> all;
  const auto masked = [&](RowMasker::Sum sum) {
    std::vector<double> row = row_of(plain_row(0, 8));
    sites[0].mask(sum, Integers::terms, row);
    all.push_back(integers_of(row));
  };
  masked(sites.sum(0));
  masked(sites.sum(0, 1));
  masked(sites.sum(1));
  RowMasker::Sum other = sites.sum(2);
  masked(other);
  other.history.low += 1;
  masked(other);
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) EXPECT_NE(all[a], all[b]) << a << " and " << b;
}

TEST(MaskedRows, ARepeatedRowHasTheSameBytesAlsoAfterARestart) {
  const TempFolder folder;
  MaskedSites sites(3, 0, folder.path());
  std::vector<double> first = row_of(plain_row(0, 100)), again = first;
  sites[0].mask(sites.sum(5), Integers::terms, first);
  RowMasker restarted(MaskedSites::options(3, 0, 0, folder.path()));
  ASSERT_TRUE(restarted.keys().knows_sites());
  restarted.mask(sites.sum(5), Integers::terms, again);
  EXPECT_EQ(integers_of(first), integers_of(again));
}

TEST(MaskedRows, OtherNumbersUnderTheSameMasksAreRejected) {
  const TempFolder folder;
  MaskedSites sites(3, 0, folder.path());
  std::vector<double> row = row_of(plain_row(0, 100)), other = row_of(plain_row(1, 100));
  sites[0].mask(sites.sum(5), Integers::terms, row);
  EXPECT_THROW(sites[0].mask(sites.sum(5), Integers::terms, other), DataError);
  RowMasker restarted(MaskedSites::options(3, 0, 0, folder.path()));
  EXPECT_THROW(restarted.mask(sites.sum(5), Integers::terms, other), DataError);
}

// A run that continues after an interruption uses the numbers of the exchanges again that ended the process before.
TEST(MaskedRows, OfTheEndOfAProcessAreNotThoseOfTheRunThatContinues) {
  const TempFolder folder;
  MaskedSites sites(3, 2, folder.path());
  RowMasker::Sum end = sites.sum(5);
  end.name.ends_process = true;
  std::vector<double> at_end = row_of(plain_row(0, 100)), same = at_end, other = row_of(plain_row(1, 100));
  sites[0].mask(end, Integers::terms, at_end);
  sites[0].reveal(5, 0, {});
  RowMasker restarted(MaskedSites::options(3, 0, 2, folder.path()));
  EXPECT_NO_THROW(restarted.mask(sites.sum(5), Integers::terms, other));
  EXPECT_NO_THROW(restarted.reveal(5, 0, {}));
  restarted.mask(end, Integers::terms, same);
  EXPECT_EQ(integers_of(same), integers_of(at_end));
  std::vector<double> plain = row_of(plain_row(1, 100));
  EXPECT_THROW(restarted.mask(end, Integers::terms, plain), DataError);
}

TEST(MaskedRows, WithoutLossesASumLacksNoSite) {
  MaskedSites sites(4);
  RowMasker::Sum sum = sites.sum(0);
  sum.present[3] = false;
  std::vector<double> row(5, 0.0);
  EXPECT_THROW(sites[0].mask(sum, Integers::terms, row), TransportError);
  sum.present = {false, true, true, true};
  EXPECT_THROW(sites[0].mask(sum, Integers::terms, row), TransportError);
}

// --- Sites that may be lost.

std::vector<std::uint64_t> unmasked(MaskedSites& sites, const RowMasker::Sum& sum, std::vector<double> masked,
                                    const std::vector<std::size_t>& lost, std::size_t threshold) {
  std::map<std::size_t, std::map<std::size_t, Secret>> shares;
  for (std::size_t s = 0; s < sites.size(); ++s) {
    if (!sum.present[s] || std::ranges::count(lost, s) > 0) continue;
    const RowMasker::Revealed revealed = sites[s].reveal(sum.name.exchange, sum.attempt, lost);
    subtract_pad(revealed.seed, masked);
    for (const auto& [site, share] : revealed.shares) shares[site][s] = share;
  }
  for (auto& [site, of_site] : shares) {
    while (of_site.size() > threshold) of_site.erase(of_site.begin());
    subtract_pad(own_mask_key(combined_secret(of_site), sum.name, sum.attempt, sum.history), masked);
  }
  return integers_of(masked);
}

TEST(LostSites, TheSumIsUnmaskedWithWhatTheSitesReveal) {
  MaskedSites sites(5, 3);
  const Sums sums = send(sites, sites.sum(0), 500);
  EXPECT_NE(integers_of(sums.masked), sums.plain) << "rows have masks of their own";
  EXPECT_EQ(unmasked(sites, sites.sum(0), sums.masked, {}, 3), sums.plain);
}

TEST(LostSites, ARowThatHasArrivedStaysInTheSumByTheSharesOfTheOthers) {
  for (const std::vector<std::size_t>& lost : {std::vector<std::size_t>{1}, {4, 0}}) {
    MaskedSites sites(5, 3);
    const Sums sums = send(sites, sites.sum(0), 500);
    EXPECT_EQ(unmasked(sites, sites.sum(0), sums.masked, lost, 3), sums.plain);
  }
}

TEST(LostSites, ASumWithoutALostSiteIsAnotherAttempt) {
  MaskedSites sites(5, 3);
  RowMasker::Sum sum = sites.sum(0);
  send(sites, sum, 500);
  sum.attempt = 1;
  sum.present[2] = false;
  const Sums sums = send(sites, sum, 500);
  EXPECT_EQ(unmasked(sites, sum, sums.masked, {}, 3), sums.plain);
}

class MaliciousServer : public testing::Test {
 protected:
  static constexpr std::size_t count = 5, threshold = 3;

  std::vector<double> row() const { return row_of(plain_row(0, 10)); }
  void send_to_first(const RowMasker::Sum& sum) {
    std::vector<double> sent = row();
    sites_[0].mask(sum, Integers::terms, sent);
  }
  RowMasker::Sum without(std::size_t site, ExchangeId exchange, std::uint32_t attempt) const {
    RowMasker::Sum sum = sites_.sum(exchange, attempt);
    sum.present[site] = false;
    return sum;
  }

  MaskedSites sites_{count, threshold};
};

// The difference of two sums over other sites is the row of a site.
TEST_F(MaliciousServer, CannotUnmaskTwoSumsOfOneExchange) {
  send_to_first(sites_.sum(0));
  sites_[0].reveal(0, 0, {});
  EXPECT_THROW(send_to_first(without(1, 0, 1)), TransportError);
}

TEST_F(MaliciousServer, CannotReturnToAnAttemptThatItReplaced) {
  send_to_first(sites_.sum(0));
  send_to_first(without(1, 0, 1));
  EXPECT_THROW(sites_[0].reveal(0, 0, {}), TransportError);
  EXPECT_THROW(send_to_first(sites_.sum(0)), TransportError);
  EXPECT_NO_THROW(sites_[0].reveal(0, 1, {}));
}

TEST_F(MaliciousServer, CannotAskForMasksOfRowsThatWereNotSent) {
  EXPECT_THROW(sites_[0].reveal(0, 0, {}), TransportError);
  send_to_first(sites_.sum(1));
  EXPECT_THROW(sites_[0].reveal(0, 0, {}), TransportError);
  EXPECT_THROW(sites_[0].reveal(1, 1, {}), TransportError);
}

TEST_F(MaliciousServer, CannotHaveTheSecretOfTheSiteItAsksOrOfOneThatTakesNoPart) {
  send_to_first(without(4, 0, 1));
  EXPECT_THROW(sites_[0].reveal(0, 1, {0}), TransportError);
  EXPECT_THROW(sites_[0].reveal(0, 1, {4}), TransportError);
  EXPECT_THROW(sites_[0].reveal(0, 1, {77}), TransportError);
}

TEST_F(MaliciousServer, CannotHaveTheSecretsOfSoManyThatTooFewAreLeft) {
  send_to_first(sites_.sum(0));
  EXPECT_THROW(sites_[0].reveal(0, 0, {1, 2, 3}), TransportError);
  EXPECT_NO_THROW(sites_[0].reveal(0, 0, {1, 2}));
}

// With the secret of a site the server could unmask its row in every later sum.
TEST_F(MaliciousServer, CannotCountASiteAsPresentWhoseSecretItHas) {
  send_to_first(sites_.sum(0));
  sites_[0].reveal(0, 0, {1});
  send_to_first(sites_.sum(1));
  EXPECT_THROW(sites_[0].reveal(1, 0, {}), TransportError);
  send_to_first(without(1, 1, 1));
  EXPECT_NO_THROW(sites_[0].reveal(1, 1, {}));
}

TEST_F(MaliciousServer, CannotAskForSumsOverFewerSitesThanTheThreshold) {
  RowMasker::Sum sum = sites_.sum(0, 1);
  sum.present = {true, true, false, false, false};
  EXPECT_THROW(send_to_first(sum), TransportError);
}

// Sites that were given other totals have other masks, which do not cancel.
TEST_F(MaliciousServer, LearnsNothingWhereItGaveSitesDifferentTotals) {
  RowMasker::Sum sum = sites_.sum(3);
  Sums sums{std::vector<double>(20, 0.0), std::vector<std::uint64_t>(20, 0)};
  for (std::size_t s = 0; s < count; ++s) {
    sum.history.low = s;
    std::vector<double> sent = row_of(plain_row(s, 20));
    sites_[s].mask(sum, Integers::terms, sent);
    add_row(sent, sums.masked, Addition::modular);
    for (std::size_t k = 0; k < 20; ++k) sums.plain[k] += plain_row(s, 20)[k];
  }
  const std::vector<std::uint64_t> found = unmasked(sites_, sites_.sum(3), sums.masked, {}, threshold);
  std::size_t equal = 0;
  for (std::size_t k = 0; k < found.size(); ++k) equal += found[k] == sums.plain[k] ? 1 : 0;
  EXPECT_EQ(equal, 0U);
}

TEST(SendLog, KeepsItsRulesOverRestartsAndAfterACheckpoint) {
  const TempFolder folder;
  MaskedSites sites(5, 3, folder.path());
  std::vector<double> row = row_of(plain_row(0, 4));
  sites[0].mask(sites.sum(7), Integers::terms, row);
  sites[0].reveal(7, 0, {2});
  sites[0].forget_before(7);
  RowMasker restarted(MaskedSites::options(5, 0, 3, folder.path()));
  row = row_of(plain_row(0, 4));
  EXPECT_THROW(restarted.mask(sites.sum(7, 1), Integers::terms, row), TransportError);
  row = row_of(plain_row(0, 4));
  restarted.mask(sites.sum(8), Integers::terms, row);
  EXPECT_THROW(restarted.reveal(8, 0, {}), TransportError) << "site 2 is lost";
}

TEST(SendLog, ALastLineWithoutItsEndDoesNotCountAndOtherDamageIsAnError) {
  const TempFolder folder;
  const std::string line = "sent 3 0 " + std::string(64, 'a') + "\n";
  folder.write("cut", line + "revealed 3");
  EXPECT_NO_THROW(SendLog(folder / "cut"));
  for (const char* damage : {"sent 3 0 zz\n", "sent 3\n", "told 3 0\n", "lost\n"}) {
    folder.write("damaged", line + damage);
    EXPECT_THROW(SendLog(folder / "damaged"), DataError) << damage;
  }
}

}  // namespace
}  // namespace driftless::test
