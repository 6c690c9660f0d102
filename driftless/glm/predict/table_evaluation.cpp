#include "driftless/glm/predict/table_evaluation.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"
#include "driftless/glm/original_scale.hpp"

#include <algorithm>
#include <utility>

namespace driftless {
namespace {

// Two classes are -1 and +1 in the losses.
LabelUse labels_for(Family family) {
  return has_classes(family) && family != Family::multinomial ? LabelUse::signed_classes : LabelUse::values;
}

void check_labels(const GlmModel& model, const PredictedRows& rows) {
  const std::vector<double>& labels = rows.design.rows.label;
  const auto wrong = std::ranges::find_if(labels, [&](double label) { return !is_label(model.family, label); });
  if (wrong == labels.end()) return;
  throw DataError(
      {.what = "a label is not one that the family of the model allows",
       .seen = rows.table.name + ": column '" + model.coding.label + "': " + number(*wrong),
       .advice = "labels of " + std::string(enum_name(model.family.family)) + " are " + allowed_labels(model.family)});
}

}  // namespace

TableEvaluation evaluate_tables(const GlmModel& model, std::span<const std::filesystem::path> files,
                                const StopToken& stop) {
  const std::size_t width = evaluation_width(model.family);
  std::vector<double> sums(files.size() * width);
  TableEvaluation result;
  for (std::size_t k = 0; k < files.size() && !result.stopped; ++k) {
    const std::span<double> own = std::span(sums).subspan(k * width, width);
    const StreamEnd end = stream_table(
        model, files[k], {.labels = labels_for(model.family.family)}, stop, [&](const PredictedRows& rows) {
          check_labels(model, rows);
          add_evaluation(model.family, rows.eta, rows.design.rows.label, rows.design.rows.weight, own);
        });
    result.counts.add(end.counts);
    result.stopped = end.stopped;
  }
  if (result.stopped) return result;
  std::vector<double> total(width);
  for (std::size_t k = 0; k < files.size(); ++k) {
    const std::span<const double> own = std::span(sums).subspan(k * width, width);
    for (std::size_t i = 0; i < width; ++i) total[i] += own[i];
    // The tables belong to the user of this machine: none is too small to be shown.
    Evaluation evaluation = evaluation_of(model.family, own);
    result.sites.push_back({.site = files[k].string(), .evaluation = {}});
    if (evaluation.rows > 0) result.sites.back().evaluation = std::move(evaluation);
  }
  result.pooled = evaluation_of(model.family, total);
  result.pooled.classes = model.coding.classes;
  return result;
}

}  // namespace driftless
