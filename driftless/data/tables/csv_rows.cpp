#include "driftless/data/tables/csv_rows.hpp"

#include "driftless/data/quick_number.hpp"
#include "driftless/data/tables/csv_number.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>

namespace driftless {
namespace {

// Marks the lowest byte of the word that is zero, and perhaps some above it.
std::uint64_t zero_bytes(std::uint64_t word) { return (word - 0x0101010101010101U) & ~word & 0x8080808080808080U; }

std::uint64_t same_bytes(std::uint64_t word, char c) {
  return zero_bytes(word ^ 0x0101010101010101U * static_cast<unsigned char>(c));
}

}  // namespace

CsvRowReader::CsvRowReader(const CsvLayout& layout, std::string_view rows, std::span<TableColumn> columns,
                           std::span<TextDictionary> dictionaries)
    : layout_(layout),
      end_(rows.data() + rows.size()),
      quick_end_(end_ - std::min<std::ptrdiff_t>(quick_number_reach + 1, end_ - rows.data())),
      delimiter_(layout.delimiter),
      point_(layout.point) {
  for (const CsvLayout::Column& column : layout.columns) {
    Slot slot{.use = column.use};
    if (column.use == CsvUse::number) slot.number = columns[column.target].number.data();
    if (column.use == CsvUse::text) {
      slot.code = columns[column.target].code.data();
      slot.dictionary = &dictionaries[column.target];
    }
    slots_.push_back(slot);
  }
}

inline bool CsvRowReader::ends_cell(const char* at) const {
  return *at == delimiter_ || *at == '\n' || (*at == '\r' && at[1] == '\n');
}

// The first delimiter, line end or quote, or a character from which on no whole word is left.
inline const char* CsvRowReader::cell_end(const char* at) const {
  for (; at < quick_end_; at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    const std::uint64_t marks =
        same_bytes(word, delimiter_) | same_bytes(word, '\n') | same_bytes(word, '\r') | same_bytes(word, '"');
    if (marks != 0) return at + std::countr_zero(marks) / 8;
  }
  return at;
}

// Reads a number that is written as most are; null where another reader has to look at it.
inline const char* CsvRowReader::quick_number(const char* at, double& out) const {
  const char* stop = read_quick_number(at, out, point_);
  if (stop != nullptr && ends_cell(stop)) return stop;
  const bool number = static_cast<unsigned>(at[static_cast<int>(*at == '-')] - '0') < 10;
  if (!number || point_ != '.') return nullptr;
  const auto [behind, error] = std::from_chars(at, end_, out);
  return error == std::errc{} && behind < quick_end_ && ends_cell(behind) ? behind : nullptr;
}

// The same for a cell; null where another reader has to look at it.
inline const char* CsvRowReader::quick_cell(const Slot& slot, const char* at, std::size_t index) const {
  if (at >= quick_end_) return nullptr;
  if (slot.use == CsvUse::number) {
    double value = 0.0;
    const char* const stop = quick_number(at, value);
    if (stop == nullptr) return nullptr;
    const bool missing = !layout_.missing_numbers.empty() && std::ranges::count(layout_.missing_numbers, value) != 0;
    slot.number[index] = missing ? std::numeric_limits<double>::quiet_NaN() : value;
    return stop;
  }
  const char* const stop = cell_end(at);
  if (stop >= quick_end_ || !ends_cell(stop)) return nullptr;
  const std::string_view text(at, stop);
  if (slot.use == CsvUse::text) {
    const bool blanks = !text.empty() && (text.front() <= ' ' || text.back() <= ' ');
    slot.code[index] = slot.dictionary->code(blanks ? without_blanks(text, delimiter_) : text, true);
  } else {
    check_cell_size(text);
  }
  return stop;
}

const char* CsvRowReader::cell(std::size_t column, const char* at, std::size_t index) {
  const Slot& slot = slots_[column];
  try {
    if (const char* stop = quick_cell(slot, at, index)) return stop;
    const CsvCell cell = read_csv_cell(at, end_, delimiter_, room_);
    careful_cell(slot, cell, index);
    return cell.end;
  } catch (CsvFault& fault) {
    fault.at = at;
    fault.column = layout_.columns[column].name;
    throw;
  }
}

void CsvRowReader::careful_cell(const Slot& slot, const CsvCell& cell, std::size_t index) {
  if (slot.use == CsvUse::number) slot.number[index] = careful_number(cell.text);
  if (slot.use == CsvUse::text) slot.code[index] = slot.dictionary->code(cell.text, cell.text.data() != room_.data());
}

double CsvRowReader::careful_number(std::string_view text) const {
  constexpr double missing = std::numeric_limits<double>::quiet_NaN();
  double value = 0.0;
  if (std::ranges::find(layout_.missing, text) != layout_.missing.end()) return missing;
  switch (read_csv_number(text, point_, value)) {
    case CsvNumberEnd::finite: break;
    case CsvNumberEnd::infinite:
      throw CsvFault{.what = "a number is not finite",
                     .token = csv_token(text),
                     .advice = "correct the cell, or let the schema list this text as missing"};
    case CsvNumberEnd::out_of_range:
      throw CsvFault{.what = "a number is outside the range of double precision",
                     .token = csv_token(text),
                     .advice = "rescale the column"};
    case CsvNumberEnd::not_a_number:
      const std::string_view hint = point_ == ',' ? "1, -0,5 or 2e-3 (decimals have a comma here)"
                                    : text.find(',') == std::string_view::npos
                                        ? "1, -0.5 or 2e-3"
                                        : "1, -0.5 or 2e-3, or set decimal_comma = true";
      throw CsvFault{.what = "a cell of a numeric column is not a number",
                     .token = text.empty() ? "(empty)" : csv_token(text),
                     .advice = "write " + std::string(hint) +
                               ", let the schema list this text as missing, or give the column another role"};
  }
  return std::ranges::count(layout_.missing_numbers, value) != 0 ? missing : value;
}

const char* CsvRowReader::read(const char* at, std::size_t index) {
  const char* const row = at;
  const std::size_t last = slots_.size() - 1;
  for (std::size_t column = 0; column < last; ++column) {
    at = cell(column, at, index);
    if (at == end_ || *at != delimiter_) fail_ragged(row);
    ++at;
  }
  return behind_row(row, cell(last, at, index));
}

const char* CsvRowReader::behind_row(const char* row, const char* at) {
  if (at == end_) return at;
  if (*at == delimiter_) fail_ragged(row);
  return at + (*at == '\r' ? 2 : 1);
}

const char* CsvRowReader::behind_cell(const char* at, const char* row) {
  try {
    return read_csv_cell(at, end_, delimiter_, room_).end;
  } catch (CsvFault& fault) {
    fault.at = row;
    throw;
  }
}

void CsvRowReader::fail_ragged(const char* row) {
  std::size_t cells = 0;
  const char* at = row - 1;
  do {
    at = behind_cell(at + 1, row);
    ++cells;
  } while (at != end_ && *at == delimiter_);
  const std::string_view line(row, at);
  const std::string header = "the header has " + std::to_string(slots_.size());
  if (line.empty())
    throw CsvFault{.what = "a line is blank, but " + header + " columns",
                   .token = {},
                   .advice = "remove the line; only lines at the end may be blank",
                   .at = row};
  throw CsvFault{.what = "a row has " + std::to_string(cells) + (cells == 1 ? " cell, but " : " cells, but ") + header,
                 .token = csv_token(line),
                 .advice = "give every row as many cells as the header has; put cells with delimiters in quotes",
                 .at = row};
}

}  // namespace driftless
