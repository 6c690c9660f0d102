// One table gives reading, bounds, help and echo.
#include "driftless/core/options.hpp"

#include <functional>
#include <gtest/gtest.h>

namespace driftless {

enum class Colour { red, dark_blue };
template <>
struct EnumNames<Colour> {
  static constexpr std::array<std::string_view, 2> value{"red", "dark-blue"};
};

namespace {

using namespace std::string_literals;

struct Inner {
  double eta = 2.0;
  static Fields fields() { return {field("eta", &Inner::eta, positive, "inner step")}; }
};

struct Outer {
  double lambda = required;
  std::size_t count = 3;
  bool restart = true;
  Colour colour = Colour::red;
  std::optional<double> gap;
  std::vector<std::string> files;
  Inner inner;

  static Fields fields() {
    using S = Outer;
    return {field("lambda", &S::lambda, nonnegative, "pull"),
            field("count", &S::count, at_least_one, "how many"),
            field("restart", &S::restart, anything, "continue from x"),
            field("colour", &S::colour, anything, "paint"),
            field("gap", &S::gap, positive, "target"),
            field("files", &S::files, anything, "list"),
            nested(&S::inner)};
  }
};

std::string message(const std::function<void()>& act) {
  try {
    act();
  } catch (const ConfigError& e) { return e.what(); }
  return "no error";
}

TEST(Options, AreSetByName) {
  Outer o;
  set_options(o, {{"lambda", 0.5},
                  {"count", std::int64_t{7}},
                  {"restart", false},
                  {"colour", "dark-blue"s},
                  {"gap", 1e-3},
                  {"files", std::vector{"a"s, "b"s}},
                  {"eta", 4.0}});
  EXPECT_EQ(o.lambda, 0.5);
  EXPECT_EQ(o.count, 7U);
  EXPECT_FALSE(o.restart);
  EXPECT_EQ(o.colour, Colour::dark_blue);
  EXPECT_EQ(o.gap, 1e-3);
  EXPECT_EQ(o.files.size(), 2U);
  EXPECT_EQ(o.inner.eta, 4.0);
}

TEST(Options, AWholeNumberServesAsANumberButNotTheOtherWayRound) {
  Outer o;
  set_option(o, "lambda", std::int64_t{2});
  EXPECT_EQ(o.lambda, 2.0);
  EXPECT_THROW(set_option(o, "count", 2.0), ConfigError);
}

TEST(Options, UnknownNamesGetTheNearestOne) {
  Outer o;
  const std::string text = message([&] { set_option(o, "lamda", 1.0); });
  EXPECT_NE(text.find("did you mean 'lambda'"), std::string::npos) << text;
}

TEST(Options, ValuesOutOfRangeAreNamedWithTheRange) {
  Outer o;
  const std::string text = message([&] { set_option(o, "lambda", -1.0); });
  EXPECT_NE(text.find("lambda = -1"), std::string::npos) << text;
  EXPECT_NE(text.find(">= 0"), std::string::npos) << text;
  EXPECT_THROW(set_option(o, "count", std::int64_t{0}), ConfigError);
  EXPECT_THROW(set_option(o, "count", std::int64_t{-4}), ConfigError);
  EXPECT_THROW(set_option(o, "gap", 0.0), ConfigError);
  EXPECT_THROW(set_option(o, "lambda", std::numeric_limits<double>::infinity()), ConfigError);
  EXPECT_THROW(set_option(o, "lambda", std::numeric_limits<double>::quiet_NaN()), ConfigError);
}

TEST(Options, ChoicesAreListed) {
  Outer o;
  const std::string text = message([&] { set_option(o, "colour", "green"s); });
  EXPECT_NE(text.find("red | dark-blue"), std::string::npos) << text;
}

TEST(Options, ThoseWithoutDefaultMustBeGiven) {
  Outer o;
  EXPECT_THROW(require_complete(o), ConfigError);
  o.lambda = 1.0;
  EXPECT_NO_THROW(require_complete(o));
}

TEST(Options, DescribeThemselves) {
  const std::vector<OptionInfo> table = describe_options<Outer>();
  ASSERT_EQ(table.size(), 7U);
  EXPECT_TRUE(table[0].required);
  EXPECT_EQ(table[1].initial, "3");
  EXPECT_EQ(table[1].allowed, "a whole number >= 1");
  EXPECT_EQ(table[3].initial, "\"red\"");
  EXPECT_EQ(table[4].initial, "");
  EXPECT_EQ(table[6].name, "eta");
}

TEST(Options, EchoLeavesOutWhatIsUnset) {
  Outer o{.lambda = 0.1};
  const auto lines = echo_options(o);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0], (std::pair{"lambda"s, "0.1"s}));
  EXPECT_EQ(lines[3].second, "\"red\"");
}

TEST(Text, NumbersReadBackAsTheSameBits) {
  for (const double v : {0.1, 1.0 / 3, 1e-300, 1.7976931348623157e308, -0.0, 5.0}) EXPECT_EQ(std::stod(number(v)), v);
  EXPECT_EQ(number(0.1), "0.1");
}

TEST(Text, StringsAreEscapedForToml) { EXPECT_EQ(toml_string("a\"b\\c\nd\x1f"), "\"a\\\"b\\\\c\\nd\\u001F\""); }

TEST(Text, NothingIsNearestToAnUnrelatedWord) {
  const std::vector<std::string> known{"lambda", "eta"};
  EXPECT_EQ(nearest("xyzzyxyz", known), "");
  EXPECT_EQ(nearest("etta", known), "eta");
}

TEST(Errors, HaveThreeParts) {
  DataError e({.what = "a label is no number", .seen = "'x'", .advice = "fix the file"});
  e.locate("data.svm:3");
  EXPECT_EQ(std::string(e.what()), "a label is no number\n  seen: data.svm:3: 'x'\n  do:   fix the file");
  EXPECT_EQ(e.kind(), ErrorKind::data);
}

}  // namespace
}  // namespace driftless
