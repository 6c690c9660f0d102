// inference.json: written for the report and other programs, read by `driftless summary`.
#include "driftless/files/input_file.hpp"
#include "driftless/glm/inference.hpp"
#include "driftless/glm/information_inverse.hpp"
#include "driftless/glm/strict_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

// Beyond this the matrices would be tens of megabytes of text.
constexpr Index most_coefficients_with_covariance = 1000;
constexpr std::array<double Inference::*, 9> numbers{
    &Inference::weight,     &Inference::parameters,     &Inference::degrees,
    &Inference::dispersion, &Inference::deviance,       &Inference::null_deviance,
    &Inference::pearson,    &Inference::log_likelihood, &Inference::aic};
constexpr std::array<const char*, 9> number_names{
    "weight", "parameters", "degrees", "dispersion", "deviance", "null_deviance", "pearson", "log_likelihood", "aic"};

std::vector<std::string> source_names() { return OptionType<ErrorSource>::choices(); }

// What is not a number is null in JSON.
double number_or_unknown(JsonObject& object, const std::string& key) {
  return object.at(key).is_null() ? unknown_value : object.number(key);
}

Json coefficient_json(const CoefficientLine& line, bool ratios) {
  Json json{{"name", line.name}, {"estimate", line.estimate}, {"error", line.error}, {"statistic", line.statistic},
            {"p", line.p},       {"low", line.low},           {"high", line.high}};
  if (!ratios) return json;
  json["ratio"] = std::exp(line.estimate);
  json["ratio_low"] = std::exp(line.low);
  json["ratio_high"] = std::exp(line.high);
  return json;
}

Json coefficients_json(const Inference& inference, const SummaryOptions& options) {
  Json json = Json::array();
  const std::optional<ErrorSource> source = options.source ? options.source : inference.usual_errors();
  std::vector<CoefficientLine> lines;
  if (source) lines = coefficient_lines(inference, *source, options.level);
  for (std::size_t k = 0; k < inference.names.size(); ++k) {
    const auto index = static_cast<Index>(k);
    const CoefficientLine unknown{
        inference.names[k], inference.estimate[index], unknown_value, unknown_value, unknown_value, unknown_value,
        unknown_value};
    Json one = coefficient_json(source ? lines[k] : unknown, !ratio_name(inference.family.family).empty());
    one["coded_estimate"] = inference.coded_estimate[index];
    one["coded_error"] = source ? inference.coded_error[index] : unknown_value;
    json.push_back(std::move(one));
  }
  return json;
}

Json errors_json(const Inference& inference) {
  Json json = Json::object();
  for (std::size_t s = 0; s < inference.errors.size(); ++s) {
    json[source_names()[s]] = nullptr;
    if (!inference.errors[s]) continue;
    const CoefficientErrors& errors = *inference.errors[s];
    Json one{{"degrees", errors.degrees},
             {"error", std::vector<double>(errors.error.begin(), errors.error.end())},
             {"covariance", nullptr}};
    if (errors.covariance.rows() > 0 && errors.covariance.rows() <= most_coefficients_with_covariance) {
      const Vector triangle = triangle_of(errors.covariance);
      one["covariance"] = std::vector<double>(triangle.begin(), triangle.end());
    }
    json[source_names()[s]] = std::move(one);
  }
  return json;
}

Vector read_numbers(JsonObject& object, const std::string& key, std::size_t size) {
  const StoredJson& list = object.array(key);
  Vector values(static_cast<Index>(list.size()));
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (!list[k].is_number() && !list[k].is_null()) object.reject(key, "a list of numbers is expected");
    values[static_cast<Index>(k)] = list[k].is_null() ? unknown_value : list[k].get<double>();
  }
  if (list.size() != size) object.reject(key, "a list of " + std::to_string(size) + " numbers is expected");
  return values;
}

void read_coefficients(JsonObject& file, Inference& inference) {
  const StoredJson& list = file.array("coefficients");
  const auto count = static_cast<Index>(list.size());
  for (Vector* of : {&inference.estimate, &inference.coded_estimate, &inference.coded_error}) of->resize(count);
  for (Index k = 0; k < count; ++k) {
    // Tests and intervals follow from the errors and are not read.
    JsonObject one(list[static_cast<std::size_t>(k)], file.location("coefficients") + "[" + std::to_string(k) + "]");
    inference.names.push_back(one.text("name"));
    inference.estimate[k] = one.number("estimate");
    inference.coded_estimate[k] = number_or_unknown(one, "coded_estimate");
    inference.coded_error[k] = number_or_unknown(one, "coded_error");
  }
}

void read_errors(JsonObject file, Inference& inference) {
  const std::size_t d = inference.names.size();
  const std::vector<std::string> names = source_names();
  for (std::size_t s = 0; s < names.size(); ++s) {
    if (file.at(names[s]).is_null()) continue;
    JsonObject one = file.object(names[s]);
    CoefficientErrors errors{
        .error = read_numbers(one, "error", d), .degrees = number_or_unknown(one, "degrees"), .covariance = {}};
    if (std::isnan(errors.degrees)) errors.degrees = std::numeric_limits<double>::infinity();
    if (!one.at("covariance").is_null())
      errors.covariance = symmetric_of(read_numbers(one, "covariance", d * (d + 1) / 2));
    one.end();
    inference.errors[s] = std::move(errors);
  }
  file.end();
}

}  // namespace

std::string inference_json(const Inference& inference, const SummaryOptions& options) {
  const FamilyOptions& family = inference.family;
  Json json{{"schema_version", 1},      {"family", enum_name(family.family)},
            {"delta", family.delta},    {"tau", family.tau},
            {"label", inference.label}, {"classes", inference.classes},
            {"rows", inference.rows},   {"sites", inference.sites}};
  for (std::size_t k = 0; k < numbers.size(); ++k) json[number_names[k]] = inference.*numbers[k];
  json["dispersion_estimated"] = inference.dispersion_estimated;
  json["penalized"] = inference.penalized;
  json["level"] = options.level;
  const std::optional<ErrorSource> source = options.source ? options.source : inference.usual_errors();
  json["source"] = source ? Json(enum_name(*source)) : Json(nullptr);
  const std::string ratio = ratio_name(family.family);
  json["ratio"] = ratio.empty() ? Json(nullptr) : Json(ratio);
  json["coefficients"] = coefficients_json(inference, options);
  json["errors"] = errors_json(inference);
  json["notes"] = inference.notes;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Inference read_inference(const std::filesystem::path& path) {
  const StoredJson stored = parse_json(read_input_file(path), path.string());
  JsonObject file(stored, path.string());
  if (file.whole_number("schema_version") != 1) file.reject("schema_version", "the file is of another version");
  Inference inference;
  inference.family.family = static_cast<Family>(file.choice("family", OptionType<Family>::choices()));
  inference.family.delta = file.number("delta");
  inference.family.tau = file.number("tau");
  inference.label = file.text("label");
  inference.classes = file.texts("classes");
  if (!inference.classes.empty()) inference.family.classes = inference.classes.size();
  inference.rows = file.whole_number("rows");
  inference.sites = file.whole_number("sites");
  for (std::size_t k = 0; k < numbers.size(); ++k) inference.*numbers[k] = number_or_unknown(file, number_names[k]);
  inference.dispersion_estimated = file.boolean("dispersion_estimated");
  inference.penalized = file.boolean("penalized");
  read_coefficients(file, inference);
  read_errors(file.object("errors"), inference);
  inference.notes = file.texts("notes");
  return inference;
}

}  // namespace driftless
