// The parts of masks: keys, streams, shares, and the graph of neighbours.
#include "driftless/core/error.hpp"
#include "driftless/secure_sum/mask_graph.hpp"
#include "driftless/secure_sum/pad.hpp"
#include "driftless/secure_sum/sealed_share.hpp"
#include "driftless/secure_sum/shamir.hpp"

#include "tests/secure_sum/masked_sites.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace driftless::test {
namespace {

Secret secret_of(const std::string& hex) {
  Secret secret{};
  for (std::size_t k = 0; k < secret.size(); ++k)
    secret[k] = static_cast<unsigned char>(std::stoul(hex.substr(2 * k, 2), nullptr, 16));
  return secret;
}

// RFC 7748, section 6.1.
TEST(Keys, X25519HasThePublishedValues) {
  const ExchangeKey alice = exchange_key(secret_of("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"));
  const ExchangeKey bob = exchange_key(secret_of("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"));
  const Secret shared = secret_of("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");
  EXPECT_EQ(alice.open, secret_of("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"));
  EXPECT_EQ(bob.open, secret_of("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"));
  EXPECT_EQ(shared_secret(alice.secret, bob.open), shared);
  EXPECT_EQ(shared_secret(bob.secret, alice.open), shared);
}

TEST(Keys, AKeyOfSmallOrderIsRejected) { EXPECT_THROW(shared_secret(random_secret(), Secret{}), TransportError); }

TEST(Keys, DerivedSecretsDifferInEveryPartOfTheirPurpose) {
  const Secret key = random_secret();
  std::set<Secret> all{derived(key, "a"), derived(key, "a", {0}),    derived(key, "a", {1}),
                       derived(key, "b"), derived(key, "a", {0, 0}), derived(random_secret(), "a")};
  EXPECT_EQ(all.size(), 6U);
  EXPECT_EQ(derived(key, "a", {1}), derived(key, "a", {1}));
}

TEST(Pads, WhatOneAddsTheOtherSubtracts) {
  const Secret key = random_secret();
  const std::vector<std::uint64_t> integers{0, 1, ~std::uint64_t{0}, 1U << 31};
  std::vector<double> row = row_of(integers);
  add_pad(key, row);
  EXPECT_NE(integers_of(row), integers);
  subtract_pad(key, row);
  EXPECT_EQ(integers_of(row), integers);
}

TEST(Pads, TheStreamIsAesInCounterModeAcrossPieces) {
  // AES-256 in counter mode with a zero counter encrypts zeros: F.5.5 of NIST SP 800-38A has another counter, so the
  // value for a key of zeros is that of AES-256(0, 0), dc95c078a2408989ad48a21492842087.
  std::vector<double> row(5000, 0.0);
  add_pad(Secret{}, row);
  EXPECT_EQ(integers_of(row)[0], 0x898940a278c095dcU);
  EXPECT_EQ(integers_of(row)[1], 0x8720849214a248adU);
  std::vector<double> shorter(3000, 0.0);
  add_pad(Secret{}, shorter);
  row.resize(3000);
  EXPECT_EQ(integers_of(shorter), integers_of(row));
}

TEST(Pads, BlindedFlagsStayFlags) {
  std::vector<double> flags = row_of({0, 1, 1, 0, 5});
  blind_flags(random_secret(), flags);
  const std::vector<std::uint64_t> blinded = integers_of(flags);
  EXPECT_EQ(blinded[0], 0U);
  EXPECT_EQ(blinded[3], 0U);
  for (const std::size_t k : {1U, 2U, 4U}) EXPECT_GT(blinded[k], 100U);
  EXPECT_NE(blinded[1], blinded[2]);
}

TEST(Shamir, AnyThresholdOfSharesGivesTheSecretBack) {
  const Secret secret = random_secret();
  for (const auto& [holders, threshold] :
       {std::pair<std::size_t, std::size_t>{1, 1}, {3, 2}, {5, 3}, {10, 10}, {255, 128}}) {
    const std::vector<Secret> shares = split_secret(secret, holders, threshold);
    std::map<std::size_t, Secret> last, first;
    for (std::size_t k = 0; k < threshold; ++k) {
      first[k] = shares[k];
      last[holders - 1 - k] = shares[holders - 1 - k];
    }
    EXPECT_EQ(combined_secret(first), secret) << holders;
    EXPECT_EQ(combined_secret(last), secret) << holders;
  }
}

// With one share fewer every secret is as likely: each byte of the last share gives another secret.
TEST(Shamir, FewerSharesTellNothing) {
  const std::vector<Secret> shares = split_secret(random_secret(), 3, 3);
  std::set<unsigned char> possible;
  for (unsigned guess = 0; guess < 256; ++guess) {
    Secret last{};
    last[0] = static_cast<unsigned char>(guess);
    possible.insert(combined_secret({{0, shares[0]}, {1, shares[1]}, {2, last}})[0]);
  }
  EXPECT_EQ(possible.size(), 256U);
}

TEST(SealedShares, OnlyTheKeyOpensThemAndChangesAreNoticed) {
  const Secret key = random_secret(), share = random_secret();
  const std::string sealed = sealed_share(key, share);
  EXPECT_EQ(opened_share(key, sealed), share);
  EXPECT_FALSE(opened_share(random_secret(), sealed));
  EXPECT_FALSE(opened_share(key, sealed.substr(1)));
  for (std::size_t at = 0; at < sealed.size(); at += 7) {
    std::string changed = sealed;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_FALSE(opened_share(key, changed)) << at;
  }
}

TEST(MaskGraph, FewSitesAreAllNeighboursAndManyHaveEnough) {
  for (const std::size_t sites : {2U, 3U, 20U, 100U, 255U, 1000U}) {
    const std::size_t degree = mask_neighbours(sites);
    const double risk = static_cast<double>(sites) * std::pow(1.0 / 3.0, static_cast<double>(degree));
    EXPECT_TRUE(sites <= 20 ? degree == sites - 1 : risk <= std::ldexp(1.0, -40)) << sites;
    EXPECT_LE(degree, 40U);
    const auto graph = mask_graph(sites, random_secret());
    for (std::size_t site = 0; site < sites; ++site) {
      EXPECT_EQ(graph[site].size(), degree) << sites;
      for (const std::size_t other : graph[site])
        EXPECT_TRUE(std::ranges::binary_search(graph[other], site)) << site << " and " << other;
    }
  }
}

TEST(MaskGraph, DependsOnItsSeed) {
  const Secret seed = random_secret();
  EXPECT_EQ(mask_graph(200, seed), mask_graph(200, seed));
  EXPECT_NE(mask_graph(200, seed), mask_graph(200, random_secret()));
}

}  // namespace
}  // namespace driftless::test
