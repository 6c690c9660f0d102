#include "driftless/data/libsvm/libsvm_rows.hpp"

#include "driftless/data/libsvm/colon_finder.hpp"
#include "driftless/data/quick_number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace driftless {
namespace {

constexpr std::size_t shortest_entry = 4;  // a blank, index, colon, value
constexpr std::ptrdiff_t index_reach = 8;  // so many characters before a colon are looked at

bool ends_token(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || c == '#'; }

// Reads lines as they are mostly written, and rejects every other one.
class QuickReader {
 public:
  QuickReader(std::string_view piece, std::string_view text, std::int64_t largest_index, LibsvmRows& rows)
      : start_(text.data()),
        end_(start_ + text.size()),
        largest_(largest_index),
        rows_(rows),
        colons_({piece.data(), static_cast<std::size_t>(std::max(end_ - piece.data() - quick_number_reach, none))}) {}

  // Behind the line end, or none where another reader has to look at this line.
  const char* row(const char* at);
  void continue_at(const char* at) { colons_.forget_before(at); }  // behind a line that another reader has read

 private:
  // A number and where it ends; nowhere if it is none, or a blank does not follow.
  struct Number {
    double value;
    const char* end;
  };
  Number label_at(const char* at) const;
  Number number(const char* at) const;
  Number exact_number(const char* at) const;
  const char* entries(const char* at);

  static constexpr std::ptrdiff_t none = 0;

  const char* start_;
  const char* end_;
  std::int64_t largest_;
  LibsvmRows& rows_;
  ColonFinder colons_;           // with room for a quick number behind each
  std::int64_t last_index_ = 0;  // of the row that was read, and how many entries there are then
  std::size_t filled_ = 0;
  std::size_t zeros_ = 0;
};

QuickReader::Number QuickReader::exact_number(const char* at) const {
  double value = 0.0;
  const auto [stop, error] = std::from_chars(at, end_, value);
  const bool usable = error == std::errc{} && stop != end_ && ends_token(*stop) && std::isfinite(value);
  return {value, usable ? stop : nullptr};
}

inline QuickReader::Number QuickReader::number(const char* at) const {
  double value = 0.0;
  const char* stop = read_quick_number(at, value);
  return stop != nullptr && ends_token(*stop) ? Number{value, stop} : exact_number(at);
}

inline QuickReader::Number QuickReader::label_at(const char* at) const {
  double value = 0.0;
  const char* stop = read_one_digit(at, value);
  return stop != nullptr ? Number{value, stop} : number(at);
}

const char* QuickReader::entries(const char* at) {
  std::int32_t* const column = rows_.column.data();
  double* const value = rows_.value.data();
  std::size_t filled = rows_.entries;
  std::size_t zeros = 0;
  std::uint64_t last_index = 0;
  for (ColonFinder::Position colon = colons_.begin();;) {
    const std::uint64_t index = short_whole_number(at, *colon);
    if (index > last_index) {
      last_index = index;
      column[filled] = static_cast<std::int32_t>(index - 1);
      at = *colon++ + 1;
      if (std::memcmp(at, "1 ", 2) == 0) {
        value[filled++] = 1.0;
        at += 2;
        continue;
      }
      const Number entry = number(at);
      if (entry.end == nullptr) return nullptr;
      value[filled] = entry.value;
      filled += static_cast<std::size_t>(entry.value != 0.0);
      zeros += static_cast<std::size_t>(entry.value == 0.0);
      at = entry.end + static_cast<int>(*entry.end == ' ');
    } else if (at == end_) {
      return nullptr;
    } else if (*at == '\n') {
      colons_.forget_before(colon);
      filled_ = filled;
      zeros_ = zeros;
      last_index_ = static_cast<std::int64_t>(last_index);
      return at + 1;
    } else if (*at != '#' && ends_token(*at)) {
      ++at;
    } else if (*colon == nullptr && colons_.look_on()) {
      colon = colons_.begin();
    } else {
      return nullptr;
    }
  }
}

const char* QuickReader::row(const char* at) {
  // Indices are looked at backwards from their colon, which the first characters of a text leave no room for.
  if (end_ - at < quick_number_reach || at - start_ < index_reach) return nullptr;
  const Number label = label_at(at);
  if (label.end == nullptr) return nullptr;
  const char* next = entries(label.end + static_cast<int>(*label.end == ' '));
  if (next == nullptr || last_index_ > largest_) return nullptr;
  rows_.entries = filled_;
  rows_.explicit_zeros += zeros_;
  rows_.end_row(label.value, last_index_);
  return next;
}

}  // namespace

void LibsvmRows::clear(std::size_t bytes) {
  const std::size_t most = bytes / shortest_entry + 1;
  row.clear();
  column.resize(std::max(column.size(), most));
  value.resize(column.size());
  entries = explicit_zeros = lines = 0;
  largest_index = 0;
}

void read_libsvm_rows(std::string_view piece, std::string_view text, std::int64_t largest_index, LibsvmRows& rows) {
  rows.clear(piece.size());
  QuickReader quick(piece, text, largest_index, rows);
  const char* const end = piece.data() + piece.size();
  for (const char* at = piece.data(); at != end;) {
    ++rows.lines;
    const char* next = quick.row(at);
    if (next == nullptr) {
      const std::string_view rest(at, end);
      const std::string_view line = rest.substr(0, rest.find('\n'));
      read_libsvm_line(line, largest_index, rows);
      next = at + std::min(line.size() + 1, rest.size());
      quick.continue_at(next);
    }
    at = next;
  }
}

}  // namespace driftless
