#include "driftless/data/libsvm/row_cache.hpp"

#include "driftless/core/error.hpp"
#include "driftless/files/mapped_file.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/files/sealed_bytes.hpp"

#include <algorithm>
#include <limits>

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view file_mark = "driftless rows 1\n";
constexpr std::size_t digest_size = 64;
constexpr Index most_short_columns = std::numeric_limits<std::uint16_t>::max();

bool have_one_value(const std::vector<double>& values) {
  return !values.empty() && std::ranges::adjacent_find(values, std::ranges::not_equal_to{}) == values.end();
}

std::string packed_rows(const ParsedText& rows) {
  const Dataset& data = rows.data;
  std::string bytes = data.digest;
  for (const std::uint64_t count : {std::uint64_t(data.dim), std::uint64_t(data.rows()), std::uint64_t(data.nonzeros()),
                                    std::uint64_t(data.explicit_zeros), std::uint64_t(rows.labels.entries().size()),
                                    std::uint64_t(rows.labels.complete()), std::uint64_t(have_one_value(data.value))})
    append_number(bytes, count);
  for (const LabelTable::Entry& entry : rows.labels.entries()) {
    append_number(bytes, entry.value);
    append_number(bytes, std::uint64_t(entry.line));
  }
  append_numbers<double>(bytes, data.label);
  append_numbers<std::int64_t>(bytes, data.row_start);
  if (data.dim <= most_short_columns)
    append_numbers<std::uint16_t>(bytes, std::vector<std::uint16_t>(data.column.begin(), data.column.end()));
  else append_numbers<std::int32_t>(bytes, data.column);
  append_numbers(bytes, std::span(data.value).first(have_one_value(data.value) ? 1 : data.value.size()));
  return bytes;
}

std::optional<ParsedText> unpacked_rows(std::string_view bytes, const std::string& name) {
  ByteReader in(bytes);
  ParsedText rows;
  Dataset& data = rows.data;
  data.name = name;
  data.digest = in.text(digest_size);
  data.dim = in.number<Index>();
  const auto count = in.number<std::uint64_t>();
  const auto entries = in.number<std::uint64_t>();
  data.explicit_zeros = in.number<std::uint64_t>();
  const auto labels = in.number<std::uint64_t>();
  const bool complete = in.number<std::uint64_t>() != 0;
  const bool one_value = in.number<std::uint64_t>() != 0;
  for (std::uint64_t k = 0; k < std::min<std::uint64_t>(labels, LabelTable::capacity); ++k) {
    const auto label = in.number<double>();
    rows.labels.add(label, name, in.number<std::uint64_t>());
  }
  if (!complete) rows.labels.leave_incomplete();
  data.label = in.numbers<double>(count);
  data.row_start = in.numbers<std::int64_t>(count + 1);
  if (data.dim <= most_short_columns) {
    const auto columns = in.numbers<std::uint16_t>(entries);
    data.column.assign(columns.begin(), columns.end());
  } else {
    data.column = in.numbers<std::int32_t>(entries);
  }
  if (one_value) data.value.assign(data.column.size(), in.number<double>());
  else data.value = in.numbers<double>(entries);
  return in.used_up() ? std::optional(std::move(rows)) : std::nullopt;
}

}  // namespace

fs::path RowCache::file(const std::string& packed_digest) const {
  constexpr std::size_t digits = 32;
  return folder_ / (packed_digest.substr(0, digits) + ".bin");
}

std::optional<ParsedText> RowCache::read(const std::string& packed_digest, const std::string& name) const {
  const fs::path path = file(packed_digest);
  std::error_code error;
  if (!fs::exists(path, error)) return std::nullopt;
  const MappedFile mapped(path);
  const UnsealedBytes opened = unseal(mapped.bytes(), file_mark, packed_digest);
  std::optional<ParsedText> rows;
  if (opened.fault.empty()) rows = unpacked_rows(opened.content, name);
  if (!rows)
    warn_("cached rows are not used and the file is read again: " + path.string() + ": " +
          (opened.fault.empty() ? "its parts do not fit each other" : opened.fault));
  return rows;
}

void RowCache::write(const std::string& packed_digest, const ParsedText& rows) const {
  const fs::path path = file(packed_digest);
  try {
    fs::create_directories(folder_);
    write_output_file(path, sealed(file_mark, packed_digest, packed_rows(rows)));
  } catch (const std::exception& error) {
    warn_("rows could not be kept for later runs: " + path.string() + ": " + error.what());
  }
}

}  // namespace driftless
