#include "driftless/data/libsvm_reader.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"
#include "driftless/data/binary_labels.hpp"
#include "driftless/data/digest.hpp"
#include "driftless/data/input_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

constexpr std::int64_t largest_index = std::numeric_limits<std::int32_t>::max() - 1;

constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

constexpr bool is_printable(char c) { return c >= ' ' && c <= '~'; }

// Fit for a message: short, and without bytes that would upset a terminal.
std::string shown(std::string_view token) {
  constexpr std::size_t longest = 40;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "'";
  for (const char c : token.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_printable(c)) text += c;
    else ((text += "\\x") += digits[byte >> 4]) += digits[byte & 0x0FU];
  }
  return text + (token.size() > longest ? "...'" : "'");
}

// The whole token must be the number. A leading '+' is allowed, which std::from_chars does not know.
template <class T>
std::errc read_number(std::string_view token, T& out) {
  if (token.size() > 1 && token[0] == '+' && token[1] != '-') token.remove_prefix(1);
  const char* end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data(), end, out);
  return error == std::errc{} && stop != end ? std::errc::invalid_argument : error;
}

struct ParsedText {
  Dataset data;
  LabelTable labels;
};

class Parser {
 public:
  Parser(std::string name, std::optional<Index> dim) : dim_(dim) { parsed_.data.name = std::move(name); }

  ParsedText parse(std::string_view text);

 private:
  void parse_line(std::string_view line);
  void parse_label(std::string_view token);
  void parse_feature(std::string_view token);
  std::int64_t index_of(std::string_view token, std::string_view index_text) const;
  void check_order(std::int64_t index, std::string_view token) const;
  double number_of(std::string_view token, std::string_view number_text, const std::string& kind) const;
  [[noreturn]] void fail(std::string what, std::string_view token, std::string advice) const;

  Dataset& data() { return parsed_.data; }

  ParsedText parsed_;
  std::optional<Index> dim_;
  std::size_t line_ = 0;
  std::int64_t last_index_ = 0;  // of the row being read
};

void Parser::fail(std::string what, std::string_view token, std::string advice) const {
  if (!std::ranges::all_of(token, is_printable)) {
    what = "this is not LIBSVM text (" + what + ")";
    advice = "give a text file with one row per line: label index:value ...";
  }
  throw DataError({.what = std::move(what),
                   .seen = parsed_.data.name + ":" + std::to_string(line_) + ": " + shown(token),
                   .advice = std::move(advice)});
}

double Parser::number_of(std::string_view token, std::string_view number_text, const std::string& kind) const {
  double result = 0.0;
  const std::errc error = read_number(number_text, result);
  if (error == std::errc::result_out_of_range)
    fail("a " + kind + " is outside the range of double precision", token, "rescale the data");
  if (error != std::errc{}) fail("a " + kind + " is not a number", token, "write a number such as 1, -0.5 or 2e-3");
  if (!std::isfinite(result)) fail("a " + kind + " is not finite", token, "remove or repair the row");
  return result;
}

std::int64_t Parser::index_of(std::string_view token, std::string_view index_text) const {
  std::int64_t index = 0;
  const std::errc error = read_number(index_text, index);
  if (error == std::errc::result_out_of_range || index > largest_index)
    fail("a feature index is too large", token, "indices go up to " + std::to_string(largest_index));
  if (error != std::errc{})
    fail("a feature index is not a whole number", token, "write features as index:value, for example 3:0.5");
  if (index == 0) fail("a feature has index 0", token, "indices start at 1: add 1 to every index of the file");
  if (index < 0) fail("a feature index is negative", token, "indices start at 1");
  return index;
}

void Parser::check_order(std::int64_t index, std::string_view token) const {
  if (index == last_index_) fail("a feature index is repeated in its row", token, "keep one value per index");
  if (index < last_index_)
    fail("the feature indices of a row do not rise (the one before is " + std::to_string(last_index_) + ")", token,
         "sort the features of each row by index");
  if (dim_ && index > *dim_)
    fail("a feature index is larger than the given dimension " + std::to_string(*dim_), token,
         "raise the dimension or check the file");
}

void Parser::parse_feature(std::string_view token) {
  const std::size_t colon = token.find(':');
  if (colon == std::string_view::npos)
    fail("a feature is not written as index:value", token, "put a colon between index and value, for example 3:0.5");
  const std::int64_t index = index_of(token, token.substr(0, colon));
  check_order(index, token);
  const double value = number_of(token, token.substr(colon + 1), "feature value");
  last_index_ = index;
  if (value == 0.0) {
    ++data().explicit_zeros;
    return;
  }
  data().column.push_back(static_cast<std::int32_t>(index - 1));
  data().value.push_back(value);
}

void Parser::parse_label(std::string_view token) {
  const double label = number_of(token, token, "label");
  if (data().rows() == static_cast<std::size_t>(largest_index))
    fail("the file has too many rows", token, "divide it: at most " + std::to_string(largest_index) + " rows are read");
  data().label.push_back(label);
  parsed_.labels.add(label, data().name, line_);
}

void Parser::parse_line(std::string_view line) {
  line = line.substr(0, line.find('#'));
  last_index_ = 0;
  bool in_row = false;
  for (auto at = line.begin(); (at = std::find_if_not(at, line.end(), is_blank)) != line.end();) {
    const auto end = std::find_if(at, line.end(), is_blank);
    const std::string_view token(at, end);
    if (in_row) parse_feature(token);
    else parse_label(token);
    in_row = true;
    at = end;
  }
  if (!in_row) return;
  data().dim = std::max<Index>(data().dim, last_index_);
  data().row_start.push_back(static_cast<std::int64_t>(data().column.size()));
}

ParsedText Parser::parse(std::string_view text) {
  data().digest = sha256(text);
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const auto entries = static_cast<std::size_t>(std::ranges::count(text, ':'));
  data().column.reserve(entries);
  data().value.reserve(entries);
  data().row_start.push_back(0);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    ++line_;
    parse_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (data().rows() == 0)
    throw DataError({.what = "the file has no rows",
                     .seen = data().name,
                     .advice = "give a text file with one row per line: label index:value ..."});
  return std::move(parsed_);
}

void check(const LibsvmOptions& options) {
  if (options.dim && (*options.dim < 1 || *options.dim > largest_index))
    throw ConfigError({.what = "the given dimension is not possible",
                       .seen = "dim = " + std::to_string(*options.dim),
                       .advice = "give a whole number from 1 to " + std::to_string(largest_index)});
  if (options.positive_label && options.labels == Labels::real)
    throw ConfigError({.what = "a positive label was given for labels that are real numbers",
                       .seen = "positive_label = " + number(*options.positive_label),
                       .advice = "leave it out, or read the labels as two classes"});
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
  if (options.positive_label) require_label(*options.positive_label, texts, all);
  const double positive = options.positive_label ? *options.positive_label : positive_label(all);
  for (ParsedText& text : texts) {
    for (double& label : text.data.label) label = label == positive ? 1.0 : -1.0;
  }
}

void set_dimension(std::span<ParsedText> texts, std::optional<Index> given) {
  Index dim = given.value_or(0);
  for (const ParsedText& text : texts) dim = std::max(dim, text.data.dim);
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
  for (const auto& path : paths) texts.push_back(Parser(path.string(), options.dim).parse(read_input_file(path)));
  return finish(std::move(texts), options);
}

Dataset read_libsvm(const std::filesystem::path& path, const LibsvmOptions& options) {
  return std::move(read_libsvm_files(std::array{path}, options).front());
}

Dataset parse_libsvm(std::string_view text, std::string name, const LibsvmOptions& options) {
  check(options);
  std::vector<ParsedText> texts;
  texts.push_back(Parser(std::move(name), options.dim).parse(text));
  return std::move(finish(std::move(texts), options).front());
}

}  // namespace driftless
