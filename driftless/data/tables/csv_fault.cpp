#include "driftless/data/tables/csv_fault.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/printable.hpp"

namespace driftless {

void throw_csv_fault(const CsvFault& fault, const std::string& file, std::size_t line) {
  constexpr std::size_t longest = 60;
  std::string seen = file + ":" + std::to_string(line);
  if (!fault.column.empty()) seen += ": column '" + printable(fault.column, longest) + "'";
  if (!fault.token.empty()) seen += ": '" + printable(fault.token, longest) + "'";
  throw DataError({.what = fault.what, .seen = std::move(seen), .advice = fault.advice});
}

}  // namespace driftless
