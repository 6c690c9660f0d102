// A whole LIBSVM text, cut into pieces of whole lines that several threads read. Pieces are joined in their order, so
// the result and the first error are those of one pass from start to end, whatever the pieces.
#pragma once

#include "driftless/data/dataset.hpp"
#include "driftless/data/libsvm/binary_labels.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace driftless {

struct ParsedText {
  Dataset data;  // labels as written
  LabelTable labels;
};

struct ReadingPlan {
  std::size_t piece_bytes = std::size_t{1} << 17;  // a piece, and what is read from it, stay in the second cache
  std::size_t threads = 0;                         // 0: one per core, but none for less than a MiB
};

// Errors name the text by `name`.
ParsedText parse_libsvm_text(std::string_view text, std::string name, std::optional<Index> dim,
                             const ReadingPlan& plan = {});

}  // namespace driftless
