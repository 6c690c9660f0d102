// The agreement on keys through a server that is not trusted.
#include "driftless/core/error.hpp"

#include "tests/secure_sum/masked_sites.hpp"
#include "tests/support/temp_folder.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

// Sites that check signatures: one is made of the text and a secret of the site.
SecureSumOptions signing(std::size_t own, std::size_t threshold = 0) {
  SecureSumOptions options = MaskedSites::options(3, own, threshold);
  const auto signature = [](const std::string& site, const std::string& text) { return site + " signs " + text; };
  options.sign = [=, site = options.sites[own]](const std::string& text) { return signature(site, text); };
  options.check = [=](const Announcement& of, const std::string& text) -> std::optional<std::string> {
    if (of.signature == signature(of.site, text)) return std::nullopt;
    return "the signature is wrong";
  };
  return options;
}

class ForgedKeys : public testing::Test {
 protected:
  ForgedKeys() {
    for (std::size_t s = 0; s < 3; ++s) all_.push_back(SiteKeys(signing(s, 2)).own());
    all_[0] = first_.own();
  }

  SiteKeys first_{signing(0, 2)};
  std::vector<Announcement> all_;
};

TEST_F(ForgedKeys, HonestAnnouncementsAreAccepted) {
  EXPECT_NO_THROW(first_.learn(all_));
  EXPECT_TRUE(first_.knows_sites());
}

TEST_F(ForgedKeys, AKeyOfTheServerInPlaceOfThatOfASiteIsNoticed) {
  all_[1].open_key = exchange_key(random_secret()).open;
  EXPECT_THROW(first_.learn(all_), TransportError);
  EXPECT_FALSE(first_.knows_sites());
}

TEST_F(ForgedKeys, OtherDigestsOfSharesAreNoticed) {
  all_[2].share_digests[0] = random_secret();
  EXPECT_THROW(first_.learn(all_), TransportError);
}

TEST_F(ForgedKeys, AnAnnouncementOfAnotherSiteIsNoticed) {
  all_[2] = all_[1];
  EXPECT_THROW(first_.learn(all_), TransportError);
  all_[2].site = "site-2";
  EXPECT_THROW(first_.learn(all_), TransportError);
}

TEST_F(ForgedKeys, AnotherKeyForThisSiteIsNoticed) {
  all_[0].open_key = exchange_key(random_secret()).open;
  EXPECT_THROW(first_.learn(all_), TransportError);
}

TEST_F(ForgedKeys, AnotherNumberOfSitesOrSharesIsNoticed) {
  std::vector<Announcement> fewer(all_.begin(), all_.begin() + 2);
  EXPECT_THROW(first_.learn(fewer), TransportError);
  all_[1].share_digests.pop_back();
  EXPECT_THROW(first_.learn(all_), TransportError);
}

TEST_F(ForgedKeys, AKeyThatChangesLaterIsNoticed) {
  first_.learn(all_);
  all_[1] = SiteKeys(signing(1, 2)).own();
  EXPECT_THROW(first_.learn(all_), TransportError);
}

TEST(ForgedShares, AShareThatWasChangedOrIsNotTheAnnouncedOneIsNoticed) {
  MaskedSites sites(3, 2);
  const std::vector<std::string> from_1 = sites[1].keys().sealed_shares(), from_2 = sites[2].keys().sealed_shares();
  EXPECT_NO_THROW(sites[0].keys().learn_shares({"", from_1[0], from_2[0]}));
  EXPECT_THROW(sites[0].keys().learn_shares({"", from_1[2], from_2[0]}), TransportError);
  EXPECT_THROW(sites[0].keys().learn_shares({"", from_2[0], from_1[0]}), TransportError);
  EXPECT_THROW(sites[0].keys().learn_shares({"", from_1[0]}), TransportError);
  std::string changed = from_1[0];
  changed[3] = static_cast<char>(changed[3] ^ 16);
  EXPECT_THROW(sites[0].keys().learn_shares({"", changed, from_2[0]}), TransportError);
}

TEST(KeyFile, ADamagedOneIsAnErrorAndNeverReplaced) {
  const TempFolder folder;
  const SecureSumOptions options = MaskedSites::options(3, 0, 2, folder.path());
  const Announcement own = SiteKeys(options).own();
  EXPECT_EQ(SiteKeys(options).own(), own);
  const std::filesystem::path file = options.folder / "masks";
  std::string bytes = TempFolder::read(file);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  folder.write("site-0/masks", bytes);
  EXPECT_THROW(SiteKeys{options}, DataError);
  EXPECT_EQ(TempFolder::read(file), bytes);
}

}  // namespace
}  // namespace driftless::test
