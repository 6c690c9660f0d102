// One line of LIBSVM text, token by token: every allowed spelling, and what to say of all others.
#include "driftless/data/libsvm/libsvm_rows.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace driftless {
namespace {

constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The whole token must be the number. A leading '+' is allowed, which std::from_chars does not know.
template <class T>
std::errc read_number(std::string_view token, T& out) {
  if (token.size() > 1 && token[0] == '+' && token[1] != '-') token.remove_prefix(1);
  const char* end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data(), end, out);
  return error == std::errc{} && stop != end ? std::errc::invalid_argument : error;
}

double number_of(std::string_view token, std::string_view number_text, const std::string& kind) {
  double result = 0.0;
  const std::errc error = read_number(number_text, result);
  if (error == std::errc::result_out_of_range)
    throw MalformedToken{"a " + kind + " is outside the range of double precision", token, "rescale the data"};
  if (error != std::errc{})
    throw MalformedToken{"a " + kind + " is not a number", token, "write a number such as 1, -0.5 or 2e-3"};
  if (!std::isfinite(result)) throw MalformedToken{"a " + kind + " is not finite", token, "remove or repair the row"};
  return result;
}

std::int64_t index_of(std::string_view token, std::string_view index_text) {
  std::int64_t index = 0;
  const std::errc error = read_number(index_text, index);
  if (error == std::errc::result_out_of_range || index > largest_libsvm_index)
    throw MalformedToken{"a feature index is too large", token,
                         "indices go up to " + std::to_string(largest_libsvm_index)};
  if (error != std::errc{})
    throw MalformedToken{"a feature index is not a whole number", token,
                         "write features as index:value, for example 3:0.5"};
  if (index == 0)
    throw MalformedToken{"a feature has index 0", token, "indices start at 1: add 1 to every index of the file"};
  if (index < 0) throw MalformedToken{"a feature index is negative", token, "indices start at 1"};
  return index;
}

void check_order(std::int64_t index, std::int64_t before, std::int64_t largest, std::string_view token) {
  if (index == before)
    throw MalformedToken{"a feature index is repeated in its row", token, "keep one value per index"};
  if (index < before)
    throw MalformedToken{"the feature indices of a row do not rise (the one before is " + std::to_string(before) + ")",
                         token, "sort the features of each row by index"};
  if (index > largest)
    throw MalformedToken{"a feature index is larger than the given dimension " + std::to_string(largest), token,
                         "raise the dimension or check the file"};
}

// Returns its index.
std::int64_t read_feature(std::string_view token, std::int64_t before, std::int64_t largest, LibsvmRows& rows) {
  const std::size_t colon = token.find(':');
  if (colon == std::string_view::npos)
    throw MalformedToken{"a feature is not written as index:value", token,
                         "put a colon between index and value, for example 3:0.5"};
  const std::int64_t index = index_of(token, token.substr(0, colon));
  check_order(index, before, largest, token);
  const double value = number_of(token, token.substr(colon + 1), "feature value");
  if (value == 0.0) ++rows.explicit_zeros;
  else rows.add_entry(index, value);
  return index;
}

}  // namespace

void read_libsvm_line(std::string_view line, std::int64_t largest_index, LibsvmRows& rows) {
  line = line.substr(0, line.find('#'));
  double label = 0.0;
  std::int64_t last_index = 0;
  bool in_row = false;
  for (auto at = line.begin(); (at = std::find_if_not(at, line.end(), is_blank)) != line.end();) {
    const auto end = std::find_if(at, line.end(), is_blank);
    const std::string_view token(at, end);
    if (in_row) last_index = read_feature(token, last_index, largest_index, rows);
    else label = number_of(token, token, "label");
    in_row = true;
    at = end;
  }
  if (in_row) rows.end_row(label, last_index);
}

}  // namespace driftless
