#include "driftless/tables/schema_file.hpp"

#include "driftless/config/config_table.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/tables/coding.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace driftless {

template <>
struct EnumNames<ColumnRole> {
  static constexpr auto value = column_role_names;
};
template <>
struct EnumNames<MissingRule> {
  static constexpr auto value = missing_rule_names;
};

namespace {

struct FormatKeys {
  std::string delimiter;
  bool decimal_comma = false;
  std::vector<std::string> missing = CsvFormat{}.missing;

  static Fields fields() {
    using S = FormatKeys;
    return {field("delimiter", &S::delimiter, anything, "the character between cells; that of the header if not given"),
            field("decimal_comma", &S::decimal_comma, anything, "whether numbers have a comma for the point"),
            field("missing", &S::missing, anything, "texts of cells without a value")};
  }
};

struct ColumnKeys {
  std::string name;
  ColumnRole role = ColumnRole::ignored;
  std::vector<std::string> levels;
  MissingRule missing = MissingRule::impute;

  static Fields fields() {
    using S = ColumnKeys;
    return {field("name", &S::name, anything, "as in the header of the table"),
            field("role", &S::role, anything, "what the column is for"),
            field("levels", &S::levels, anything, "its texts in their order"),
            field("missing", &S::missing, anything, "what is done about rows without a value")};
  }
};

[[noreturn]] void reject(const ConfigTable& table, std::string_view key, const std::string& what,
                         const std::string& seen, const std::string& advice) {
  throw ConfigError({.what = what, .seen = location_of(table, key) + ": " + seen, .advice = advice});
}

CsvFormat format_of(const ConfigTable& table) {
  FormatKeys keys;
  read_table(table, keys);
  if (keys.delimiter.size() > 1 || keys.delimiter == "\"" || keys.delimiter == "\n" || keys.delimiter == "\r")
    reject(table, "delimiter", "'delimiter' is not one character that can divide cells",
           "delimiter = " + toml_string(keys.delimiter), R"(give ",", ";" or "\t", or leave it out)");
  if (keys.decimal_comma && keys.delimiter == ",")
    reject(table, "delimiter", "a comma cannot divide cells and be the decimal point", "decimal_comma = true",
           "set another delimiter");
  return {.delimiter = keys.delimiter, .decimal_comma = keys.decimal_comma, .missing = keys.missing};
}

bool takes_levels(ColumnRole role) {
  return role == ColumnRole::categorical || role == ColumnRole::ordinal || role == ColumnRole::label;
}

void check_levels(const SchemaColumn& column, const CsvFormat& format, const ConfigTable& table) {
  const std::string seen = "column '" + column.name + "'";
  if (!column.levels.empty() && !takes_levels(column.role))
    reject(table, "levels", "'levels' has no meaning for this role",
           seen + ": role = " + toml_string(column_role_names[static_cast<std::size_t>(column.role)]),
           "remove it, or make the column categorical");
  if (column.role == ColumnRole::ordinal && column.levels.size() < 2)
    reject(table, "role", "an ordinal column needs its levels in their order", seen,
           "add levels = [\"low\", \"high\"]");
  if (column.role != ColumnRole::ordinal && column.levels.size() == 1)
    reject(table, "levels", "a column with one level says nothing", seen, "give all levels, or leave 'levels' out");
  std::set<std::string> known;
  for (const std::string& level : column.levels) {
    const std::string level_seen = seen + ": level " + toml_string(level);
    if (!known.insert(level).second) reject(table, "levels", "a level occurs twice", level_seen, "remove one of them");
    if (std::ranges::find(format.missing, level) != format.missing.end())
      reject(table, "levels", "a level is a text of missing cells", level_seen, "change 'missing', or the level");
    if (level == CodedColumn::other)
      reject(table, "levels", "this level is the name of rare and unknown texts", level_seen, "give another name");
  }
}

SchemaColumn column_of(const ConfigTable& table, const CsvFormat& format) {
  ColumnKeys keys;
  read_table(table, keys);
  if (keys.name.empty()) reject(table, "name", "a column has no name", "[[column]]", "add name = \"...\"");
  if (table.find("role") == nullptr)
    reject(table, "name", "a column has no role", "column '" + keys.name + "'",
           "add role = " + join(std::vector<std::string>(column_role_names.begin(), column_role_names.end()), " | "));
  SchemaColumn column{.name = keys.name, .role = keys.role, .levels = keys.levels, .missing = keys.missing};
  check_levels(column, format, table);
  return column;
}

// At most one column has each of these roles.
constexpr std::array single_roles{ColumnRole::label, ColumnRole::weight, ColumnRole::offset};

void add_column(Schema& schema, SchemaColumn column, const ConfigTable& table) {
  if (schema.find(column.name) != nullptr)
    reject(table, "name", "two columns have the same name", "column '" + column.name + "'", "remove one of them");
  const bool single = std::ranges::find(single_roles, column.role) != single_roles.end();
  if (const SchemaColumn* first = single ? schema.of_role(column.role) : nullptr)
    reject(table, "role", "two columns have a role that one can have",
           "columns '" + first->name + "' and '" + column.name + "'",
           "set role = \"ignored\" for the one that is not used");
  schema.columns.push_back(std::move(column));
}

std::string list_text(const std::vector<std::string>& texts) { return to_text(OptionValue(texts)); }

}  // namespace

Schema parse_schema(std::string_view text, const std::string& name) {
  const ListDocument document = parse_list_document(text, name, "column");
  Schema schema;
  schema.format = format_of(document.top);
  for (const ConfigTable& table : document.tables) add_column(schema, column_of(table, schema.format), table);
  if (schema.of_role(ColumnRole::label) == nullptr)
    throw ConfigError({.what = "the schema has no label",
                       .seen = name,
                       .advice = "set role = \"label\" for the column that is to be explained"});
  if (std::ranges::none_of(schema.columns, &SchemaColumn::is_variable))
    throw ConfigError({.what = "the schema has no column that explains the label",
                       .seen = name,
                       .advice = "set role = \"numeric\", \"categorical\" or \"ordinal\" for at least one column"});
  return schema;
}

Schema read_schema(const std::filesystem::path& file) { return parse_schema(read_input_file(file), file.string()); }

std::string format_text(const CsvFormat& format) {
  const std::string delimiter = format.delimiter.empty() ? "" : "delimiter = " + toml_string(format.delimiter) + "\n";
  return delimiter + "decimal_comma = " + (format.decimal_comma ? "true" : "false") +
         "\nmissing = " + list_text(format.missing) + "\n";
}

std::string column_text(const SchemaColumn& column) {
  std::string text = "[[column]]\nname = " + toml_string(column.name) +
                     "\nrole = " + toml_string(column_role_names[static_cast<std::size_t>(column.role)]) + "\n";
  if (!column.levels.empty()) text += "levels = " + list_text(column.levels) + "\n";
  if (column.is_variable())
    text += "missing = " + toml_string(missing_rule_names[static_cast<std::size_t>(column.missing)]) + "\n";
  return text;
}

std::string schema_text(const Schema& schema) {
  std::string text = format_text(schema.format);
  for (const SchemaColumn& column : schema.columns) text += "\n" + column_text(column);
  return text;
}

std::string schema_digest(const Schema& schema) { return sha256(schema_text(schema)); }

}  // namespace driftless
