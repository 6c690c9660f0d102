#include "driftless/glm/export/onnx_file.hpp"

#include "driftless/core/error.hpp"
#include "driftless/glm/export/onnx_graph.hpp"
#include "driftless/glm/original_scale.hpp"
#include "driftless/glm/prediction.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace driftless {
namespace {

using Names = std::vector<std::string>;

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

// Text in front of all names that are made up here, so that none of them is that of a column.
std::string free_prefix(const Names& taken) {
  std::string prefix = "_";
  while (std::ranges::any_of(taken, [&](const std::string& name) { return name.starts_with(prefix); })) prefix += "_";
  return prefix;
}

std::string free_name(std::string name, const Names& taken) {
  while (std::ranges::find(taken, name) != taken.end()) name += "_";
  return name;
}

Names input_names(const GlmModel& model) {
  Names names;
  for (const CodedColumn& column : model.coding.columns) names.push_back(column.name);
  if (!model.coding.offset.empty()) names.push_back(model.coding.offset);
  return names;
}

class OnnxWriter {
 public:
  explicit OnnxWriter(const GlmModel& model)
      : model_(model),
        scale_(original_scale(model)),
        several_(model.family.family == Family::multinomial),
        inputs_(input_names(model)),
        graph_(free_prefix(inputs_)) {}

  std::string file() {
    std::vector<std::string> parts = {constant_part()};
    for (const ColumnEffect& effect : scale_.columns)
      if (effect.slope.size() == 0) parts.push_back(text_part(effect));
    add_numeric_parts(parts);
    if (!model_.coding.offset.empty()) parts.push_back(offset_part());
    const std::string eta = graph_.node("Sum", parts);
    add_values(eta);
    if (has_classes(model_.family.family)) add_class(eta);
    graph_.fact("family", std::string(enum_name(model_.family.family)));
    graph_.fact("label", model_.coding.label);
    graph_.fact("rows", std::to_string(model_.rows));
    graph_.fact("schema_digest", model_.coding.schema_digest);
    return graph_.file("glm");
  }

 private:
  // η of several classes has an entry of the reference class, which is zero.
  std::size_t width() const { return static_cast<std::size_t>(scale_.constant.size()) + (several_ ? 1 : 0); }

  // Appends a row of a table of effects; a row of NaN where there is none.
  void append(std::vector<double>& table, const Vector& effect) const {
    if (several_) table.push_back(effect.size() > 0 ? 0.0 : no_value);
    if (effect.size() > 0) table.insert(table.end(), effect.begin(), effect.end());
    else table.insert(table.end(), static_cast<std::size_t>(scale_.constant.size()), no_value);
  }

  std::string table_of(const std::vector<double>& values) {
    const auto columns = static_cast<std::int64_t>(width());
    const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(values.size()) / columns, columns};
    return graph_.numbers(shape, values);
  }

  std::string product(const std::string& rows, const std::vector<double>& table) {
    return graph_.node("MatMul", Names{rows, table_of(table)});
  }

  std::string constant_part() {
    std::vector<double> row;
    append(row, scale_.constant);
    return table_of(row);
  }

  // Looks up the text of a cell: the index of its level, then that of missing cells, then that of all other texts.
  std::string text_part(const ColumnEffect& effect) {
    graph_.input(effect.column.name, OnnxType::text);
    Names keys = model_.coding.format.missing;
    const auto levels = static_cast<std::int64_t>(effect.level.size());
    std::vector<std::int64_t> index(keys.size(), levels);
    std::vector<double> table;
    for (std::size_t level = 0; level < effect.level.size(); ++level) {
      append(table, effect.level[level]);
      if (std::ranges::find(keys, effect.column.levels[level]) != keys.end()) continue;
      keys.push_back(effect.column.levels[level]);
      index.push_back(static_cast<std::int64_t>(level));
    }
    append(table, effect.missing);
    append(table, effect.unseen);
    OnnxAttributes lookup;
    lookup.texts("keys_strings", keys).numbers("values_int64s", index).number("default_int64", levels + 1);
    const std::string found = graph_.node("ai.onnx.ml.LabelEncoder", Names{effect.column.name}, lookup);
    const std::string flat = graph_.node("Reshape", Names{found, graph_.indices(std::vector<std::int64_t>{-1})});
    return graph_.node("Gather", Names{table_of(table), flat});
  }

  // All numeric columns in two products: values, with 0 for missing ones, and whether they are missing. NaN instead of
  // 0 makes the whole row NaN.
  void add_numeric_parts(Names& parts) {
    Names columns;
    std::vector<double> slope, missing, fill;
    for (const ColumnEffect& effect : scale_.columns) {
      if (effect.slope.size() == 0) continue;
      graph_.input(effect.column.name, OnnxType::number);
      columns.push_back(effect.column.name);
      const bool dropped = effect.missing.size() == 0;
      append(slope, effect.slope);
      append(missing, dropped ? Vector(Vector::Zero(scale_.constant.size())) : effect.missing);
      fill.push_back(dropped ? no_value : 0.0);
    }
    if (columns.empty()) return;
    const std::string values = graph_.node("Concat", columns, OnnxAttributes().number("axis", 1));
    const std::string absent = graph_.node("IsNaN", Names{values});
    const std::vector<std::int64_t> shape = {1, static_cast<std::int64_t>(columns.size())};
    const std::string filled = graph_.node("Where", Names{absent, graph_.numbers(shape, fill), values});
    const OnnxAttributes to_number = OnnxAttributes().number("to", static_cast<std::int64_t>(OnnxType::number));
    parts.push_back(product(filled, slope));
    parts.push_back(product(graph_.node("Cast", Names{absent}, to_number), missing));
  }

  std::string offset_part() {
    graph_.input(model_.coding.offset, OnnxType::number);
    std::vector<double> ones;
    append(ones, Vector::Ones(scale_.constant.size()));
    return product(model_.coding.offset, ones);
  }

  void add_values(const std::string& eta) {
    const bool of_two_classes = model_.family.family == Family::logistic;
    const bool logarithmic = model_.family.family == Family::poisson || model_.family.family == Family::gamma;
    const char* op = several_ ? "Softmax" : of_two_classes ? "Sigmoid" : logarithmic ? "Exp" : "Identity";
    const OnnxAttributes attributes = several_ ? OnnxAttributes().number("axis", 1) : OnnxAttributes();
    const std::string name = free_name(several_ ? "probability" : value_names(model_).front(), inputs_);
    graph_.output(graph_.node(op, Names{eta}, attributes, name), OnnxType::number, width());
  }

  void add_class(const std::string& eta) {
    const std::vector<std::int64_t> zero_shape = {1};
    const std::vector<double> zero = {0.0};
    const OnnxAttributes along_rows = OnnxAttributes().number("axis", 1).number("keepdims", 1);
    const OnnxAttributes to_index = OnnxAttributes().number("to", static_cast<std::int64_t>(OnnxType::int64));
    const std::string found =
        several_ ? graph_.node("ArgMax", Names{eta}, along_rows)
                 : graph_.node("Cast", Names{graph_.node("Greater", Names{eta, graph_.numbers(zero_shape, zero)})},
                               to_index);
    // One entry of η decides whether the row has a prediction: all of them are NaN, or none.
    const std::string first = graph_.node("Gather", Names{eta, graph_.indices(std::vector<std::int64_t>{0})},
                                          OnnxAttributes().number("axis", 1));
    Names classes = model_.coding.classes;
    const auto none = static_cast<std::int64_t>(classes.size());
    classes.emplace_back();
    const std::string index = graph_.node(
        "Where", Names{graph_.node("IsNaN", Names{first}), graph_.indices(std::vector<std::int64_t>{none}), found});
    graph_.output(graph_.node("Gather", Names{graph_.texts(classes), index}, {}, free_name("class", inputs_)),
                  OnnxType::text, 1);
  }

  const GlmModel& model_;
  OriginalScale scale_;
  bool several_;
  Names inputs_;
  OnnxGraph graph_;
};

}  // namespace

std::string onnx_file(const GlmModel& model) {
  if (input_names(model).empty())
    throw ConfigError({.what = "a model without columns has no inputs, and cannot be an ONNX file",
                       .seen = "label '" + model.coding.label + "'",
                       .advice = "fit a model with at least one column, or export it as a formula"});
  return OnnxWriter(model).file();
}

}  // namespace driftless
