#include "driftless/data/tables/csv_number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace driftless {
namespace {

CsvNumberEnd read_with_point(std::string_view text, double& out) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out);
  if (error == std::errc::invalid_argument || stop != end) return CsvNumberEnd::not_a_number;
  if (error == std::errc::result_out_of_range) return CsvNumberEnd::out_of_range;
  return std::isfinite(out) ? CsvNumberEnd::finite : CsvNumberEnd::infinite;
}

}  // namespace

CsvNumberEnd read_csv_number(std::string_view text, char point, double& out) {
  if (point == '.') return read_with_point(text, out);
  // A point would separate thousands here.
  if (text.find('.') != std::string_view::npos) return CsvNumberEnd::not_a_number;
  std::string with_point(text);
  std::ranges::replace(with_point, point, '.');
  return read_with_point(with_point, out);
}

}  // namespace driftless
