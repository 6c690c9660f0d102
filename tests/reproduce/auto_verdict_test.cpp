// The arithmetic of the claims, on cells made up by hand.
#include "driftless/reproduce/auto/study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using testing::HasSubstr;

AutoResult arrived(const std::string& method, std::uint64_t exchanges, std::uint64_t bytes = 1000) {
  const AutoArrival arrival{.setting = method == "auto" ? "" : "lambda = 1",
                            .cost = {.rounds = 1, .exchanges = exchanges, .bytes = bytes, .grad_evals = 7}};
  return {
      .method = method, .end = AutoEnd::arrived, .best = arrival, .fewest_bytes = arrival, .fewest_gradients = arrival};
}
AutoResult failed(const std::string& method, AutoEnd end) { return {.method = method, .end = end, .part = 0.5}; }

AutoRecord cell(const std::string& data, std::vector<AutoResult> results) {
  return {.cell = {.data = data}, .results = std::move(results)};
}

// a1a is the first set, a2a the second.
std::vector<AutoRecord> four_cells() {
  return {cell("a1a", {arrived("auto", 10), arrived("newton-cg", 10), arrived("dane+-gd", 40), arrived("fedred", 60)}),
          cell("a2a", {arrived("auto", 12), arrived("newton-cg", 10), failed("dane+", AutoEnd::gradients)}),
          cell("a2a", {arrived("auto", 30), arrived("fedred-gd", 15), arrived("gd", 15, 10)}),
          cell("a1a", {failed("auto", AutoEnd::diverged), arrived("gd", 9)})};
}

const AutoClaim& claim(const std::vector<AutoClaim>& claims, const std::string& words) {
  for (const AutoClaim& each : claims)
    if (each.text.find(words) != std::string::npos) return each;
  throw std::logic_error("no claim '" + words + "'");
}

TEST(AutoVerdict, CountsByHand) {
  const std::vector<AutoRecord> records = four_cells();
  const std::vector<AutoClaim> claims = claims_on(comparisons(records));
  EXPECT_EQ(claim(claims, "never diverges").holds_in, 3U);
  EXPECT_EQ(claim(claims, "always arrives").holds_in, 3U);
  EXPECT_EQ(claim(claims, "within 1.2").holds_in, 2U);  // 10/10 and 12/10
  EXPECT_EQ(claim(claims, "within 1.2").needed, 4U);    // 90 % of 4 cells are 3.6
  EXPECT_EQ(claim(claims, "within 2 times").holds_in, 3U);
  EXPECT_EQ(claim(claims, "the fewest exchanges").holds_in, 1U);
  EXPECT_EQ(claim(claims, "the fewest exchanges").needed, 2U);
  EXPECT_EQ(claim(claims, "than DANE+").holds_in, 3U);   // in two cells DANE+ did not arrive
  EXPECT_EQ(claim(claims, "than FedRed").holds_in, 2U);  // 30 is more than 15
  for (const AutoClaim& each : claims) EXPECT_FALSE(each.holds()) << each.text;
}

TEST(AutoVerdict, HoldsWhereEverythingDoes) {
  const std::vector<AutoRecord> records{
      cell("a1a", {arrived("auto", 9), arrived("newton-cg", 10), arrived("dane+", 10), arrived("fedred-gd", 11)}),
      cell("a1a", {arrived("auto", 12), arrived("newton-cg", 10)})};
  for (const AutoClaim& each : claims_on(comparisons(records))) { EXPECT_TRUE(each.holds()) << each.text; }
}

TEST(AutoVerdict, ThreePercentMoreThanTheBoundIsBeyondIt) {
  const std::vector<AutoRecord> records{cell("a1a", {arrived("auto", 121), arrived("gd", 100)})};
  const std::vector<AutoComparison> cells = comparisons(records);
  EXPECT_FALSE(cells.front().within(1.2));
  EXPECT_TRUE(cells.front().within(1.21));
  EXPECT_DOUBLE_EQ(*cells.front().ratio(), 1.21);
}

TEST(AutoVerdict, EqualExchangesAreNotFewer) {
  const std::vector<AutoRecord> records{cell("a1a", {arrived("auto", 10), arrived("dane+", 10)})};
  EXPECT_FALSE(claim(claims_on(comparisons(records)), "than DANE+").holds());
}

TEST(AutoVerdict, WhereNobodyElseArrivesArrivingIsEnough) {
  const std::vector<AutoRecord> records{
      cell("a1a", {arrived("auto", 200), failed("gd", AutoEnd::exchanges)}),
      cell("a1a", {failed("auto", AutoEnd::exchanges), failed("gd", AutoEnd::exchanges)})};
  const std::vector<AutoComparison> cells = comparisons(records);
  EXPECT_FALSE(cells[0].ratio());
  EXPECT_TRUE(cells[0].within(1.0));
  EXPECT_FALSE(cells[1].within(2.0));
}

TEST(AutoVerdict, TheBestHasFewestExchangesThenFewestBytesAndIsNeverAuto) {
  const std::vector<AutoRecord> records = four_cells();
  const std::vector<AutoComparison> cells = comparisons(records);
  EXPECT_EQ(cells[0].best->method, "newton-cg");
  EXPECT_EQ(cells[2].best->method, "gd");
  EXPECT_EQ(cells[0].dane->method, "dane+-gd");
  EXPECT_EQ(cells[0].fedred->method, "fedred");
  EXPECT_EQ(cells[1].dane, nullptr);
}

TEST(AutoVerdict, CellsInWhichAutoHasNotRunDoNotCount) {
  const std::vector<AutoRecord> records{cell("a1a", {arrived("gd", 10)})};
  EXPECT_TRUE(comparisons(records).empty());
  for (const AutoClaim& each : claims_on({})) EXPECT_FALSE(each.holds()) << each.text;
}

TEST(AutoVerdict, EverySecondSetByNameIsForDevelopment) {
  const std::vector<std::string> sets = auto_sets();
  EXPECT_TRUE(std::ranges::is_sorted(sets));
  EXPECT_THAT(sets, testing::IsSupersetOf({"w8a", "a9a", "phishing", "mushrooms", "news20", "sonar_scale", "madelon"}));
  for (std::size_t k = 0; k < sets.size(); ++k)
    EXPECT_EQ(AutoCell{.data = sets[k]}.half(), k % 2 == 1 ? AutoHalf::development : AutoHalf::report) << sets[k];
  EXPECT_EQ(AutoCell{.data = "mine.svm"}.half(), AutoHalf::report);
  const std::vector<AutoRecord> records = four_cells();
  const std::vector<AutoComparison> cells = comparisons(records);
  EXPECT_EQ(of_half(cells, AutoHalf::development).size(), 2U);
  EXPECT_EQ(claim(claims_on(of_half(cells, AutoHalf::development)), "always arrives").holds_in, 2U);
}

TEST(AutoReport, ShowsTheCellsTheClaimsAndWhatIsLeftOut) {
  AutoStudy study{.records = four_cells(), .missing = {{"w8a", "there is no such file"}}, .pending = 3};
  study.records.push_back({.cell = {.data = "duke", .clients = 142}, .impossible = "there are more clients than rows"});
  study.records[1].results.front().note = "newton";
  study.records[1].results[1].clock = true;
  const std::string page = auto_markdown(study);
  EXPECT_THAT(page, HasSubstr("| a1a | 5 | iid | 1e-3 | 10 / 1 kB / 7 |  | newton-cg, lambda = 1 | 10 / 1 kB / 7 "
                              "| 1.00 | 40 | 60 |\n"));
  EXPECT_THAT(page, HasSubstr("| newton | newton-cg, lambda = 1 | 10 / 1 kB / 7 | 1.20 | – | – * |\n"));
  EXPECT_THAT(page, HasSubstr("| – (diverged) |"));
  EXPECT_THAT(page, HasSubstr("| never diverges | 3 of 4 | 4 | does not hold |"));
  EXPECT_THAT(page, HasSubstr("duke, n = 142, iid, l2 = 1e-3: there are more clients than rows"));
  EXPECT_THAT(page, HasSubstr("w8a: there is no such file"));
  EXPECT_THAT(page, HasSubstr("3 cells are not finished"));
  EXPECT_THAT(auto_csv(study), HasSubstr("\"a2a\",5,iid,1e-3,development,dane+,gradients,,,,\"\",0.5,0,false\n"));
  EXPECT_THAT(auto_json(study), HasSubstr("\"ratio\": 1.2"));
}

}  // namespace
}  // namespace driftless
