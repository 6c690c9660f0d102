// Schemas as TOML: keys on how cells are written, then [[column]] with the name and role of each column.
#pragma once

#include "driftless/data/tables/schema.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace driftless {

// ConfigError with file and line where the text is not a schema.
Schema read_schema(const std::filesystem::path& file);
Schema parse_schema(std::string_view text, const std::string& name);

// Without comments and with every key; reading it gives an equal schema.
std::string schema_text(const Schema& schema);
// Its parts: the keys before the columns, and one [[column]].
std::string format_text(const CsvFormat& format);
std::string column_text(const SchemaColumn& column);
// sha256 of that text: equal for schemas that mean the same.
std::string schema_digest(const Schema& schema);

}  // namespace driftless
