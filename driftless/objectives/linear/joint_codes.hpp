// Data whose columns come from categories (one-hot): of a group of columns every row has at most one. The columns of a
// few groups that a row has are one code, and far fewer codes occur than there are combinations, so a row is a few
// codes instead of many columns:  A = C E,  C rows by codes, E codes by columns, all entries one. Products with A, of
// whatever side, are products with E and C, which have fewer entries.
#pragma once

#include "driftless/kernels/sliced_ell.hpp"

#include <optional>

namespace driftless {

struct JointCodes {
  ListsOfPlaces codes_of_row;     // C
  ListsOfPlaces columns_of_code;  // E

  std::size_t entries() const { return codes_of_row.entries() + columns_of_code.entries(); }
};

// None where the columns do not fall into such groups; nor, unless `always`, where codes have hardly fewer entries.
// Values are ignored.
std::optional<JointCodes> find_joint_codes(const ListsOfPlaces& columns_of_row, bool always = false);

}  // namespace driftless
