#include "driftless/core/printable.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

TEST(Printable, LeavesPlainTextAndUmlautsAsTheyAre) {
  EXPECT_EQ(printable("site 'Köln' sent λ = 3 ≤ 4"), "site 'Köln' sent λ = 3 ≤ 4");
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(printable("\x1b[2Jcleared"), "\\x1b[2Jcleared");
  EXPECT_EQ(printable("one\nsite 'north' joined\r\ttwo"), "one\\x0asite 'north' joined\\x0d\\x09two");
  EXPECT_EQ(printable(std::string_view("nul\0byte", 8)), "nul\\x00byte");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31mred"),
            "\\xc2\\x9b31mred")
      << "the control sequence introducer of C1";
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "txt.exe"),
            "\\xe2\\x80\\xaetxt.exe")
      << "right-to-left override";
  EXPECT_EQ(printable("\x7f"), "\\x7f");
}

TEST(Printable, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "overlong";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "surrogate";
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82") << "cut off";
  EXPECT_EQ(printable("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80") << "beyond Unicode";
}

TEST(Printable, CutsLongTextsBetweenCharacters) {
  EXPECT_EQ(printable(std::string(1000, 'a'), 10), std::string(10, 'a') + "...");
  EXPECT_EQ(printable("ääääää", 5), "ää...");
  EXPECT_EQ(printable("\x1b\x1b\x1b", 5), "\\x1b...") << "an escape is never cut";
}

}  // namespace
}  // namespace driftless
