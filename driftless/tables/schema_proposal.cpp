#include "driftless/tables/schema_proposal.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/printable.hpp"
#include "driftless/core/text.hpp"
#include "driftless/tables/column_facts.hpp"
#include "driftless/tables/schema_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace driftless {
namespace {

constexpr std::size_t longest_level = 100;
constexpr std::size_t most_levels = 100;
constexpr std::size_t few_codes = 10;
constexpr std::size_t rows_of_an_id = 10;  // fewer distinct values may be so by chance

struct RoleGuess {
  ColumnRole role;
  std::string reason;
};

std::string in_lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

bool called_id(const std::string& name) {
  const std::string lower = in_lower_case(name);
  return lower == "id" || lower.starts_with("id_") || lower.ends_with("_id") || lower.ends_with(" id") ||
         lower == "rownames" || name.ends_with("ID") || name.ends_with("Id");
}

bool counts_rows(const ColumnFacts& facts) {
  return facts.present > 0 && facts.high - facts.low + 1.0 == static_cast<double>(facts.present);
}

RoleGuess guess_of_numbers(const ColumnFacts& facts) {
  const bool distinct = facts.whole && !facts.repeated && facts.missing == 0 && facts.present >= rows_of_an_id;
  if (distinct && (called_id(facts.name) || counts_rows(facts)))
    return {ColumnRole::id, "whole numbers, each once: they name the rows"};
  if (facts.texts.size() == 2) return {ColumnRole::numeric, "two numbers; as a numeric column they are one variable"};
  if (facts.whole && facts.texts.size() <= few_codes)
    return {ColumnRole::numeric, "few whole numbers: make the column categorical if they are codes, or ordinal"};
  return {ColumnRole::numeric, "all cells are numbers"};
}

RoleGuess guess_of_texts(const ColumnFacts& facts) {
  if (facts.longest > longest_level) return {ColumnRole::ignored, "long texts"};
  if (!facts.repeated && facts.present >= rows_of_an_id)
    return {ColumnRole::id, "texts, each once: they name the rows"};
  if (facts.comma_numbers)
    return {ColumnRole::ignored, "numbers with decimal commas: set decimal_comma = true and make the column numeric"};
  if (!facts.all_texts || facts.texts.size() > most_levels)
    return {ColumnRole::ignored, "too many distinct texts for levels; rare ones are merged if it is made categorical"};
  return {ColumnRole::categorical, "texts that occur again"};
}

RoleGuess guess_role(const ColumnFacts& facts) {
  if (facts.present == 0) return {ColumnRole::ignored, "no cell has a value"};
  if (facts.texts.size() == 1) return {ColumnRole::ignored, "all values are equal"};
  return facts.numbers ? guess_of_numbers(facts) : guess_of_texts(facts);
}

RoleGuess guess_of_label(const ColumnFacts& facts, bool given) {
  const std::string how = given ? "chosen as the label; " : "taken for the label by its name or position; ";
  if (facts.texts.size() < 2) return {ColumnRole::label, how + "all its values are equal, so nothing can be fitted"};
  if (!facts.numbers) return {ColumnRole::label, how + "texts are classes: give their levels, the reference first"};
  if (facts.texts.size() == 2) return {ColumnRole::label, how + "two numbers: two classes"};
  return {ColumnRole::label, how + "a number"};
}

std::string find_label(const TableFacts& facts, const std::string& given) {
  std::vector<std::string> names;
  for (const ColumnFacts& column : facts.columns) names.push_back(column.name);
  if (given.empty()) {
    for (const std::string_view usual : {"label", "y", "target", "outcome"})
      for (const std::string& name : names)
        if (in_lower_case(name) == usual) return name;
    return names.back();
  }
  if (std::ranges::find(names, given) != names.end()) return given;
  const std::string near = nearest(given, names);
  constexpr std::size_t most = 400;
  throw ConfigError({.what = "no file has the column that was chosen as the label",
                     .seen = "--label " + printable(given),
                     .advice = (near.empty() ? "" : "did you mean '" + printable(near) + "'? ") +
                               "columns: " + printable(join(names), most)});
}

// Two digits, rounded towards −∞.
double rounded_down(double value) {
  if (value == 0.0 || !std::isfinite(value)) return value;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 1.0);
  const double rounded = std::floor(value / unit) * unit;
  return std::isfinite(rounded) ? rounded : value;
}

ProposedColumn proposed(const ColumnFacts& facts, const RoleGuess& guess, bool levels) {
  ProposedColumn out{.column = {.name = facts.name, .role = guess.role},
                     .reason = guess.reason,
                     .missing = facts.missing,
                     .distinct = facts.texts.size(),
                     .all_distinct = !facts.repeated,
                     .counted = facts.all_texts,
                     .numbers = facts.numbers && facts.present > 0};
  if (out.numbers) {
    out.low = rounded_down(facts.low);
    out.high = -rounded_down(-facts.high);
  }
  const bool has_levels = guess.role == ColumnRole::categorical || (guess.role == ColumnRole::label && !facts.numbers);
  if (levels && has_levels && facts.all_texts) {
    out.column.levels.assign(facts.texts.begin(), facts.texts.end());
    std::ranges::sort(out.column.levels);
  }
  return out;
}

std::string comment_of(const ProposedColumn& column) {
  std::string text = "# " + column.reason + "; missing " + std::to_string(column.missing) + ", distinct " +
                     std::to_string(column.distinct) + (column.counted ? "" : " or more");
  if (column.numbers) text += ", within " + number(column.low, 3) + " to " + number(column.high, 3);
  return text + "\n";
}

}  // namespace

Schema SchemaProposal::schema() const {
  Schema schema{.columns = {}, .format = format};
  for (const ProposedColumn& column : columns) schema.columns.push_back(column.column);
  return schema;
}

SchemaProposal propose_schema(std::span<const std::filesystem::path> files, const ProposalOptions& options) {
  TableFacts facts;
  for (const std::filesystem::path& file : files) facts.add(file, options.format);
  const std::string label = find_label(facts, options.label);
  SchemaProposal proposal{.files = facts.files, .rows = facts.rows, .format = options.format, .columns = {}};
  for (const ColumnFacts& column : facts.columns) {
    RoleGuess guess = column.name == label ? guess_of_label(column, !options.label.empty()) : guess_role(column);
    if (column.files < facts.files)
      guess.reason +=
          "; only " + std::to_string(column.files) + " of " + std::to_string(facts.files) + " files have it";
    proposal.columns.push_back(proposed(column, guess, options.levels));
  }
  return proposal;
}

std::string proposal_text(const SchemaProposal& proposal, bool comments) {
  std::string text;
  if (comments)
    text = "# Proposed from " + std::to_string(proposal.rows) + " rows of " + std::to_string(proposal.files) +
           (proposal.files == 1 ? " file" : " files") + ": check every role.\n" +
           "# The comments tell counts and rounded ranges of these files; --quiet leaves them out.\n";
  text += format_text(proposal.format);
  for (const ProposedColumn& column : proposal.columns) {
    text += "\n";
    if (comments) text += comment_of(column);
    text += column_text(column.column);
  }
  return text;
}

}  // namespace driftless
