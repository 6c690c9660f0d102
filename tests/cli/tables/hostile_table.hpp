// The table that the cases of hostile tables change, and its schema.
#pragma once

#include <functional>
#include <string>

namespace driftless {

// x, c, y of a table whose labels x explains, but not fully.
struct TableRow {
  std::string x;
  std::string c;
  std::string y;
};
using Change = std::function<void(TableRow& row, int k)>;

inline std::string table(int first, int rows, const Change& change = {}) {
  std::string text = "x,c,y\n";
  for (int k = first; k < first + rows; ++k) {
    const int x = k * 37 % 41 - 20;
    TableRow row{std::to_string(x), std::string(1, "abc"[k % 3]), k * 53 % 40 < 20 + x ? "yes" : "no"};
    if (change) change(row, k);
    text += row.x + "," + row.c + "," + row.y + "\n";
  }
  return text;
}

inline const std::string schema_of_numbers = "[[column]]\nname = \"x\"\nrole = \"numeric\"\n";
inline const std::string schema_of_classes = "[[column]]\nname = \"c\"\nrole = \"categorical\"\n";
inline const std::string schema_of_label = "[[column]]\nname = \"y\"\nrole = \"label\"\n";
inline const std::string usual_schema = schema_of_numbers + schema_of_classes + schema_of_label;

inline std::string schema_with(const std::string& role) {
  return usual_schema + "[[column]]\nname = \"w\"\nrole = \"" + role + "\"\n";
}

// A fourth column w.
inline std::string table_with(int first, const std::function<std::string(int k)>& w, const Change& change = {}) {
  const std::string text = table(first, 20, change);
  std::string wider;
  int k = first - 1;
  for (std::size_t at = 0; at < text.size(); ++k) {
    const std::size_t end = text.find('\n', at);
    wider += text.substr(at, end - at) + "," + (k < first ? "w" : w(k)) + "\n";
    at = end + 1;
  }
  return wider;
}

}  // namespace driftless
