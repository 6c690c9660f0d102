#include "driftless/glm/model_file.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/printable.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/glm/original_scale.hpp"
#include "driftless/glm/strict_json.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace driftless {
namespace {

using WrittenJson = nlohmann::ordered_json;

constexpr const char* model_format = "driftless-model";
constexpr std::size_t model_version = 1;

std::vector<double> as_list(VecIn x) { return {x.begin(), x.end()}; }

WrittenJson family_json(const FamilyOptions& options) {
  WrittenJson json{{"name", enum_name(options.family)}};
  if (options.family == Family::huber || options.family == Family::quantile) json["delta"] = options.delta;
  if (options.family == Family::quantile) json["tau"] = options.tau;
  return json;
}

WrittenJson column_json(const CodedColumn& column) {
  WrittenJson json{{"name", column.name},
                   {"role", column_role_names[static_cast<std::size_t>(column.role)]},
                   {"missing", missing_rule_names[static_cast<std::size_t>(column.missing)]},
                   {"fill", column.fill},
                   {"indicator", column.indicator}};
  if (column.role != ColumnRole::categorical) {
    json["center"] = column.center;
    json["scale"] = column.scale;
  }
  if (column.role != ColumnRole::numeric) json["levels"] = column.levels;
  return json;
}

// An ordered object looks through all its keys for each that is assigned; the levels are known to be distinct.
WrittenJson levels_json(const ColumnEffect& effect, Index prediction) {
  WrittenJson::object_t levels;
  WrittenJson::object_t::Container& list = levels;
  for (std::size_t level = 0; level < effect.level.size(); ++level)
    list.emplace_back(effect.column.levels[level], effect.level[level][prediction]);
  return levels;
}

WrittenJson effect_json(const ColumnEffect& effect, Index prediction) {
  WrittenJson json{{"column", effect.column.name}};
  if (effect.slope.size() > 0) json["per_unit"] = effect.slope[prediction];
  if (!effect.level.empty()) json["levels"] = levels_json(effect, prediction);
  if (effect.missing.size() > 0) json["missing"] = effect.missing[prediction];
  return json;
}

// What people read; the reader takes the coded coefficients.
WrittenJson original_scale_json(const GlmModel& model) {
  const OriginalScale scale = original_scale(model);
  const std::vector<std::string> names = prediction_names(model);
  WrittenJson all = WrittenJson::array();
  for (std::size_t p = 0; p < names.size(); ++p) {
    const auto prediction = static_cast<Index>(p);
    WrittenJson columns = WrittenJson::array();
    for (const ColumnEffect& effect : scale.columns) columns.push_back(effect_json(effect, prediction));
    all.push_back(
        {{"prediction", names[p]}, {"constant", scale.constant[prediction]}, {"columns", std::move(columns)}});
  }
  return all;
}

WrittenJson written(const GlmModel& model) {
  const Coding& coding = model.coding;
  WrittenJson columns = WrittenJson::array();
  for (const CodedColumn& column : coding.columns) columns.push_back(column_json(column));
  return {{"format", model_format},
          {"version", model_version},
          {"family", family_json(model.family)},
          {"l2", model.l2},
          {"rows", model.rows},
          {"label", coding.label},
          {"classes", coding.classes},
          {"weight", coding.weight},
          {"offset", coding.offset},
          {"schema_digest", coding.schema_digest},
          {"csv",
           {{"delimiter", coding.format.delimiter},
            {"decimal_comma", coding.format.decimal_comma},
            {"missing", coding.format.missing}}},
          {"columns", std::move(columns)},
          {"intercept", model.intercept},
          {"variables", variable_names(coding)},
          {"coefficients", as_list(model.coefficients)},
          {"original_scale", original_scale_json(model)}};
}

std::vector<std::string> role_names() { return {column_role_names.begin(), column_role_names.end()}; }

void check_distinct(const JsonObject& object, const std::string& key, const std::vector<std::string>& texts) {
  if (std::set<std::string>(texts.begin(), texts.end()).size() != texts.size())
    object.reject(key, "a text occurs twice");
}

FamilyOptions read_family(JsonObject json) {
  FamilyOptions options;
  options.family = static_cast<Family>(json.choice("name", OptionType<Family>::choices()));
  if (options.family == Family::huber || options.family == Family::quantile) {
    options.delta = json.number("delta");
    if (!(options.delta > 0.0)) json.reject("delta", "a positive number is expected");
  }
  if (options.family == Family::quantile) {
    options.tau = json.number("tau");
    if (!(options.tau > 0.0 && options.tau < 1.0)) json.reject("tau", "a number between 0 and 1 is expected");
  }
  json.end();
  return options;
}

CsvFormat read_format(JsonObject json) {
  CsvFormat format{.delimiter = json.text("delimiter"),
                   .decimal_comma = json.boolean("decimal_comma"),
                   .missing = json.texts("missing")};
  if (format.delimiter.size() > 1 || format.delimiter.find_first_of("\"\r\n") != std::string::npos)
    json.reject("delimiter", "one character that is neither a quote nor the end of a line is expected");
  json.end();
  return format;
}

void read_levels(JsonObject& json, CodedColumn& column) {
  column.levels = json.texts("levels");
  check_distinct(json, "levels", column.levels);
  if (column.levels.empty()) json.reject("levels", "at least one level is expected");
  if (!(column.fill >= 0.0 && column.fill < static_cast<double>(column.levels.size()) &&
        column.fill == std::floor(column.fill)))
    json.reject("fill", "the index of a level is expected");
}

CodedColumn read_column(JsonObject json) {
  CodedColumn column;
  column.name = json.text("name");
  column.role = static_cast<ColumnRole>(json.choice("role", role_names()));
  if (column.role != ColumnRole::numeric && column.role != ColumnRole::categorical &&
      column.role != ColumnRole::ordinal)
    json.reject("role", "the role of a variable is expected: numeric, categorical or ordinal");
  column.missing = static_cast<MissingRule>(
      json.choice("missing", {std::string(missing_rule_names[0]), std::string(missing_rule_names[1])}));
  column.fill = json.number("fill");
  column.indicator = json.boolean("indicator");
  if (column.role != ColumnRole::categorical) {
    column.center = json.number("center");
    column.scale = json.number("scale");
    if (!(column.scale > 0.0)) json.reject("scale", "a positive number is expected");
  }
  if (column.role != ColumnRole::numeric) read_levels(json, column);
  json.end();
  return column;
}

std::vector<CodedColumn> read_columns(JsonObject& json) {
  const StoredJson& list = json.array("columns");
  std::vector<CodedColumn> columns;
  for (std::size_t k = 0; k < list.size(); ++k)
    columns.push_back(read_column({list[k], json.location("columns[" + std::to_string(k) + "]")}));
  return columns;
}

void check_names(const JsonObject& json, const Coding& coding) {
  std::set<std::string> seen;
  const auto add = [&](const std::string& key, const std::string& name) {
    if (name.empty()) json.reject(key, "a column has no name");
    if (!seen.insert(name).second) json.reject(key, "two columns have the name '" + printable(name) + "'");
  };
  for (const CodedColumn& column : coding.columns) add("columns", column.name);
  add("label", coding.label);
  if (!coding.weight.empty()) add("weight", coding.weight);
  if (!coding.offset.empty()) add("offset", coding.offset);
}

Coding read_coding(JsonObject& json) {
  Coding coding;
  coding.columns = read_columns(json);
  coding.label = json.text("label");
  coding.classes = json.texts("classes");
  check_distinct(json, "classes", coding.classes);
  coding.weight = json.text("weight");
  coding.offset = json.text("offset");
  coding.schema_digest = json.text("schema_digest");
  coding.format = read_format(json.object("csv"));
  check_names(json, coding);
  return coding;
}

// As many classes as the family needs.
void read_class_count(const JsonObject& json, GlmModel& model) {
  const std::size_t count = model.coding.classes.size();
  if (!has_classes(model.family.family)) {
    if (count > 0) json.reject("classes", "labels of this family have no classes");
    return;
  }
  if (count < 2 || (count > 2 && model.family.family != Family::multinomial))
    json.reject("classes", "the number of classes does not fit the family");
  model.family.classes = count;
}

void read_coefficients(JsonObject& json, GlmModel& model) {
  if (json.texts("variables") != variable_names(model.coding))
    json.reject("variables", "the variables are not those of the columns");
  const std::vector<double> list = json.numbers("coefficients");
  if (list.size() != model.width() * model.family.predictions())
    json.reject("coefficients", "there are " + std::to_string(list.size()) + " coefficients, " +
                                    std::to_string(model.width() * model.family.predictions()) + " are expected");
  model.coefficients = Eigen::Map<const Vector>(list.data(), static_cast<Index>(list.size()));
}

void read_head(JsonObject& json, const std::string& file) {
  if (json.text("format") != model_format) json.reject("format", "the file is not a model of driftless");
  if (json.whole_number("version") == model_version) return;
  throw DataError(
      {.what = "this version of driftless does not know the version of the model's file",
       .seen = file + ": version = " + json.at("version").dump() + ", known: " + std::to_string(model_version),
       .advice = "use the version of driftless that wrote the model, or a later one"});
}

GlmModel read_model_text(std::string_view text, const std::string& file) {
  const StoredJson stored = parse_json(text, file);
  JsonObject json(stored, file);
  read_head(json, file);
  GlmModel model;
  model.family = read_family(json.object("family"));
  model.coding = read_coding(json);
  read_class_count(json, model);
  model.l2 = json.number("l2");
  if (model.l2 < 0.0) json.reject("l2", "a number of 0 or more is expected");
  model.rows = json.whole_number("rows");
  model.intercept = json.boolean("intercept");
  read_coefficients(json, model);
  json.array("original_scale");
  json.end();
  return model;
}

}  // namespace

std::string model_json(const GlmModel& model) {
  try {
    return written(model).dump(2) + "\n";
  } catch (const WrittenJson::exception&) {
    throw DataError({.what = "a name of a column or of a level is not UTF-8",
                     .seen = "the columns of the model",
                     .advice = "convert the tables to UTF-8"});
  }
}

GlmModel read_model(const std::filesystem::path& file) { return read_model_text(read_input_file(file), file.string()); }

}  // namespace driftless
