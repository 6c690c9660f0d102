#include "driftless/glm/export/formula.hpp"

#include "driftless/glm/export/csv_line.hpp"

#include "tests/glm/sample_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

// One numeric and one categorical column with round numbers.
GlmModel round_model(Family family) {
  GlmModel model = sample_model(family);
  model.coding.columns = {{.name = "age",
                           .role = ColumnRole::numeric,
                           .missing = MissingRule::drop,
                           .center = 50.0,
                           .scale = 10.0,
                           .levels = {}},
                          {.name = "sex",
                           .role = ColumnRole::categorical,
                           .missing = MissingRule::impute,
                           .fill = 1.0,
                           .levels = {"it's f", "m"},
                           .indicator = true}};
  model.coefficients.resize(4);
  model.coefficients << 2.5, -0.5, 0.25, 3.0;
  return model;
}

TEST(Formula, IsReadableAndOnTheOriginalScale) {
  EXPECT_EQ(formula_text(round_model(Family::logistic)), R"(# logistic model of "ill", fitted to 1234 rows
# a score above 0 means the class "yes", otherwise "no"

score = -9.5
  + 0.25 * "age"    (missing: no prediction)
  + one of, by "sex":
        "it's f": 0
        "m": -0.5
        missing: -0.25
        any other text: -0.5

probability = 1.0 / (1.0 + exp(-score))
)");
}

TEST(Formula, AsSqlIsAQueryWithACaseForEachColumn) {
  EXPECT_EQ(formula_sql(round_model(Family::poisson)), R"(SELECT scored.*,
  exp(score) AS "mean"
FROM (
  SELECT data.*,
    -9.5
      + CASE WHEN "age" IS NULL THEN NULL ELSE 0.25 * "age" END
      + CASE WHEN "sex" IS NULL THEN -0.25 WHEN "sex" = 'it''s f' THEN 0 WHEN "sex" = 'm' THEN -0.5 ELSE -0.5 END AS score
  FROM data
) AS scored;
)");
}

TEST(Formula, AsCsvHasWhatEachCellAdds) {
  GlmModel model = round_model(Family::least_squares);
  model.coding.offset = "a, \"b\"";
  EXPECT_EQ(formula_csv(model), R"(prediction,column,cell,adds
ill,(constant),,-9.5
ill,age,(each unit),0.25
ill,age,(missing),
ill,sex,it's f,0
ill,sex,m,-0.5
ill,sex,(missing),-0.25
ill,sex,(any other text),-0.5
ill,"a, ""b""",(each unit),1
)");
}

TEST(Formula, OfSeveralClassesHasAScoreForEachButTheFirst) {
  const GlmModel model = sample_model(Family::multinomial);
  const std::string text = formula_text(model);
  EXPECT_THAT(text, testing::HasSubstr("# score_2 is that of the class \"high\" against \"low\""));
  EXPECT_THAT(text, testing::HasSubstr("probability=low = 1.0 / (1 + exp(score_1) + exp(score_2))"));
  EXPECT_THAT(text, testing::HasSubstr("probability=high = exp(score_2) / (1 + exp(score_1) + exp(score_2))"));
  EXPECT_THAT(formula_sql(model), testing::HasSubstr("AS \"probability=high\""));
  EXPECT_THAT(formula_sql(model), testing::HasSubstr("\"stage, \"\"now\"\"\" = 'it''s III'"));
}

TEST(Formula, ShowsNoControlCharactersOfNames) {
  GlmModel model = round_model(Family::logistic);
  model.coding.columns[0].name = "age\x1b[31m";
  EXPECT_THAT(formula_text(model), testing::Not(testing::HasSubstr("\x1b")));
}

TEST(CsvLine, QuotesWhatNeedsIt) {
  const std::vector<std::string> cells = {"plain", "a,b", "say \"x\"", "two\nlines", "", "cr\r", " space "};
  EXPECT_EQ(csv_line(cells), "plain,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",,\"cr\r\", space \n");
  EXPECT_EQ(csv_line(std::vector<std::string>{""}), "\"\"\n");
}

}  // namespace
}  // namespace driftless
