#include "driftless/glm/export/formula.hpp"

#include "driftless/core/printable.hpp"
#include "driftless/core/text.hpp"
#include "driftless/glm/export/csv_line.hpp"
#include "driftless/glm/original_scale.hpp"
#include "driftless/glm/prediction.hpp"

#include <cmath>

namespace driftless {
namespace {

std::string between(char quote, const std::string& text) {
  std::string quoted(1, quote);
  for (const char c : text) quoted += c == quote ? std::string(2, c) : std::string(1, c);
  return quoted + quote;
}

std::string identifier(const std::string& name) { return between('"', name); }
std::string literal(const std::string& text) { return between('\'', text); }
std::string shown(const std::string& text) { return between('"', printable(text)); }

// " + 0.5" or " - 0.5"
std::string signed_number(double value) { return (std::signbit(value) ? " - " : " + ") + number(std::abs(value)); }

bool several_scores(const GlmModel& model) { return model.family.family == Family::multinomial; }

using Cells = std::vector<std::string>;

// "score", or "score_1" and so on for the scores of several classes.
std::string score_name(const GlmModel& model, std::size_t prediction) {
  return several_scores(model) ? "score_" + std::to_string(prediction + 1) : "score";
}

// exp(score_1) + exp(score_2) + …
std::string sum_of_exponentials(const GlmModel& model) {
  std::string sum = "1";
  for (std::size_t p = 0; p < model.family.predictions(); ++p) sum += " + exp(" + score_name(model, p) + ")";
  return sum;
}

// The formulas of the predicted values from the scores, in the order of value_names.
std::vector<std::string> value_formulas(const GlmModel& model) {
  switch (model.family.family) {
    case Family::logistic: return {"1.0 / (1.0 + exp(-score))"};
    case Family::poisson:
    case Family::gamma: return {"exp(score)"};
    case Family::multinomial: {
      std::vector<std::string> formulas = {"1.0 / (" + sum_of_exponentials(model) + ")"};
      for (std::size_t p = 0; p < model.family.predictions(); ++p)
        formulas.push_back("exp(" + score_name(model, p) + ") / (" + sum_of_exponentials(model) + ")");
      return formulas;
    }
    default: return {"score"};
  }
}

std::string missing_text(const ColumnEffect& effect, Index prediction) {
  return effect.missing.size() > 0 ? number(effect.missing[prediction]) : "no prediction";
}

std::string effect_text(const ColumnEffect& effect, Index prediction) {
  const std::string name = shown(effect.column.name);
  if (effect.slope.size() > 0)
    return "\n " + signed_number(effect.slope[prediction]) + " * " + name +
           "    (missing: " + missing_text(effect, prediction) + ")";
  std::string text = "\n  + one of, by " + name + ":";
  for (std::size_t level = 0; level < effect.level.size(); ++level)
    text += "\n        " + shown(effect.column.levels[level]) + ": " + number(effect.level[level][prediction]);
  return text + "\n        missing: " + missing_text(effect, prediction) +
         "\n        any other text: " + number(effect.unseen[prediction]);
}

std::string score_text(const GlmModel& model, const OriginalScale& scale, std::size_t p) {
  const auto prediction = static_cast<Index>(p);
  std::string text = score_name(model, p) + " = " + number(scale.constant[prediction]);
  for (const ColumnEffect& effect : scale.columns) text += effect_text(effect, prediction);
  if (!model.coding.offset.empty()) text += "\n  + " + shown(model.coding.offset);
  return text + "\n\n";
}

std::string head_text(const GlmModel& model) {
  std::string text = "# " + std::string(enum_name(model.family.family)) + " model of " + shown(model.coding.label) +
                     ", fitted to " + std::to_string(model.rows) + " rows\n";
  if (several_scores(model))
    for (std::size_t p = 0; p < model.family.predictions(); ++p)
      text += "# " + score_name(model, p) + " is that of the class " + shown(model.coding.classes[p + 1]) +
              " against " + shown(model.coding.classes.front()) + "\n";
  else if (has_classes(model.family.family))
    text += "# a score above 0 means the class " + shown(model.coding.classes.back()) + ", otherwise " +
            shown(model.coding.classes.front()) + "\n";
  return text + "\n";
}

std::string effect_sql(const ColumnEffect& effect, Index prediction) {
  const std::string name = identifier(effect.column.name);
  const std::string missing = effect.missing.size() > 0 ? number(effect.missing[prediction]) : "NULL";
  std::string text = "\n      + CASE WHEN " + name + " IS NULL THEN " + missing;
  for (std::size_t level = 0; level < effect.level.size(); ++level)
    text += " WHEN " + name + " = " + literal(effect.column.levels[level]) + " THEN " +
            number(effect.level[level][prediction]);
  const std::string otherwise =
      effect.slope.size() > 0 ? number(effect.slope[prediction]) + " * " + name : number(effect.unseen[prediction]);
  return text + " ELSE " + otherwise + " END";
}

std::string score_sql(const GlmModel& model, const OriginalScale& scale, std::size_t p) {
  const auto prediction = static_cast<Index>(p);
  std::string text = number(scale.constant[prediction]);
  for (const ColumnEffect& effect : scale.columns) text += effect_sql(effect, prediction);
  if (!model.coding.offset.empty()) text += "\n      + " + identifier(model.coding.offset);
  return text + " AS " + score_name(model, p);
}

std::vector<std::pair<std::string, const Vector*>> cells_of(const ColumnEffect& effect) {
  std::vector<std::pair<std::string, const Vector*>> cells;
  if (effect.slope.size() > 0) cells.emplace_back("(each unit)", &effect.slope);
  for (std::size_t level = 0; level < effect.level.size(); ++level)
    cells.emplace_back(effect.column.levels[level], &effect.level[level]);
  cells.emplace_back("(missing)", &effect.missing);
  if (effect.unseen.size() > 0) cells.emplace_back("(any other text)", &effect.unseen);
  return cells;
}

}  // namespace

std::string formula_text(const GlmModel& model) {
  const OriginalScale scale = original_scale(model);
  std::string text = head_text(model);
  for (std::size_t p = 0; p < model.family.predictions(); ++p) text += score_text(model, scale, p);
  const std::vector<std::string> names = value_names(model);
  const std::vector<std::string> formulas = value_formulas(model);
  for (std::size_t k = 0; k < names.size(); ++k) text += printable(names[k]) + " = " + formulas[k] + "\n";
  return text;
}

std::string formula_sql(const GlmModel& model) {
  const OriginalScale scale = original_scale(model);
  const std::vector<std::string> names = value_names(model);
  const std::vector<std::string> formulas = value_formulas(model);
  std::string text = "SELECT scored.*";
  for (std::size_t k = 0; k < names.size(); ++k) text += ",\n  " + formulas[k] + " AS " + identifier(names[k]);
  text += "\nFROM (\n  SELECT data.*";
  for (std::size_t p = 0; p < model.family.predictions(); ++p) text += ",\n    " + score_sql(model, scale, p);
  return text + "\n  FROM data\n) AS scored;\n";
}

std::string formula_csv(const GlmModel& model) {
  const OriginalScale scale = original_scale(model);
  const std::vector<std::string> names = prediction_names(model);
  std::string text = "prediction,column,cell,adds\n";
  for (std::size_t p = 0; p < names.size(); ++p) {
    const auto prediction = static_cast<Index>(p);
    text += csv_line(Cells{names[p], "(constant)", "", number(scale.constant[prediction])});
    for (const ColumnEffect& effect : scale.columns)
      for (const auto& [cell, adds] : cells_of(effect))
        text += csv_line(
            Cells{names[p], effect.column.name, cell, adds->size() > 0 ? number((*adds)[prediction]) : std::string()});
    if (!model.coding.offset.empty()) text += csv_line(Cells{names[p], model.coding.offset, "(each unit)", "1"});
  }
  return text;
}

}  // namespace driftless
