#include "driftless/glm/prediction.hpp"

#include "driftless/core/random.hpp"
#include "driftless/glm/original_scale.hpp"

#include "tests/glm/sample_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>

namespace driftless {
namespace {

Design design_of(const Table& table, const GlmModel& model) { return make_design(table, model.coding, LabelUse::none); }

// The rows of a table from `first`, so many.
Table rows_of(const Table& table, std::size_t first, std::size_t count) {
  Table part = table;
  part.rows = count;
  const auto cut = [&](auto& cells) {
    if (!cells.empty())
      cells = {cells.begin() + static_cast<std::ptrdiff_t>(first),
               cells.begin() + static_cast<std::ptrdiff_t>(first + count)};
  };
  for (TableColumn& column : part.columns) {
    cut(column.number);
    cut(column.code);
  }
  return part;
}

TEST(Prediction, OfASmallModelIsTheOneWorkedOutByHand) {
  const GlmModel model = sample_model();
  const Vector& c = model.coefficients;
  const Design design = design_of(sample_table(), model);
  EXPECT_EQ(design.kept, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(design.counts.rows_with_missing, 2U);
  const std::vector<double> eta = linear_predictions(model, design);
  ASSERT_EQ(eta.size(), 3U);
  // Variables: age, age missing, sex=m, sex missing, stage, ward=b, ward=(other), bmi; the intercept.
  EXPECT_NEAR(eta[0], c[0] * (61.0 - 50.25) / 9.7 + c[2] + c[4] * (1.0 - 0.9) / 0.8 + c[5] + c[7] * 2.5 / 4.0 + c[8],
              1e-14);
  EXPECT_NEAR(eta[1],
              c[0] * (48.5 - 50.25) / 9.7 + c[1] + c[2] + c[3] + c[4] * (2.0 - 0.9) / 0.8 - c[7] * 4.0 / 4.0 + c[8],
              1e-14);
  // An unseen text counts as `(other)` where there is one, otherwise as the level of missing cells.
  EXPECT_NEAR(eta[2], c[0] * (33.0 - 50.25) / 9.7 + c[2] + c[4] * (2.0 - 0.9) / 0.8 + c[6] + c[7] * 5.0 / 4.0 + c[8],
              1e-14);
}

TEST(Prediction, ValuesAndClassesAreThoseOfTheFamily) {
  double one = 0.0;
  const double eta = 0.7;
  const auto value = [&](Family family) {
    predicted_values(sample_model(family), {&eta, 1}, {&one, 1});
    return one;
  };
  EXPECT_DOUBLE_EQ(value(Family::logistic), 1.0 / (1.0 + std::exp(-0.7)));
  EXPECT_DOUBLE_EQ(value(Family::poisson), std::exp(0.7));
  EXPECT_DOUBLE_EQ(value(Family::gamma), std::exp(0.7));
  for (const Family family : {Family::least_squares, Family::huber, Family::quantile, Family::squared_hinge})
    EXPECT_EQ(value(family), 0.7);
  const std::vector<double> scores = {0.3, -1.0};
  std::vector<double> values(3);
  predicted_values(sample_model(Family::multinomial), scores, values);
  const double sum = 1.0 + std::exp(0.3) + std::exp(-1.0);
  EXPECT_DOUBLE_EQ(values[0], 1.0 / sum);
  EXPECT_DOUBLE_EQ(values[2], std::exp(-1.0) / sum);
  EXPECT_EQ(value_names(sample_model(Family::multinomial)),
            (std::vector<std::string>{"probability=low", "probability=middle", "probability=high"}));
  EXPECT_EQ(predicted_class(scores), 1U);
  EXPECT_EQ(predicted_class(std::vector<double>{-0.1, 2.0}), 2U);
  EXPECT_EQ(predicted_class(std::vector<double>{-0.1, -2.0}), 0U);
  EXPECT_EQ(predicted_class(std::vector<double>{0.0}), 0U);
}

// Many rows, with missing and unseen cells in columns that impute them.
Table random_table(std::size_t rows) {
  Table table = sample_table();
  table.rows = rows;
  Stream stream(7, Purpose::generator);
  for (TableColumn& column : table.columns) {
    column.number.clear();
    column.code.clear();
    const bool may_miss = column.name != "bmi" && column.name != "ward";
    for (std::size_t row = 0; row < rows; ++row) {
      const bool missing = may_miss && stream.uniform() < 0.2;
      if (column.type == CellType::number) column.number.push_back(missing ? missing_number : 100.0 * stream.uniform());
      else column.code.push_back(missing ? -1 : static_cast<std::int32_t>(3.0 * stream.uniform()));
    }
  }
  return table;
}

TEST(Prediction, OfARowHasTheSameBitsInEveryChunk) {
  const GlmModel model = sample_model(Family::multinomial);
  const Table table = random_table(100);
  const std::vector<double> whole = linear_predictions(model, design_of(table, model));
  ASSERT_EQ(whole.size(), 200U);
  for (std::size_t row = 0; row < 100; ++row) {
    const std::vector<double> alone = linear_predictions(model, design_of(rows_of(table, row, 1), model));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(alone[0]), std::bit_cast<std::uint64_t>(whole[2 * row]));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(alone[1]), std::bit_cast<std::uint64_t>(whole[2 * row + 1]));
  }
}

// What the row adds up to on the original scale.
double eta_of_row(const OriginalScale& scale, const Table& table, std::size_t row, Index prediction) {
  double eta = scale.constant[prediction];
  for (const ColumnEffect& effect : scale.columns) {
    const TableColumn& cells = *table.find(effect.column.name);
    if (cells.type == CellType::number) {
      const double value = cells.number[row];
      eta += std::isnan(value) ? effect.missing[prediction] : value * effect.slope[prediction];
      continue;
    }
    if (cells.code[row] < 0) {
      eta += effect.missing[prediction];
      continue;
    }
    const std::string& text = cells.texts[static_cast<std::size_t>(cells.code[row])];
    const auto level = std::ranges::find(effect.column.levels, text);
    eta += level == effect.column.levels.end()
               ? effect.unseen[prediction]
               : effect.level[static_cast<std::size_t>(level - effect.column.levels.begin())][prediction];
  }
  return eta;
}

TEST(Prediction, IsTheSameOnTheOriginalScale) {
  for (const bool intercept : {true, false}) {
    GlmModel model = sample_model(Family::multinomial);
    if (!intercept) {
      model.intercept = false;
      model.coefficients = Vector(model.coefficients.head(static_cast<Index>(2 * model.width())));
    }
    const Table table = random_table(50);
    const std::vector<double> eta = linear_predictions(model, design_of(table, model));
    const OriginalScale scale = original_scale(model);
    for (std::size_t k = 0; k < eta.size(); ++k)
      EXPECT_NEAR(eta[k], eta_of_row(scale, table, k / 2, static_cast<Index>(k % 2)), 1e-12) << k;
  }
}

// Enough levels that the rows of the design are sparse.
TEST(Prediction, OfSparseRowsIsThatOfTheirLevels) {
  GlmModel model = sample_model(Family::least_squares);
  CodedColumn column{.name = "city", .role = ColumnRole::categorical, .missing = MissingRule::impute, .levels = {}};
  for (int level = 0; level < 20; ++level) column.levels.push_back("city " + std::to_string(10 + level));
  model.coding.columns = {column};
  model.coefficients = Vector::LinSpaced(20, 1.0, 20.0);
  Table table{.name = "t", .digest = {}, .rows = 3, .columns = {}};
  table.columns = {{.name = "city", .type = CellType::text, .number = {}, .code = {0, 2, -1}, .texts = column.levels}};
  const Design design = design_of(table, model);
  ASSERT_TRUE(design.rows.dense.empty());
  EXPECT_EQ(linear_predictions(model, design), (std::vector<double>{20.0, 22.0, 20.0}));
}

TEST(Prediction, AddsTheOffsetOfEachRow) {
  GlmModel model = sample_model(Family::multinomial);
  model.coding.offset = "exposure";
  Table table = rows_of(sample_table(), 0, 1);
  table.columns.push_back({.name = "exposure", .type = CellType::number, .number = {0.5}, .code = {}, .texts = {}});
  const std::vector<double> with = linear_predictions(model, design_of(table, model));
  model.coding.offset.clear();
  const std::vector<double> without = linear_predictions(model, design_of(table, model));
  EXPECT_NEAR(with[0] - without[0], 0.5, 1e-15);
  EXPECT_NEAR(with[1] - without[1], 0.5, 1e-15);
}

}  // namespace
}  // namespace driftless
