#include "driftless/glm/original_scale.hpp"

namespace driftless {
namespace {

// The coefficients of one variable, one for each prediction.
Vector coefficients_of(const GlmModel& model, std::size_t variable) {
  const auto predictions = static_cast<Index>(model.family.predictions());
  const auto width = static_cast<Index>(model.width());
  Vector one(predictions);
  for (Index p = 0; p < predictions; ++p) one[p] = model.coefficients[p * width + static_cast<Index>(variable)];
  return one;
}

std::vector<Vector> level_effects(const GlmModel& model, const CodedColumn& column, std::size_t first) {
  std::vector<Vector> effects;
  for (std::size_t level = 0; level < column.levels.size(); ++level) {
    const Vector none = Vector::Zero(static_cast<Index>(model.family.predictions()));
    if (column.role == ColumnRole::ordinal)
      effects.push_back(static_cast<double>(level) / column.scale * coefficients_of(model, first));
    else effects.push_back(level == 0 ? none : coefficients_of(model, first + level - 1));
  }
  return effects;
}

ColumnEffect effect_of(const GlmModel& model, const CodedColumn& column, std::size_t first) {
  ColumnEffect effect{.column = column};
  if (column.role == ColumnRole::numeric) {
    effect.slope = coefficients_of(model, first) / column.scale;
    effect.missing = effect.slope * column.fill;
  } else {
    effect.level = level_effects(model, column, first);
    effect.missing = effect.level[static_cast<std::size_t>(column.fill)];
    effect.unseen = column.levels.back() == CodedColumn::other ? effect.level.back() : effect.missing;
  }
  if (column.indicator) effect.missing += coefficients_of(model, first + column.variables() - 1);
  if (column.missing == MissingRule::drop) effect.missing.resize(0);
  return effect;
}

}  // namespace

OriginalScale original_scale(const GlmModel& model) {
  OriginalScale scale;
  scale.constant = model.intercept ? coefficients_of(model, model.width() - 1)
                                   : Vector(Vector::Zero(static_cast<Index>(model.family.predictions())));
  std::size_t first = 0;
  for (const CodedColumn& column : model.coding.columns) {
    // A categorical column is not centred.
    if (column.role != ColumnRole::categorical)
      scale.constant -= column.center / column.scale * coefficients_of(model, first);
    scale.columns.push_back(effect_of(model, column, first));
    first += column.variables();
  }
  return scale;
}

std::vector<std::string> prediction_names(const GlmModel& model) {
  if (!has_classes(model.family.family)) return {model.coding.label};
  return {model.coding.classes.begin() + 1, model.coding.classes.end()};
}

bool has_classes(Family family) {
  return family == Family::logistic || family == Family::multinomial || family == Family::squared_hinge;
}

}  // namespace driftless
