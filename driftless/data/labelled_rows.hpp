// What dividing rows among clients needs to know of them: their labels, and a name and digest for messages and
// manifests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace driftless {

enum class Labels {
  binary,  // -1 and +1
  real     // any finite number
};

struct LabelledRows {
  std::string name;    // for messages: a path, or the name of a generator or of a set of images
  std::string digest;  // sha256 of the plain files, or of the generated rows
  std::vector<double> label;

  std::size_t rows() const { return label.size(); }
};

inline std::vector<std::int32_t> all_rows(const LabelledRows& data) {
  std::vector<std::int32_t> rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

}  // namespace driftless
