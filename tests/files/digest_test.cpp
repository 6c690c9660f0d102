#include "driftless/files/digest.hpp"

#include "driftless/core/check.hpp"
#include "driftless/data/rows_digest.hpp"

#include "tests/support/small_data.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

TEST(Sha256, MatchesThePublishedTestVectors) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, DoesNotDependOnHowTheBytesArrive) { EXPECT_EQ(Sha256().add("a").add("").add("bc").hex(), sha256("abc")); }

TEST(Sha256, WritesWordsWithTheLowByteFirst) {
  using namespace std::string_view_literals;
  EXPECT_EQ(Sha256().add_word(0x0102030405060708ULL).hex(), sha256("\x08\x07\x06\x05\x04\x03\x02\x01"sv));
  EXPECT_EQ(Sha256().add_number(1.0).hex(), sha256("\0\0\0\0\0\0\xF0\x3F"sv));
}

TEST(Sha256, CanBeReadBeforeTheEnd) {
  Sha256 digest;
  EXPECT_EQ(digest.hex_so_far(), sha256(""));
  digest.add("ab");
  EXPECT_EQ(digest.hex_so_far(), sha256("ab"));
  EXPECT_EQ(digest.add("c").hex_so_far(), sha256("abc"));
  EXPECT_EQ(digest.hex(), sha256("abc"));
}

TEST(Sha256, CannotBeUsedAfterItsEnd) {
  Sha256 digest;
  digest.add("abc").hex();
  EXPECT_THROW(digest.add("d"), BrokenInvariant);
  EXPECT_THROW(digest.hex(), BrokenInvariant);
  EXPECT_THROW(digest.hex_so_far(), BrokenInvariant);
}

TEST(DigestOfRows, ChangesWithEveryPartOfTheData) {
  const Dataset data = rows_with_labels({1, -1, 1});
  const std::string original = digest_of_rows(data);
  Dataset other = data;
  other.dim = 2;
  EXPECT_NE(digest_of_rows(other), original);
  other = data;
  other.label[2] = -1;
  EXPECT_NE(digest_of_rows(other), original);
  other = data;
  other.value[0] = -other.value[0];
  EXPECT_NE(digest_of_rows(other), original);
  other = data;
  other.row_start[1] = 0;
  EXPECT_NE(digest_of_rows(other), original);
  other = data;
  other.name = "renamed";
  EXPECT_EQ(digest_of_rows(other), original);
}

}  // namespace
}  // namespace driftless
