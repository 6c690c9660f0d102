#include "driftless/data/libsvm/libsvm_reader.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"
#include "driftless/data/column_count.hpp"
#include "driftless/data/libsvm/binary_labels.hpp"
#include "driftless/data/libsvm/libsvm_rows.hpp"
#include "driftless/data/libsvm/libsvm_text.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/files/input_file.hpp"

#include <algorithm>
#include <array>

namespace driftless {
namespace {

void check(const LibsvmOptions& options) {
  if (options.dim && (*options.dim < 1 || *options.dim > largest_libsvm_index))
    throw ConfigError({.what = "the given dimension is not possible",
                       .seen = "dim = " + std::to_string(*options.dim),
                       .advice = "give a whole number from 1 to " + std::to_string(largest_libsvm_index)});
  if (options.positive_label && options.labels == Labels::real)
    throw ConfigError({.what = "a positive label was given for labels that are real numbers",
                       .seen = "positive_label = " + number(*options.positive_label),
                       .advice = "leave it out, or read the labels as two classes"});
}

ParsedText read_text(const std::filesystem::path& path, const LibsvmOptions& options) {
  InputFile file(path);
  const auto parsed = [&] { return parse_libsvm_text(file.plain(), path.string(), options.dim); };
  if (!options.cache || !file.packed()) return parsed();
  const std::string digest = sha256(file.stored());
  std::optional<ParsedText> rows = options.cache->read(digest, path.string());
  // A row that does not fit the given dimension is told of with its line, which only the text knows.
  if (rows && rows->data.dim <= options.dim.value_or(rows->data.dim)) return *std::move(rows);
  ParsedText text = parsed();
  if (!rows) options.cache->write(digest, text);
  return text;
}

void require_label(double wanted, std::span<const ParsedText> texts, const LabelTable& labels) {
  const auto holds = [&](const ParsedText& t) { return std::ranges::find(t.data.label, wanted) != t.data.label.end(); };
  if (std::ranges::any_of(texts, holds)) return;
  throw DataError({.what = "the label chosen to become +1 does not occur in the data",
                   .seen = texts.front().data.name + ": positive_label = " + number(wanted),
                   .advice = "choose one of " + labels.list()});
}

void map_labels(std::span<ParsedText> texts, const LibsvmOptions& options) {
  if (options.labels == Labels::real) return;
  LabelTable all;
  for (const ParsedText& text : texts) all.merge(text.labels);
  if (options.positive_label && options.positive_label_occurs) require_label(*options.positive_label, texts, all);
  const double positive = options.positive_label ? *options.positive_label : positive_label(all);
  for (ParsedText& text : texts) {
    for (double& label : text.data.label) label = label == positive ? 1.0 : -1.0;
  }
}

std::vector<ColumnCount> column_counts_of(std::span<const ParsedText> texts) {
  std::vector<ColumnCount> counts;
  for (const ParsedText& text : texts) counts.push_back({.owner = text.data.name, .columns = text.data.dim});
  return counts;
}

void set_dimension(std::span<ParsedText> texts, std::optional<Index> given) {
  Index dim = given.value_or(0);
  for (const ParsedText& text : texts) dim = std::max(dim, text.data.dim);
  if (!given) require_equal_columns(column_counts_of(texts));
  if (dim == 0)
    throw DataError({.what = "no row has a feature, so the number of columns is unknown",
                     .seen = texts.front().data.name,
                     .advice = "check the file, or give the dimension"});
  for (ParsedText& text : texts) text.data.dim = dim;
}

std::vector<Dataset> finish(std::vector<ParsedText> texts, const LibsvmOptions& options) {
  std::vector<Dataset> sets;
  if (texts.empty()) return sets;
  set_dimension(texts, options.dim);
  map_labels(texts, options);
  for (ParsedText& text : texts) {
    text.data.label_values = text.labels.sorted_values();
    text.data.label_values_complete = text.labels.complete();
    sets.push_back(std::move(text.data));
  }
  return sets;
}

}  // namespace

std::vector<Dataset> read_libsvm_files(std::span<const std::filesystem::path> paths, const LibsvmOptions& options) {
  check(options);
  std::vector<ParsedText> texts;
  for (const auto& path : paths) texts.push_back(read_text(path, options));
  return finish(std::move(texts), options);
}

Dataset read_libsvm(const std::filesystem::path& path, const LibsvmOptions& options) {
  return std::move(read_libsvm_files(std::array{path}, options).front());
}

Dataset parse_libsvm(std::string_view text, std::string name, const LibsvmOptions& options) {
  check(options);
  std::vector<ParsedText> texts;
  texts.push_back(parse_libsvm_text(text, std::move(name), options.dim));
  return std::move(finish(std::move(texts), options).front());
}

}  // namespace driftless
