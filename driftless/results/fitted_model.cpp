#include "driftless/results/fitted_model.hpp"

#include "driftless/files/input_file.hpp"
#include "driftless/glm/model_file.hpp"
#include "driftless/glm/strict_json.hpp"

#include <algorithm>
#include <array>

namespace driftless {
namespace {

namespace fs = std::filesystem;

bool is_measure(const StoredJson& value) { return value.is_number() || value.is_null(); }

// Lists of lists, or of objects, whose entries are numbers or null: unknown numbers are null in JSON.
void check_lines(JsonObject& object, const std::string& key, std::size_t width) {
  const auto fits = [&](const StoredJson& line) {
    return line.is_structured() && line.size() == width && std::ranges::all_of(line, is_measure);
  };
  if (!std::ranges::all_of(object.array(key), fits))
    object.reject(key, "lines of " + std::to_string(width) + " numbers are expected");
}

void check_confusion(JsonObject confusion) {
  const std::size_t classes = confusion.texts("classes").size();
  check_lines(confusion, "weights", classes);
  if (confusion.array("weights").size() != classes) confusion.reject("weights", "a line for each class is expected");
  confusion.end();
}

// Which measures there are depends on the family; all of them are numbers.
void check_measures(const StoredJson& stored, JsonObject object, std::initializer_list<std::string_view> others) {
  object.whole_number("rows");
  for (const auto& [key, value] : stored.items())
    if (std::ranges::find(others, key) == others.end() && !is_measure(value))
      object.reject(key, "a number is expected");
}

void check_pooled(JsonObject& file, const std::string& key) {
  const StoredJson& stored = file.at(key);
  JsonObject object = file.object(key);
  check_measures(stored, object, {"confusion", "roc", "calibration"});
  if (stored.contains("confusion")) check_confusion(object.object("confusion"));
  if (stored.contains("roc")) check_lines(object, "roc", 3);
  if (!stored.contains("calibration")) return;
  check_lines(object, "calibration", 4);
  for (const StoredJson& bin : object.array("calibration"))
    for (const char* of_bin : {"rows", "weight", "predicted", "observed"})
      if (!bin.is_object() || !bin.contains(of_bin))
        object.reject("calibration", std::string("a bin has no ") + of_bin);
}

void check_sites(JsonObject& file, const std::string& key) {
  const StoredJson& list = file.array(key);
  for (std::size_t i = 0; i < list.size(); ++i) {
    JsonObject site(list[i], file.location(key) + "[" + std::to_string(i) + "]");
    site.text("site");
    if (site.boolean("shown")) check_measures(list[i], site, {"site", "shown"});
  }
}

StoredJson read_evaluation_file(const fs::path& path) {
  StoredJson stored = parse_json(read_input_file(path), path.string());
  JsonObject file(stored, path.string());
  if (file.whole_number("schema_version") != 1) file.reject("schema_version", "the file is of another version");
  check_pooled(file, "train");
  if (stored.contains("test")) check_pooled(file, "test");
  for (const char* sites : {"sites", "local"})
    if (stored.contains(sites)) check_sites(file, sites);
  return stored;
}

PenaltyPath read_penalty_path(const fs::path& path) {
  const StoredJson stored = parse_json(read_input_file(path), path.string());
  JsonObject file(stored, path.string());
  if (file.whole_number("schema_version") != 1) file.reject("schema_version", "the file is of another version");
  PenaltyPath read;
  read.rule = static_cast<PenaltyRule>(file.choice("rule", OptionType<PenaltyRule>::choices()));
  CrossValidation& found = read.found;
  found.folds = file.whole_number("folds");
  found.exchanges = file.whole_number("exchanges");
  const StoredJson& points = file.array("path");
  for (std::size_t i = 0; i < points.size(); ++i) {
    JsonObject point(points[i], file.location("path") + "[" + std::to_string(i) + "]");
    const auto number_of = [&](const char* key) { return point.at(key).is_null() ? unknown_value : point.number(key); };
    found.path.push_back({.l2 = point.number("l2"), .loss = number_of("loss"), .error = number_of("standard_error")});
  }
  for (const auto& [key, index] : {std::pair{"least", &found.least}, std::pair{"chosen", &found.chosen}}) {
    *index = file.whole_number(key);
    if (*index >= found.path.size()) file.reject(key, "the path has no point with this index");
  }
  return read;
}

}  // namespace

std::shared_ptr<const FittedModel> read_fitted_model(const fs::path& folder) {
  if (!fs::exists(folder / "model.json")) return nullptr;
  FittedModel fit{.model = read_model(folder / "model.json"), .inference = {}, .evaluation = {}, .path = {}};
  if (fs::exists(folder / "inference.json")) fit.inference = read_inference(folder / "inference.json");
  if (fs::exists(folder / "evaluation.json")) fit.evaluation = read_evaluation_file(folder / "evaluation.json");
  if (fs::exists(folder / "penalty_path.json")) fit.path = read_penalty_path(folder / "penalty_path.json");
  return std::make_shared<const FittedModel>(std::move(fit));
}

}  // namespace driftless
