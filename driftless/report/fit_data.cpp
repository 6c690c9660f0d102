#include "driftless/report/fit_data.hpp"

#include "driftless/glm/coefficient_scale.hpp"
#include "driftless/glm/original_scale.hpp"
#include "driftless/results/fitted_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;  // writes what is not finite as null

Json list_of(VecIn values) { return std::vector<double>(values.begin(), values.end()); }

Json constants_among(const std::vector<std::string>& names) {
  Json list = Json::array();
  for (const std::string& name : names) list.push_back(is_constant(name));
  return list;
}

// By how much a step of a coded variable is larger than one of its column: the errors scale with it. Of the constant,
// which is another quantity there, it means nothing.
Json coded_steps(const Inference& inference) {
  Json list = Json::array();
  const std::optional<ErrorSource> source = inference.usual_errors();
  for (Index k = 0; k < inference.estimate.size(); ++k) {
    const bool by_error = source && std::isfinite(inference.coded_error[k]);
    list.push_back(by_error ? inference.coded_error[k] / inference.errors_of(*source)->error[k]
                            : inference.coded_estimate[k] / inference.estimate[k]);
  }
  return list;
}

Json errors_of_source(const Inference& inference, ErrorSource source) {
  const CoefficientErrors& errors = *inference.errors_of(source);
  Json json{
      {"source", enum_name(source)}, {"test", std::isfinite(errors.degrees) ? "t" : "z"}, {"degrees", errors.degrees}};
  struct Part {
    const char* key;
    double CoefficientLine::* value;
  };
  constexpr Part parts[] = {{"error", &CoefficientLine::error},
                            {"statistic", &CoefficientLine::statistic},
                            {"p", &CoefficientLine::p},
                            {"low", &CoefficientLine::low},
                            {"high", &CoefficientLine::high}};
  const std::vector<CoefficientLine> lines = coefficient_lines(inference, source, interval_level);
  for (const Part& part : parts) {
    Json values = Json::array();
    for (const CoefficientLine& line : lines) values.push_back(line.*part.value);
    json[part.key] = std::move(values);
  }
  return json;
}

Json errors_list(const Inference& inference) {
  Json list = Json::array();
  for (const ErrorSource source : {ErrorSource::model, ErrorSource::row, ErrorSource::site})
    if (inference.errors_of(source)) list.push_back(errors_of_source(inference, source));
  return list;
}

Json inference_facts(const Inference& inference) {
  return {{"sites", inference.sites},
          {"weight", inference.weight},
          {"parameters", inference.parameters},
          {"degrees", inference.degrees},
          {"dispersion", inference.dispersion},
          {"dispersion_estimated", inference.dispersion_estimated},
          {"deviance", inference.deviance},
          {"null_deviance", inference.null_deviance},
          {"log_likelihood", inference.log_likelihood},
          {"aic", inference.aic},
          {"notes", inference.notes}};
}

// The names of all coefficients of a model, which may be very many: no matrix of the scales is made.
std::vector<std::string> coded_names(const GlmModel& model) {
  std::vector<std::string> names;
  const std::vector<std::string> variables = variable_names(model.coding);
  for (const std::string& prediction : prediction_names(model)) {
    const std::string before = model.family.predictions() > 1 ? prediction + ": " : "";
    for (const std::string& variable : variables) names.push_back(before + variable);
    if (model.intercept) names.push_back(before + CoefficientScale::constant);
  }
  return names;
}

Json coded_coefficients(const GlmModel& model) {
  const std::vector<std::string> names = coded_names(model);
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t k) { return std::abs(model.coefficients[static_cast<Index>(k)]); });
  order.resize(std::min(order.size(), most_shown_coefficients));
  std::vector<std::string> shown;
  Json estimates = Json::array();
  for (const std::size_t k : order) {
    shown.push_back(names[k]);
    estimates.push_back(model.coefficients[static_cast<Index>(k)]);
  }
  return {{"coded", true},
          {"count", names.size()},
          {"names", shown},
          {"constant", constants_among(shown)},
          {"estimate", std::move(estimates)},
          {"step", nullptr},
          {"errors", Json::array()}};
}

Json fit_coefficients_json(const FittedModel& fit) {
  if (!fit.inference) return coded_coefficients(fit.model);
  const Inference& inference = *fit.inference;
  return {{"coded", false},
          {"count", inference.names.size()},
          {"names", inference.names},
          {"constant", constants_among(inference.names)},
          {"estimate", list_of(inference.estimate)},
          {"step", coded_steps(inference)},
          {"level", interval_level},
          {"errors", errors_list(inference)}};
}

// From small to large l2, as on the axis.
Json path_json(const std::optional<PenaltyPath>& path) {
  if (!path) return nullptr;
  const CrossValidation& found = path->found;
  Json json{{"folds", found.folds}, {"rule", enum_name(path->rule)}};
  const std::size_t last = found.path.size() - 1;
  json["least"] = last - found.least;
  json["chosen"] = last - found.chosen;
  for (const char* key : {"l2", "loss", "error"}) json[key] = Json::array();
  for (auto point = found.path.rbegin(); point != found.path.rend(); ++point) {
    json["l2"].push_back(point->l2);
    json["loss"].push_back(point->loss);
    json["error"].push_back(point->error);
  }
  return json;
}

Json fit_json(const MethodFiles& method) {
  const FittedModel& fit = *method.fit;
  const GlmModel& model = fit.model;
  const std::string ratio = ratio_name(model.family.family);
  Json json{{"method", method.title},
            {"family", enum_name(model.family.family)},
            {"label", model.coding.label},
            {"classes", model.coding.classes},
            {"weight", model.coding.weight},
            {"offset", model.coding.offset},
            {"rows", model.rows},
            {"columns", model.coding.columns.size()},
            {"variables", model.coding.variables()},
            {"intercept", model.intercept},
            {"l2", model.l2},
            {"ratio", ratio.empty() ? Json(nullptr) : Json(ratio)}};
  if (model.family.family == Family::quantile) json["tau"] = model.family.tau;
  if (model.family.family == Family::huber) json["delta"] = model.family.delta;
  json["inference"] = fit.inference ? inference_facts(*fit.inference) : Json(nullptr);
  json["coefficients"] = fit_coefficients_json(fit);
  json["evaluation"] = fit.evaluation;
  json["path"] = path_json(fit.path);
  return json;
}

}  // namespace

bool is_constant(const std::string& name) {
  const std::string constant = CoefficientScale::constant;
  return name == constant || name.ends_with(": " + constant);
}

Json fits_json(const RunFiles& run) {
  Json list = Json::array();
  for (const MethodFiles& method : run.methods)
    if (method.fit) list.push_back(fit_json(method));
  return list;
}

}  // namespace driftless
