// Certificates checked while a program runs: changes of the revocation list take effect without a restart.
#include "driftless/pki/peer_check.hpp"

#include "driftless/core/error.hpp"

#include "tests/pki/small_authority.hpp"

#include <gmock/gmock.h>
#include <thread>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;

class PeerChecks : public testing::Test {
 protected:
  PeerChecks() {
    ca_.issue("server");
    ca_.issue("north");
    ca_.issue("south");
  }

  PeerCheck check_of(const std::string& name) {
    return {ca_.folder / name, ca_.tls(name), [this](const std::string& event) { events_.push_back(event); }};
  }
  std::string pem(const std::string& name) const { return ca_.text(name + "/cert.pem"); }
  void revoke(const std::string& name) const {
    revoke_certificates({.folder = ca_.folder, .site = name, .serial = "", .now = ca_.now});
  }
  fs::path list() const { return ca_.folder / "server/crl.pem"; }

  SmallAuthority ca_;
  std::vector<std::string> events_;
};

TEST_F(PeerChecks, ARevocationTakesEffectWithoutARestart) {
  PeerCheck check = check_of("server");
  EXPECT_TRUE(check.has_list());
  EXPECT_EQ(check.rejection_of(pem("north")), std::nullopt);
  EXPECT_THAT(events_, IsEmpty());
  revoke("north");
  EXPECT_THAT(check.rejection_of(pem("north")), Optional(HasSubstr("revoked")));
  EXPECT_EQ(check.rejection_of(pem("south")), std::nullopt);
  EXPECT_THAT(events_, ElementsAre(HasSubstr("read the revocation list")));
}

TEST_F(PeerChecks, TheLastListStaysInForceWhereTheFileIsMissing) {
  revoke("north");
  PeerCheck check = check_of("server");
  fs::remove(list());
  EXPECT_THAT(check.rejection_of(pem("north")), Optional(HasSubstr("revoked")));
  EXPECT_EQ(check.rejection_of(pem("south")), std::nullopt);
  EXPECT_THAT(events_, ElementsAre(HasSubstr("is gone; the one read before stays in force")));
  EXPECT_TRUE(check.has_list());
}

class UselessList : public PeerChecks, public testing::WithParamInterface<std::string> {};

TEST_P(UselessList, LeavesTheLastOneInForceAndIsReportedOnce) {
  revoke("north");
  PeerCheck check = check_of("server");
  create_authority({.folder = ca_.temporary / "other", .name = "Other CA"});
  const std::string good = TempFolder::read(list());
  const std::string text = GetParam() == "Empty"     ? ""
                           : GetParam() == "Garbage" ? "garbage"
                           : GetParam() == "Cut"     ? good.substr(0, good.size() / 2)
                                                     : TempFolder::read(ca_.temporary / "other/crl.pem");
  ca_.temporary.write("ca/server/crl.pem", text);
  for (int call = 0; call < 3; ++call) {
    EXPECT_THAT(check.rejection_of(pem("north")), Optional(HasSubstr("revoked")));
    EXPECT_EQ(check.rejection_of(pem("south")), std::nullopt);
  }
  EXPECT_THAT(events_, ElementsAre(HasSubstr("cannot be used; the one read before stays in force")));
  revoke("south");  // writes the list again
  EXPECT_THAT(check.rejection_of(pem("south")), Optional(HasSubstr("revoked")));
  EXPECT_EQ(events_.size(), 2U);
}

INSTANTIATE_TEST_SUITE_P(PeerChecks, UselessList, testing::Values("Empty", "Garbage", "Cut", "OfAnotherCa"),
                         [](const auto& tested) { return tested.param; });

TEST_F(PeerChecks, AListThatAppearsIsUsed) {
  fs::remove(list());
  PeerCheck check = check_of("server");
  EXPECT_FALSE(check.has_list());
  revoke("north");
  fs::copy_file(ca_.folder / "crl.pem", list());
  EXPECT_THAT(check.rejection_of(pem("north")), Optional(HasSubstr("revoked")));
  EXPECT_TRUE(check.has_list());
}

TEST_F(PeerChecks, ASiteWithAListRejectsARevokedServer) {
  PeerCheck check = check_of("north");
  EXPECT_EQ(check.rejection_of(pem("server")), std::nullopt);
  revoke("server");
  EXPECT_EQ(check.rejection_of(pem("server")), std::nullopt) << "without a list a site cannot know";
  fs::copy_file(ca_.folder / "crl.pem", ca_.folder / "north/crl.pem");
  EXPECT_THAT(check.rejection_of(pem("server")), Optional(HasSubstr("revoked")));
}

TEST_F(PeerChecks, SeveralThreadsMayCheckWhileTheListChanges) {
  PeerCheck check = check_of("server");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int call = 0; call < 50; ++call) EXPECT_EQ(check.rejection_of(pem("south")), std::nullopt);
    });
  revoke("north");
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(check.rejection_of(pem("north")), Optional(HasSubstr("revoked")));
}

TEST(TlsFolder, AnEmptyListIsRejected) {
  const SmallAuthority ca;
  ca.issue("server");
  ca.temporary.write("ca/server/crl.pem", "");
  EXPECT_THROW(ca.tls("server"), DataError);
}

}  // namespace
}  // namespace driftless
