// LIBSVM text, with labels of both kinds. What is accepted has rows that fit together.
#include "driftless/data/libsvm/libsvm_reader.hpp"

#include "fuzz/input.hpp"

#include <algorithm>

namespace driftless::fuzz {
namespace {

void check(const Dataset& data) {
  require(data.row_start.size() == data.rows() + 1);
  require(std::ranges::is_sorted(data.row_start));
  require(static_cast<std::size_t>(data.row_start.back()) == data.column.size());
  require(data.value.size() == data.column.size());
  require(std::ranges::all_of(data.column, [&](std::int32_t column) { return column >= 0 && column < data.dim; }));
}

}  // namespace
}  // namespace driftless::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace driftless;
  for (const Labels labels : {Labels::binary, Labels::real})
    fuzz::may_throw<DataError>(
        [&] { fuzz::check(parse_libsvm(fuzz::text_of(data, size), "input", {.labels = labels})); });
  return 0;
}
