#include "driftless/tables/preparation.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/random.hpp"
#include "driftless/federation/in_process_transport.hpp"

#include "tests/tables/table_of.hpp"

#include <gmock/gmock.h>

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Preparation prepared(const Schema& schema, const std::vector<Table>& tables, const PreparationOptions& options = {},
                     std::size_t threads = 2) {
  InProcessTransport transport(tables.size());
  ThreadPool pool(threads);
  std::vector<ClientTable> clients;
  for (const Table& table : tables) clients.push_back(all_rows_of(table));
  return prepare(schema, clients, options, transport, pool);
}

Schema schema_of(std::vector<SchemaColumn> columns) {
  Schema schema;
  schema.columns = std::move(columns);
  schema.columns.push_back(schema_column("y", ColumnRole::label));
  return schema;
}

Table ages(std::vector<double> age) {
  std::vector<double> label(age.size(), 1.0);
  return table_of({number_column("age", std::move(age)), number_column("y", std::move(label))});
}

const CodedColumn& only_column(const Preparation& found) {
  EXPECT_EQ(found.coding.columns.size(), 1u);
  return found.coding.columns.front();
}

TEST(Preparation, StandardisesByTheMeanAndDeviationOfAllRows) {
  const Preparation found =
      prepared(schema_of({schema_column("age", ColumnRole::numeric)}), {ages({1, 3}), ages({5, 7, 9})});
  const CodedColumn& age = only_column(found);
  EXPECT_DOUBLE_EQ(age.center, 5.0);
  EXPECT_DOUBLE_EQ(age.scale, std::sqrt(8.0));
  EXPECT_FALSE(age.indicator);
}

TEST(Preparation, KeepsTheDigitsOfASmallSpreadAroundALargeMean) {
  const double base = 1e9;
  const Preparation found =
      prepared(schema_of({schema_column("age", ColumnRole::numeric)}), {ages({base + 1, base + 3}), ages({base + 5})});
  EXPECT_NEAR(only_column(found).scale, std::sqrt(8.0 / 3.0), 1e-6);
}

TEST(Preparation, ScalesByRangeAndByQuartiles) {
  const Schema schema = schema_of({schema_column("age", ColumnRole::numeric)});
  const std::vector<Table> tables{ages({4, 2, 100}), ages({3, 1})};
  const Preparation range = prepared(schema, tables, {.scaling = Scaling::minmax});
  EXPECT_EQ(only_column(range).center, 1.0);
  EXPECT_EQ(only_column(range).scale, 99.0);
  const Preparation quartiles = prepared(schema, tables, {.scaling = Scaling::robust});
  EXPECT_EQ(only_column(quartiles).center, 3.0);
  EXPECT_EQ(only_column(quartiles).scale, 2.0);
  const Preparation none = prepared(schema, tables, {.scaling = Scaling::none});
  EXPECT_EQ(only_column(none).center, 0.0);
  EXPECT_EQ(only_column(none).scale, 1.0);
}

TEST(Preparation, FindsQuartilesOfAnyNumbersExactly) {
  Stream chance(3, Purpose::generator);
  std::vector<double> all;
  std::vector<Table> tables;
  for (const std::size_t rows : {7u, 1u, 20u}) {
    std::vector<double> own;
    for (std::size_t j = 0; j < rows; ++j)
      own.push_back(std::ldexp(chance.normal(), static_cast<int>(chance.index(60)) - 30));
    all.insert(all.end(), own.begin(), own.end());
    tables.push_back(ages(own));
  }
  std::ranges::sort(all);
  const auto quantile = [&](double level) { return all[static_cast<std::size_t>(std::ceil(level * 28.0)) - 1]; };
  const Preparation found =
      prepared(schema_of({schema_column("age", ColumnRole::numeric)}), tables, {.scaling = Scaling::robust});
  EXPECT_EQ(only_column(found).center, quantile(0.5));
  EXPECT_EQ(only_column(found).scale, quantile(0.75) - quantile(0.25));
}

TEST(Preparation, ReplacesMissingNumbersByTheMeanOfTheOthersAndSaysSo) {
  const Preparation found =
      prepared(schema_of({schema_column("age", ColumnRole::numeric)}), {ages({1, no_number}), ages({5, 6})});
  const CodedColumn& age = only_column(found);
  EXPECT_DOUBLE_EQ(age.fill, 4.0);
  EXPECT_TRUE(age.indicator);
  EXPECT_EQ(variable_names(found.coding), (std::vector<std::string>{"age", "age (missing)"}));
}

Table wards(const std::vector<std::string>& ward, const std::vector<std::string>& label) {
  return table_of({text_column("ward", ward), text_column("y", label)});
}

TEST(Preparation, LeavesMissingCellsOfLongColumnsOutOfMeansAndDeviations) {
  constexpr std::size_t rows = 101;
  std::vector<double> age, label(rows, 1.0);
  std::vector<std::string> stage;
  double count = 0.0, sum = 0.0, squares = 0.0, levels = 0.0;
  for (std::size_t j = 0; j < rows; ++j) {
    const bool missing = j % 3 == 1, second = j % 7 < 2;
    age.push_back(missing ? no_number : static_cast<double>(j * j % 17));
    stage.emplace_back(missing ? "" : second ? "II" : "I");
    if (missing) continue;
    count += 1.0;
    sum += age.back();
    squares += age.back() * age.back();
    levels += second ? 1.0 : 0.0;
  }
  const Preparation found = prepared(
      schema_of({schema_column("age", ColumnRole::numeric), schema_column("stage", ColumnRole::ordinal, {"I", "II"})}),
      {table_of({number_column("age", age), text_column("stage", stage), number_column("y", label)})});
  ASSERT_EQ(found.coding.columns.size(), 2u);
  const CodedColumn &first = found.coding.columns[0], &second = found.coding.columns[1];
  EXPECT_TRUE(first.indicator && second.indicator);
  EXPECT_DOUBLE_EQ(first.center, sum / count);
  EXPECT_NEAR(first.scale, std::sqrt(squares / count - first.center * first.center), 1e-12);
  EXPECT_DOUBLE_EQ(second.center, levels / count);
  EXPECT_NEAR(second.scale, std::sqrt(second.center * (1.0 - second.center)), 1e-12);
}

TEST(Preparation, UnitesTheLevelsOfAllSitesInTheOrderOfTheirBytes) {
  const Preparation found =
      prepared(schema_of({schema_column("ward", ColumnRole::categorical)}),
               {wards({"b", "c"}, {"no", "yes"}), wards({"a", "b"}, {"no", "no"})}, {.classes = true});
  EXPECT_THAT(only_column(found).levels, ElementsAre("a", "b", "c"));
  EXPECT_EQ(only_column(found).fill, 1.0);
  EXPECT_THAT(found.coding.classes, ElementsAre("no", "yes"));
  EXPECT_THAT(found.class_share, ElementsAre(0.75, 0.25));
  EXPECT_EQ(variable_names(found.coding), (std::vector<std::string>{"ward=b", "ward=c"}));
}

TEST(Preparation, MergesRareLevelsAtTheirSite) {
  const Preparation found =
      prepared(schema_of({schema_column("ward", ColumnRole::categorical)}),
               {wards({"a", "a", "rare"}, {"no", "yes", "no"}), wards({"b", "b", "a"}, {"no", "no", "yes"})},
               {.min_count = 2, .classes = true});
  EXPECT_THAT(only_column(found).levels, ElementsAre("a", "b", "(other)"));
}

TEST(Preparation, AsksForNoTextsWhereTheSchemaHasTheLevels) {
  Schema schema = schema_of({schema_column("ward", ColumnRole::categorical, {"x", "a", "b"})});
  schema.columns.back().levels = {"yes", "no"};
  const Preparation found = prepared(schema, {wards({"a", "b", "unknown"}, {"no", "yes", "no"})}, {.classes = true});
  EXPECT_THAT(only_column(found).levels, ElementsAre("x", "a", "b"));
  EXPECT_THAT(found.coding.classes, ElementsAre("yes", "no"));
  EXPECT_EQ(found.exchanges, 2u);  // counts, and the spread
}

TEST(Preparation, LeavesConstantAndEmptyColumnsOut) {
  const Table table =
      table_of({number_column("same", {2, 2, 2}), number_column("empty", {no_number, no_number, no_number}),
                text_column("one", {"a", "a", "a"}), number_column("age", {1, 2, 3}), number_column("y", {1, 2, 3})});
  const Preparation found =
      prepared(schema_of({schema_column("same", ColumnRole::numeric), schema_column("empty", ColumnRole::numeric),
                          schema_column("one", ColumnRole::categorical), schema_column("age", ColumnRole::numeric)}),
               {table});
  EXPECT_THAT(found.left_out, ElementsAre("same", "empty", "one"));
  EXPECT_EQ(only_column(found).name, "age");
}

TEST(Preparation, CodesOrdinalLevelsByTheirIndex) {
  const Table table = table_of({text_column("stage", {"I", "III", "II", "III"}), number_column("y", {1, 2, 3, 4})});
  const Preparation found =
      prepared(schema_of({schema_column("stage", ColumnRole::ordinal, {"I", "II", "III"})}), {table});
  EXPECT_DOUBLE_EQ(only_column(found).center, 1.25);
  EXPECT_EQ(only_column(found).fill, 1.0);  // a level, also where no cell has it
}

TEST(Preparation, RejectsLabelsThatAreAllTheSame) {
  try {
    prepared(schema_of({schema_column("ward", ColumnRole::categorical)}), {wards({"a"}, {"no"}), wards({"b"}, {"no"})},
             {.classes = true});
    FAIL() << "one class was accepted";
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the same label"));
    EXPECT_THAT(error.what(), HasSubstr("'y'"));
  }
}

TEST(Preparation, GivesEqualBitsForAnyNumberOfThreads) {
  Stream chance(1, Purpose::generator);
  std::vector<Table> tables;
  for (int client = 0; client < 9; ++client) {
    std::vector<double> own;
    for (int j = 0; j < 50; ++j) own.push_back(chance.bernoulli(0.1) ? no_number : chance.normal());
    tables.push_back(ages(own));
  }
  const Schema schema = schema_of({schema_column("age", ColumnRole::numeric)});
  const CodedColumn one = only_column(prepared(schema, tables, {}, 1));
  for (const std::size_t threads : {2u, 3u, 8u}) {
    const CodedColumn many = only_column(prepared(schema, tables, {}, threads));
    EXPECT_EQ(one.center, many.center);
    EXPECT_EQ(one.scale, many.scale);
    EXPECT_EQ(one.fill, many.fill);
  }
}

TEST(UsableRows, HaveALabelAndNoMissingCellWhereTheSchemaSaysDrop) {
  const Table table = table_of({number_column("age", {no_number, 2, 3, 4}), number_column("bmi", {1, no_number, 3, 4}),
                                number_column("y", {1, 1, 1, no_number})});
  const Schema schema = schema_of(
      {schema_column("age", ColumnRole::numeric), schema_column("bmi", ColumnRole::numeric, {}, MissingRule::drop)});
  DesignCounts counts;
  EXPECT_THAT(usable_rows(table, schema, all_rows_of(table).rows, counts), ElementsAre(0u, 2u));
  EXPECT_EQ(counts.rows_read, 4u);
  EXPECT_EQ(counts.rows_without_label, 1u);
  EXPECT_EQ(counts.rows_with_missing, 1u);
}

}  // namespace
}  // namespace driftless
