// A small model with columns of every kind, and a table for it.
#pragma once

#include "driftless/data/tables/table.hpp"
#include "driftless/glm/model.hpp"

#include <limits>

namespace driftless {

inline Coding sample_coding() {
  Coding coding;
  coding.columns = {{.name = "age",
                     .role = ColumnRole::numeric,
                     .missing = MissingRule::impute,
                     .center = 50.25,
                     .scale = 9.7,
                     .fill = 48.5,
                     .levels = {},
                     .indicator = true},
                    {.name = "sex",
                     .role = ColumnRole::categorical,
                     .missing = MissingRule::impute,
                     .center = 0.0,
                     .scale = 1.0,
                     .fill = 1.0,
                     .levels = {"f", "m"},
                     .indicator = true},
                    {.name = "stage, \"now\"",
                     .role = ColumnRole::ordinal,
                     .missing = MissingRule::impute,
                     .center = 0.9,
                     .scale = 0.8,
                     .fill = 2.0,
                     .levels = {"I", "II", "it's III"},
                     .indicator = false},
                    {.name = "ward",
                     .role = ColumnRole::categorical,
                     .missing = MissingRule::drop,
                     .center = 0.0,
                     .scale = 1.0,
                     .fill = 0.0,
                     .levels = {"a", "b", std::string(CodedColumn::other)},
                     .indicator = false},
                    {.name = "bmi",
                     .role = ColumnRole::numeric,
                     .missing = MissingRule::drop,
                     .center = 25.0,
                     .scale = 4.0,
                     .fill = 0.0,
                     .levels = {},
                     .indicator = false}};
  coding.label = "ill";
  coding.schema_digest = std::string(64, 'd');
  return coding;
}

inline GlmModel sample_model(Family family = Family::logistic) {
  GlmModel model;
  model.family.family = family;
  model.coding = sample_coding();
  if (family == Family::logistic || family == Family::squared_hinge) model.coding.classes = {"no", "yes"};
  if (family == Family::multinomial) {
    model.coding.classes = {"low", "middle", "high"};
    model.family.classes = 3;
  }
  model.l2 = 1e-3;
  model.rows = 1234;
  model.coefficients.resize(static_cast<Index>(model.width() * model.family.predictions()));
  for (Index k = 0; k < model.coefficients.size(); ++k)
    model.coefficients[k] = (k % 3 == 1 ? -1.0 : 1.0) * (0.31 + 0.1 * static_cast<double>(k) / 3.0);
  return model;
}

inline constexpr double missing_number = std::numeric_limits<double>::quiet_NaN();

// Rows: all cells as the model knows them; imputed ones; unseen texts; a missing ward; a missing bmi.
inline Table sample_table() {
  Table table;
  table.name = "patients.csv";
  table.rows = 5;
  table.columns = {
      {.name = "age",
       .type = CellType::number,
       .number = {61.0, missing_number, 33.0, 20.0, 20.0},
       .code = {},
       .texts = {}},
      {.name = "sex", .type = CellType::text, .number = {}, .code = {1, -1, 2, 0, 0}, .texts = {"f", "m", "x"}},
      {.name = "stage, \"now\"",
       .type = CellType::text,
       .number = {},
       .code = {1, -1, 2, 0, 0},
       .texts = {"I", "II", "unknown"}},
      {.name = "ward", .type = CellType::text, .number = {}, .code = {1, 0, 2, -1, 0}, .texts = {"a", "b", "zz"}},
      {.name = "bmi",
       .type = CellType::number,
       .number = {27.5, 21.0, 30.0, 22.0, missing_number},
       .code = {},
       .texts = {}}};
  return table;
}

}  // namespace driftless
