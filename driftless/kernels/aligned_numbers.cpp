#include "driftless/kernels/aligned_numbers.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace driftless {
namespace {

constexpr std::size_t cache_line = 64;
constexpr std::size_t large_page = std::size_t{1} << 21;

double* allocate(std::size_t size) {
  const std::size_t bytes = std::max(size, std::size_t{1}) * sizeof(double);
  const std::size_t alignment = bytes >= large_page ? large_page : cache_line;
  void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
#ifdef __linux__
  // Only pages that are used as a whole, so that no memory is lost. It is a wish: a refusal costs nothing but time.
  if (bytes >= large_page) static_cast<void>(::madvise(memory, bytes / large_page * large_page, MADV_HUGEPAGE));
#endif
  return static_cast<double*>(memory);
}

}  // namespace

AlignedNumbers::AlignedNumbers(std::size_t size) : numbers_(allocate(size)), size_(size) {
  std::fill_n(data(), size, 0.0);
}

void AlignedNumbers::Release::operator()(double* numbers) const { std::free(numbers); }

}  // namespace driftless
