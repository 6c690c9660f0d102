#include "driftless/glm/predict/table_predictions.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/printable.hpp"
#include "driftless/core/text.hpp"
#include "driftless/glm/export/csv_line.hpp"
#include "driftless/glm/original_scale.hpp"
#include "driftless/glm/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <variant>

namespace driftless {
namespace {

using LineCell = std::variant<std::monostate, double, std::string_view>;  // nothing, a number, a text

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class LineWriter {
 public:
  LineWriter(const GlmModel& model, const PredictionLines& lines)
      : model_(model), lines_(lines), names_(lines.keep), values_(value_names(model).size()) {
    for (const std::string& name : value_names(model)) names_.push_back(name);
    if (has_classes(model.family.family)) names_.emplace_back("class");
    check_names();
    for (const std::string& name : names_) keys_.push_back((keys_.empty() ? "{" : ", ") + json_text(name) + ": ");
  }

  std::string header() const { return lines_.format == LineFormat::csv ? csv_line(names_) : std::string(); }

  std::string lines_of(const PredictedRows& rows) {
    kept_columns_.clear();
    for (const std::string& name : lines_.keep) kept_columns_.push_back(&requested_column(rows.table, name));
    const std::size_t step = model_.family.predictions();
    std::string text;
    std::size_t next = 0;  // row of the design
    for (std::size_t row = 0; row < rows.table.rows; ++row) {
      const bool predicted = next < rows.design.kept.size() && rows.design.kept[next] == row;
      add_kept_cells(row);
      add_predicted_cells(predicted ? rows.eta.subspan(next * step, step) : std::span<const double>());
      if (predicted) ++next;
      append_line(text);
    }
    return text;
  }

 private:
  void check_names() const {
    for (std::size_t k = 0; k < lines_.keep.size(); ++k)
      if (std::ranges::count(names_, lines_.keep[k]) > 1)
        throw ConfigError({.what = "two columns of the predictions would have the same name",
                           .seen = "--keep " + printable(lines_.keep[k]),
                           .advice = "keep each column once, and none with the name of a predicted one; rename it in "
                                     "the table otherwise"});
  }

  void add_kept_cells(std::size_t row) {
    cells_.clear();
    for (const TableColumn* column : kept_columns_) {
      if (is_missing(*column, row)) cells_.emplace_back();
      else if (column->type == CellType::number) cells_.emplace_back(column->number[row]);
      else cells_.emplace_back(std::string_view(column->texts[static_cast<std::size_t>(column->code[row])]));
    }
  }

  // `eta` is empty where there is no prediction.
  void add_predicted_cells(std::span<const double> eta) {
    if (eta.empty()) {
      cells_.resize(names_.size());
      return;
    }
    predicted_values(model_, eta, values_);
    for (const double value : values_) cells_.emplace_back(value);
    if (has_classes(model_.family.family))
      cells_.emplace_back(std::string_view(model_.coding.classes[predicted_class(eta)]));
  }

  void append_line(std::string& text) const {
    const std::size_t start = text.size();
    for (std::size_t k = 0; k < cells_.size(); ++k) {
      if (lines_.format == LineFormat::jsonl) append_json(text, k);
      else append_csv(text, k);
    }
    if (lines_.format == LineFormat::jsonl) text += '}';
    else if (text.size() == start) text += "\"\"";  // a single empty cell; the line would be blank otherwise
    text += '\n';
  }

  void append_csv(std::string& text, std::size_t k) const {
    if (k > 0) text += ',';
    if (const auto* value = std::get_if<double>(&cells_[k])) text += number(*value);
    if (const auto* cell = std::get_if<std::string_view>(&cells_[k])) append_csv_cell(text, *cell);
  }

  void append_json(std::string& text, std::size_t k) const {
    text += keys_[k];
    if (const auto* cell = std::get_if<std::string_view>(&cells_[k])) text += json_text(*cell);
    else if (const auto* value = std::get_if<double>(&cells_[k]); value != nullptr && std::isfinite(*value))
      text += number(*value);
    else text += "null";  // JSON has no infinite numbers
  }

  const GlmModel& model_;
  const PredictionLines& lines_;
  std::vector<std::string> names_;
  std::vector<std::string> keys_;  // of JSON, with what precedes them
  std::vector<const TableColumn*> kept_columns_;
  std::vector<double> values_;
  std::vector<LineCell> cells_;  // of one row
};

}  // namespace

StreamEnd predict_table(const GlmModel& model, const std::filesystem::path& file, const PredictionLines& lines,
                        const StopToken& stop, const std::function<void(std::string_view)>& write) {
  LineWriter writer(model, lines);
  bool begun = false;  // the header follows the checks of the table
  return stream_table(model, file, {.labels = LabelUse::none, .keep = lines.keep}, stop,
                      [&](const PredictedRows& rows) {
                        if (!begun) write(writer.header());
                        begun = true;
                        write(writer.lines_of(rows));
                      });
}

}  // namespace driftless
