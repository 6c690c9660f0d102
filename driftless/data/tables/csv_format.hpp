// How the cells of CSV text are written.
#pragma once

#include <string>
#include <vector>

namespace driftless {

struct CsvFormat {
  std::string delimiter;  // one character; empty: the one of comma, semicolon and tab that the header has most
  bool decimal_comma = false;
  std::vector<std::string> missing = {"", "NA", "NaN", "nan", "NULL", "null", "?"};  // cells without a value
};

}  // namespace driftless
