// The removal of masks at the server, with sites that answer, leave, stay silent, or give wrong shares.
#include "driftless/network/hub/hub.hpp"

#include "tests/secure_sum/masked_sites.hpp"
#include "tests/support/temp_folder.hpp"

#include <future>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using Kind = Hub::Outgoing::Kind;

class Unmasking : public testing::Test {
 protected:
  static constexpr std::size_t count = 4, threshold = 3, width = 10;

  Unmasking() {
    std::vector<std::string> names;
    std::vector<SiteSlot> slots;
    for (std::size_t s = 0; s < count; ++s) {
      names.push_back("site-" + std::to_string(s));
      slots.push_back({names.back(), {s}});
    }
    keys_.emplace(names, std::filesystem::path());
    for (std::size_t s = 0; s < count; ++s) keys_->announce(s, sites_[s].keys().own());
    hub_.emplace(
        count, slots, journal_,
        HubOptions{
            .grace = 0.2, .deadline = 0.4, .on_loss = OnLoss::drop, .keys = &*keys_, .unmask_threshold = threshold});
    for (std::size_t s = 0; s < count; ++s) connections_.push_back(hub_->join(s, 0));
    server_ = std::async(std::launch::async, [this] {
      std::vector<double> total(width);
      hub_->add_integers(0, total);
      return integers_of(total);
    });
  }
  ~Unmasking() override {
    hub_->end(ErrorKind::run_failed, {.what = "the test is over", .seen = "", .advice = ""});
    if (server_.valid()) server_.wait();
  }

  static std::vector<std::uint64_t> plain(std::size_t site) { return std::vector<std::uint64_t>(width, 10 + site); }
  RowMasker::Sum sum(std::uint32_t attempt = 0) const {
    RowMasker::Sum of_all = sites_.sum(0, attempt);
    of_all.history = {};
    return of_all;
  }
  void send_row(std::size_t site) {
    std::vector<double> row = row_of(plain(site));
    sites_[site].mask(sum(), Integers::terms, row);
    connections_[site]->receive(0, 0, 0, row);
  }
  void send_rows() {
    for (std::size_t s = 0; s < count; ++s) send_row(s);
  }
  // What the server sends this site next, which is a question about masks.
  Hub::Outgoing question(std::size_t site) {
    Hub::Outgoing out = connections_[site]->next();
    EXPECT_EQ(static_cast<int>(out.kind), static_cast<int>(Kind::unmask));
    return out;
  }
  // The first sites are asked for their masks and for shares of the lost ones, and answer.
  void answer(std::size_t first_sites, const std::vector<std::size_t>& lost) {
    for (std::size_t site = 0; site < first_sites; ++site) {
      EXPECT_EQ(question(site).lost, lost);
      const RowMasker::Revealed revealed = sites_[site].reveal(0, 0, lost);
      connections_[site]->on_reveal(0, 0, revealed.seed, revealed.shares);
    }
  }

  const TempFolder folder_;
  MaskedSites sites_{count, threshold};
  Journal journal_{folder_ / "journal", {}};
  std::optional<KeyBoard> keys_;
  std::optional<Hub> hub_;
  std::vector<std::unique_ptr<HubConnection>> connections_;
  std::future<std::vector<std::uint64_t>> server_;
};

constexpr std::uint64_t sum_of_all = 10 + 11 + 12 + 13;

TEST_F(Unmasking, TheTotalIsThatOfTheRowsAndNothingIsSentBefore) {
  send_rows();
  answer(count, {});
  EXPECT_EQ(server_.get(), std::vector<std::uint64_t>(width, sum_of_all));
  const Hub::Outgoing chunk = connections_[0]->next();
  EXPECT_EQ(static_cast<int>(chunk.kind), static_cast<int>(Kind::chunk));
  EXPECT_EQ(integers_of({chunk.values.begin(), chunk.values.end()}), std::vector<std::uint64_t>(width, sum_of_all));
}

TEST_F(Unmasking, TheRowOfASiteThatLeftStaysInTheSumByTheSharesOfTheOthers) {
  send_rows();
  question(3);
  connections_[3].reset();
  answer(3, {});
  answer(3, {3});
  EXPECT_EQ(server_.get(), std::vector<std::uint64_t>(width, sum_of_all));
  EXPECT_TRUE(journal_.last_agreement().absent.empty()) << "it took part in this exchange";
}

TEST_F(Unmasking, ASiteThatWithholdsItsAnswerIsLostAndItsRowStaysInTheSum) {
  send_rows();
  answer(3, {});
  answer(3, {3});
  EXPECT_EQ(server_.get(), std::vector<std::uint64_t>(width, sum_of_all));
}

TEST_F(Unmasking, AForgedShareIsRejectedAndNamesWhoGaveIt) {
  send_rows();
  question(3);
  connections_[3].reset();
  answer(3, {});
  question(1);
  RowMasker::Revealed revealed = sites_[1].reveal(0, 0, {3});
  revealed.shares.front().second[5] ^= 1;
  try {
    connections_[1]->on_reveal(0, 0, revealed.seed, revealed.shares);
    FAIL() << "the share was taken";
  } catch (const Rejection& rejection) {
    EXPECT_NE(rejection.info().what.find("another share than it was dealt"), std::string::npos);
    EXPECT_NE(rejection.info().seen.find("site-3"), std::string::npos);
  }
}

TEST_F(Unmasking, AnswersThatNobodyAskedForAreRejected) {
  send_row(0);
  const RowMasker::Revealed revealed = sites_[0].reveal(0, 0, {});
  EXPECT_THROW(connections_[0]->on_reveal(0, 0, revealed.seed, revealed.shares), Rejection) << "rows are missing";
  EXPECT_THROW(connections_[0]->on_reveal(7, 0, revealed.seed, revealed.shares), Rejection);
  for (std::size_t s = 1; s < count; ++s) send_row(s);
  const std::vector<std::pair<std::size_t, Secret>> shares{{2, sites_[0].keys().share_of(2)}};
  EXPECT_THROW(connections_[0]->on_reveal(0, 0, revealed.seed, shares), Rejection) << "site 2 is there";
}

TEST_F(Unmasking, WithFewerSitesThanTheThresholdTheRunEndsWithAnError) {
  send_rows();
  for (std::size_t s = 2; s < count; ++s) connections_[s].reset();
  try {
    server_.get();
    FAIL() << "there is a total";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::run_failed);
    EXPECT_NE(error.info().what.find("too few sites are left"), std::string::npos);
  }
}

TEST(KeyBoard, KeepsWhatSitesAnnouncedAndRejectsOtherKeys) {
  const TempFolder folder;
  const std::vector<std::string> names{"site-0", "site-1"};
  MaskedSites sites(2, 2);
  {
    KeyBoard board(names, folder / "keys");
    board.announce(0, sites[0].keys().own());
    EXPECT_TRUE(board.announcements().empty());
    EXPECT_EQ(board.missing(), std::vector<std::string>{"site-1"});
    board.announce(1, sites[1].keys().own());
    for (std::size_t s = 0; s < 2; ++s) board.deposit(s, sites[s].keys().sealed_shares());
  }
  KeyBoard board(names, folder / "keys");
  EXPECT_EQ(board.announcements(), (std::vector<Announcement>{sites[0].keys().own(), sites[1].keys().own()}));
  EXPECT_EQ(board.shares_for(0), (std::vector<std::string>{"", sites[1].keys().sealed_shares()[0]}));
  EXPECT_TRUE(board.is_share(1, 0, sites[0].keys().share_of(1)));
  EXPECT_FALSE(board.is_share(1, 1, sites[0].keys().share_of(1)));
  EXPECT_NO_THROW(board.announce(0, sites[0].keys().own()));
  EXPECT_THROW(board.announce(0, MaskedSites(2, 2)[0].keys().own()), Rejection);
  folder.write("keys", "damaged");
  EXPECT_THROW(KeyBoard(names, folder / "keys"), DataError);
}

}  // namespace
}  // namespace driftless::test
