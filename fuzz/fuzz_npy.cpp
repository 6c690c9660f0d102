// A vector in a NumPy file.
#include "driftless/files/npy.hpp"

#include "fuzz/input.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace driftless;
  fuzz::may_throw<DataError>([&] {
    const Vector v = parse_npy(fuzz::text_of(data, size), "input.npy");
    fuzz::require(v.allFinite());
  });
  return 0;
}
