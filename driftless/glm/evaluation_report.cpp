// Evaluations as JSON and as text.
#include "driftless/console/text_table.hpp"
#include "driftless/core/printable.hpp"
#include "driftless/core/text.hpp"
#include "driftless/glm/evaluation.hpp"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

std::string digits(double value) { return number(value, 6); }

std::string with_bound(const BoundedValue& bounded) {
  return bounded.error > 0.0 ? fmt::format("{} ± {}", digits(bounded.value), number(bounded.error, 1))
                             : digits(bounded.value);
}

struct Measure {
  const char* key;
  const char* title;
  double Evaluation::* value;
};

constexpr Measure mean_measures[] = {{"accuracy", "accuracy", &Evaluation::accuracy},
                                     {"brier", "Brier score", &Evaluation::brier},
                                     {"calibration_error", "calibration error", &Evaluation::calibration_error},
                                     {"mean_squared_error", "mean squared error", &Evaluation::mean_squared_error},
                                     {"mean_absolute_error", "mean absolute error", &Evaluation::mean_absolute_error},
                                     {"below", "labels not above their prediction", &Evaluation::below},
                                     {"deviance", "deviance", &Evaluation::deviance},
                                     {"null_deviance", "null deviance", &Evaluation::null_deviance},
                                     {"explained_deviance", "explained deviance", &Evaluation::explained_deviance},
                                     {"pearson", "Pearson's chi-squared", &Evaluation::pearson},
                                     {"log_likelihood", "log-likelihood", &Evaluation::log_likelihood}};

struct BoundedMeasure {
  const char* key;
  const char* title;
  BoundedValue Evaluation::* value;
};

constexpr BoundedMeasure bounded_measures[] = {
    {"auc", "AUC", &Evaluation::auc},
    {"average_precision", "average precision", &Evaluation::average_precision},
    {"r_squared", "R squared", &Evaluation::r_squared}};

std::string loss_name(Family family) {
  return family == Family::logistic || family == Family::multinomial ? "log-loss" : "mean loss";
}

std::size_t class_count(const Evaluation& evaluation) {
  return static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(evaluation.confusion.size()))));
}

std::string class_name(const Evaluation& evaluation, std::size_t index) {
  return index < evaluation.classes.size() ? evaluation.classes[index] : std::to_string(index);
}

Json roc_json(const std::vector<RocPoint>& points) {
  Json json = Json::array();
  for (const RocPoint& point : points) json.push_back({point.false_positives, point.true_positives, point.threshold});
  return json;
}

Json confusion_json(const Evaluation& evaluation) {
  const std::size_t K = class_count(evaluation);
  Json classes = Json::array(), rows = Json::array();
  for (std::size_t k = 0; k < K; ++k) {
    classes.push_back(class_name(evaluation, k));
    const auto row = evaluation.confusion.begin() + static_cast<std::ptrdiff_t>(k * K);
    rows.push_back(std::vector<double>(row, row + static_cast<std::ptrdiff_t>(K)));
  }
  return {{"classes", std::move(classes)}, {"weights", std::move(rows)}};
}

Json calibration_json(const std::vector<CalibrationBin>& bins) {
  Json json = Json::array();
  for (const CalibrationBin& bin : bins)
    json.push_back(
        {{"rows", bin.rows}, {"weight", bin.weight}, {"predicted", bin.predicted}, {"observed", bin.observed}});
  return json;
}

// What a site reports: single numbers, no curves.
Json numbers_json(const Evaluation& evaluation) {
  Json json{{"rows", evaluation.rows}, {"weight", evaluation.weight}, {"loss", evaluation.loss}};
  for (const BoundedMeasure& measure : bounded_measures) {
    const BoundedValue& bounded = evaluation.*measure.value;
    if (std::isnan(bounded.value)) continue;
    json[measure.key] = bounded.value;
    json[std::string(measure.key) + "_error"] = bounded.error;
  }
  for (const Measure& measure : mean_measures)
    if (!std::isnan(evaluation.*measure.value)) json[measure.key] = evaluation.*measure.value;
  return json;
}

TextLines number_lines(const Evaluation& evaluation) {
  TextLines lines{{"measure", "value"}, {"rows", std::to_string(evaluation.rows)}};
  if (evaluation.weight != static_cast<double>(evaluation.rows))
    lines.push_back({"sum of weights", digits(evaluation.weight)});
  lines.push_back({loss_name(evaluation.family.family), digits(evaluation.loss)});
  for (const BoundedMeasure& measure : bounded_measures)
    if (const BoundedValue& bounded = evaluation.*measure.value; !std::isnan(bounded.value))
      lines.push_back({measure.title, with_bound(bounded)});
  for (const Measure& measure : mean_measures)
    if (!std::isnan(evaluation.*measure.value)) lines.push_back({measure.title, digits(evaluation.*measure.value)});
  return lines;
}

TextLines confusion_lines(const Evaluation& evaluation) {
  const std::size_t K = class_count(evaluation);
  TextLines lines{{"label"}};
  for (std::size_t k = 0; k < K; ++k) {
    const std::string name = printable(class_name(evaluation, k));
    lines.front().push_back("predicted " + name);
    lines.push_back({name});
    for (std::size_t j = 0; j < K; ++j) lines.back().push_back(digits(evaluation.confusion[k * K + j]));
  }
  return lines;
}

TextLines calibration_lines(const std::vector<CalibrationBin>& bins) {
  TextLines lines{{"probability", "rows", "mean predicted", "observed"}};
  for (std::size_t i = 0; i < bins.size(); ++i)
    if (bins[i].rows > 0)
      lines.push_back({fmt::format("{:.1f} to {:.1f}", 0.1 * static_cast<double>(i), 0.1 * static_cast<double>(i + 1)),
                       std::to_string(bins[i].rows), number(bins[i].predicted, 4), number(bins[i].observed, 4)});
  return lines;
}

std::vector<std::string> site_cells(const Evaluation& evaluation) {
  std::vector<std::string> cells{std::to_string(evaluation.rows), digits(evaluation.loss)};
  if (class_count(evaluation) > 0) {
    cells.push_back(digits(evaluation.accuracy));
    cells.push_back(digits(evaluation.auc.value));
  } else {
    cells.push_back(digits(evaluation.mean_absolute_error));
    cells.push_back(digits(evaluation.r_squared.value));
  }
  return cells;
}

std::vector<std::string> site_heading(std::span<const SiteEvaluation> sites) {
  for (const SiteEvaluation& site : sites) {
    if (!site.evaluation) continue;
    const std::string loss = loss_name(site.evaluation->family.family);
    if (class_count(*site.evaluation) > 0) return {"site", "rows", loss, "accuracy", "AUC"};
    return {"site", "rows", loss, "mean absolute error", "R squared"};
  }
  return {"site", "rows"};
}

}  // namespace

Json evaluation_object(const Evaluation& evaluation) {
  Json json = numbers_json(evaluation);
  if (!evaluation.confusion.empty()) json["confusion"] = confusion_json(evaluation);
  if (!evaluation.roc.empty()) json["roc"] = roc_json(evaluation.roc);
  if (!evaluation.calibration.empty()) json["calibration"] = calibration_json(evaluation.calibration);
  return json;
}

std::string evaluation_json(const Evaluation& evaluation) {
  return evaluation_object(evaluation).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string evaluation_text(const Evaluation& evaluation) {
  if (evaluation.rows == 0) return "no rows to evaluate\n";
  std::string text = aligned(number_lines(evaluation));
  if (!evaluation.confusion.empty()) text += "\n" + aligned(confusion_lines(evaluation));
  if (!evaluation.calibration.empty()) text += "\n" + aligned(calibration_lines(evaluation.calibration));
  return text;
}

Json site_evaluations_object(std::span<const SiteEvaluation> sites) {
  Json json = Json::array();
  for (const SiteEvaluation& site : sites) {
    Json one{{"site", site.site}, {"shown", site.evaluation.has_value()}};
    if (site.evaluation) one.update(numbers_json(*site.evaluation));
    json.push_back(std::move(one));
  }
  return json;
}

std::string site_evaluations_text(std::span<const SiteEvaluation> sites) {
  TextLines lines{site_heading(sites)};
  for (const SiteEvaluation& site : sites) {
    lines.push_back({site.site});
    if (site.evaluation)
      for (std::string& cell : site_cells(*site.evaluation)) lines.back().push_back(std::move(cell));
    else lines.back().push_back("too few to show");
    lines.back().resize(lines.front().size());
  }
  return aligned(lines);
}

}  // namespace driftless
