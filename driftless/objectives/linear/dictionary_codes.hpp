// Dictionary codes of one-hot columns: data whose columns encode categories, so that a row has at most one column of
// each group. A code stands for a combination of columns of a few groups. Far fewer combinations occur than are
// possible, so a row is a few codes instead of many columns:
//   A = C E,  C rows by codes, E codes by columns, all entries one.
// Products with A and A' become products with C and E, which have fewer entries.
#pragma once

#include "driftless/kernels/sliced_ell.hpp"

#include <optional>

namespace driftless {

struct DictionaryCodes {
  CsrMatrix codes_of_row;     // C
  CsrMatrix columns_of_code;  // E

  std::size_t entries() const { return codes_of_row.entries() + columns_of_code.entries(); }
};

// None where the columns do not form such groups, or, unless `always`, where C and E have hardly fewer entries than A.
// Values are ignored.
std::optional<DictionaryCodes> find_dictionary_codes(const CsrMatrix& columns_of_row, bool always = false);

}  // namespace driftless
