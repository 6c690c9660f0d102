#include "driftless/data/rows_digest.hpp"

#include "driftless/files/digest.hpp"

namespace driftless {

std::string digest_of_rows(const Dataset& data) {
  Sha256 digest;
  digest.add_word(static_cast<std::uint64_t>(data.dim)).add_word(data.rows()).add_word(data.nonzeros());
  for (const std::int64_t start : data.row_start) digest.add_word(static_cast<std::uint64_t>(start));
  for (const std::int32_t column : data.column) digest.add_word(static_cast<std::uint64_t>(column));
  for (const double value : data.value) digest.add_number(value);
  for (const double label : data.label) digest.add_number(label);
  return digest.hex();
}

}  // namespace driftless
