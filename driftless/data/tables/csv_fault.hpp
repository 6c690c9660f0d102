// What is wrong with CSV text, before the line of it is known.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace driftless {

struct CsvFault {
  std::string what;
  std::string token;  // empty: nothing is shown
  std::string advice;
  const char* at = nullptr;  // the location; the cell that was being read where this is null
  std::string column;        // empty: of no column in particular
};

// The beginning of a text that is too long for a message.
inline std::string csv_token(std::string_view text) { return std::string(text.substr(0, 200)); }

// DataError "file:line: column 'age': 'abc'".
[[noreturn]] void throw_csv_fault(const CsvFault& fault, const std::string& file, std::size_t line);

}  // namespace driftless
