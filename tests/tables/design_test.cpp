#include "driftless/tables/design.hpp"

#include "driftless/core/error.hpp"

#include "tests/tables/table_of.hpp"

#include <gmock/gmock.h>

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// age is (age − 40)/10, with an indicator; ward has the levels a, b, other; stage is its index.
Coding hospital() {
  Coding coding;
  coding.columns = {
      {.name = "age", .role = ColumnRole::numeric, .center = 40.0, .scale = 10.0, .fill = 45.0, .indicator = true},
      {.name = "ward", .role = ColumnRole::categorical, .fill = 1.0, .levels = {"a", "b", "(other)"}},
      {.name = "stage", .role = ColumnRole::ordinal, .fill = 0.5, .levels = {"I", "II"}}};
  coding.label = "y";
  coding.classes = {"no", "yes"};
  return coding;
}

Table patients() {
  return table_of({number_column("age", {50, no_number, 30}), text_column("ward", {"a", "b", "z"}),
                   text_column("stage", {"II", "", "I"}), text_column("y", {"yes", "no", "no"})});
}

std::vector<double> row_of(const Design& design, std::size_t row) {
  const auto begin = design.rows.dense.begin() + static_cast<std::ptrdiff_t>(row * design.rows.stride);
  return {begin, begin + design.rows.columns};
}

TEST(Design, CodesEachCell) {
  const Design design = make_design(patients(), hospital(), LabelUse::signed_classes);
  ASSERT_EQ(design.rows.columns, 5);
  EXPECT_EQ(design.rows.stride, 8u);
  EXPECT_THAT(row_of(design, 0), ElementsAre(1.0, 0.0, 0.0, 0.0, 1.0));
  EXPECT_THAT(row_of(design, 1), ElementsAre(0.5, 1.0, 1.0, 0.0, 0.5));
  EXPECT_THAT(row_of(design, 2), ElementsAre(-1.0, 0.0, 0.0, 1.0, 0.0));
  EXPECT_THAT(design.rows.label, ElementsAre(1.0, -1.0, -1.0));
  EXPECT_EQ(design.counts.cells_imputed, 2u);
  EXPECT_EQ(design.counts.cells_unseen, 1u);
}

TEST(Design, CodesLongTablesInBlocksOfRows) {
  constexpr std::size_t rows = 3001;
  std::vector<double> age, weight;
  for (std::size_t j = 0; j < rows; ++j) {
    age.push_back(j % 5 == 0 ? no_number : static_cast<double>(j));
    weight.push_back(-0.25 * static_cast<double>(j));
  }
  Coding coding;
  coding.columns = {{.name = "age", .role = ColumnRole::numeric, .scale = 2.0, .fill = 7.0, .indicator = true},
                    {.name = "weight", .role = ColumnRole::numeric, .center = 1.0}};
  const Design design =
      make_design(table_of({number_column("age", age), number_column("weight", weight)}), coding, LabelUse::none);
  ASSERT_EQ(design.kept.size(), rows);
  for (std::size_t j = 0; j < rows; ++j) {
    const bool missing = j % 5 == 0;
    EXPECT_THAT(row_of(design, j), ElementsAre((missing ? 7.0 : age[j]) / 2.0, missing ? 1.0 : 0.0, weight[j] - 1.0));
  }
  EXPECT_EQ(design.counts.cells_imputed, (rows + 4) / 5);
}

TEST(Design, GivesClassesAsIndicesWhereAsked) {
  EXPECT_THAT(make_design(patients(), hospital(), LabelUse::values).rows.label, ElementsAre(1.0, 0.0, 0.0));
  EXPECT_TRUE(make_design(patients(), hospital(), LabelUse::none).rows.label.empty());
}

TEST(Design, TakesSomeRowsInTheGivenOrder) {
  const std::vector<std::uint32_t> rows{2, 0};
  const Design design = make_design(patients(), rows, hospital(), LabelUse::signed_classes);
  EXPECT_THAT(design.kept, ElementsAre(2u, 0u));
  EXPECT_THAT(row_of(design, 1), ElementsAre(1.0, 0.0, 0.0, 0.0, 1.0));
}

TEST(Design, LeavesRowsOutWhereTheRuleIsDropOrTheLabelIsMissing) {
  Coding coding = hospital();
  coding.columns[0].missing = MissingRule::drop;
  Table table = patients();
  table.columns[3].code[2] = TableColumn::missing_code;
  const Design design = make_design(table, coding, LabelUse::signed_classes);
  EXPECT_THAT(design.kept, ElementsAre(0u));
  EXPECT_EQ(design.counts.rows_with_missing, 1u);
  EXPECT_EQ(design.counts.rows_without_label, 1u);
}

TEST(Design, StoresRowsOfManyLevelsSparsely) {
  Coding coding;
  std::vector<std::string> levels;
  for (int k = 0; k < 50; ++k) levels.push_back("level " + std::string(1, static_cast<char>('A' + k)));
  coding.columns = {{.name = "ward", .role = ColumnRole::categorical, .levels = levels}};
  coding.label = "y";
  const Table table = table_of({text_column("ward", {levels[0], levels[7]}), number_column("y", {1, 2})});
  const Design design = make_design(table, coding, LabelUse::values);
  EXPECT_TRUE(design.rows.dense.empty());
  EXPECT_THAT(design.rows.sparse.row_start, ElementsAre(0, 0, 1));
  EXPECT_THAT(design.rows.sparse.column, ElementsAre(6));
  EXPECT_THAT(design.rows.sparse.value, ElementsAre(1.0));
}

void expect_error(const Table& table, const Coding& coding, const std::vector<std::string>& parts) {
  try {
    make_design(table, coding, LabelUse::signed_classes);
    FAIL() << "accepted";
  } catch (const DataError& error) {
    for (const std::string& part : parts) EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

TEST(Design, RejectsALabelThatIsNoClass) {
  Table table = patients();
  table.columns[3] = text_column("y", {"yes", "perhaps", "no"});
  expect_error(table, hospital(), {"none of the classes", "column 'y', row 2", "'perhaps'", "no, yes"});
}

TEST(Design, RejectsNegativeAndMissingWeights) {
  Coding coding = hospital();
  coding.weight = "w";
  Table table = patients();
  table.columns.push_back(number_column("w", {1, -2, 1}));
  expect_error(table, coding, {"a weight is negative", "column 'w', row 2", "-2"});
  table.columns.back().number[1] = no_number;
  expect_error(table, coding, {"must be given in every row", "row 2"});
}

TEST(Design, AsksForTheColumnsOfTheCoding) {
  Coding coding = hospital();
  coding.offset = "exposure";
  std::vector<std::string> names;
  for (const ColumnRequest& request : column_requests(coding, LabelUse::none)) names.push_back(request.name);
  EXPECT_THAT(names, ElementsAre("age", "ward", "stage", "exposure"));
  EXPECT_EQ(column_requests(coding, LabelUse::values).back().name, "y");
}

}  // namespace
}  // namespace driftless
