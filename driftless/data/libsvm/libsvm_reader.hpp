// The LIBSVM text format: one row per line, `label index:value ...`, indices from 1 and rising inside a row.
// Blank lines and comments (# to the end of the line) are skipped; any blanks separate; CRLF line ends are fine.
// Entries written with the value 0 are counted but not stored: rows stay sparse, f is the same, and their index still
// counts for the dimension.
#pragma once

#include "driftless/data/dataset.hpp"
#include "driftless/data/libsvm/row_cache.hpp"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

struct LibsvmOptions {
  std::optional<Index> dim;              // number of columns; without it the largest index met
  Labels labels = Labels::binary;        // binary: -1 and +1, see binary_labels.hpp; real: the numbers as they are
  std::optional<double> positive_label;  // binary only: this label becomes +1, every other one -1
  bool positive_label_occurs = true;     // DataError where it does not
  std::optional<RowCache> cache;         // of packed files
};

// Packed files are read directly; see input_file.hpp. The digest is that of the plain text.
Dataset read_libsvm(const std::filesystem::path& path, const LibsvmOptions& options = {});

// One file per client. They share one meaning of their labels, which no single file can tell, and one dimension:
// DataError where it is not given and the files have different numbers of columns.
std::vector<Dataset> read_libsvm_files(std::span<const std::filesystem::path> paths, const LibsvmOptions& options = {});

Dataset parse_libsvm(std::string_view text, std::string name, const LibsvmOptions& options = {});

}  // namespace driftless
