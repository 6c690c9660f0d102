#include "driftless/data/libsvm/colon_finder.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace driftless {
namespace {

constexpr std::ptrdiff_t width = 64;

#ifdef __SSE2__
constexpr std::ptrdiff_t part = 16;

// One bit for each of sixteen characters.
std::uint64_t colons_in_part(const char* at) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(':'))));
}
#else
constexpr std::ptrdiff_t part = 8;

// One bit for each of eight characters: the product moves the lowest bit of every byte to the top.
std::uint64_t colons_in_part(const char* at) {
  constexpr std::uint64_t low_bits = 0x7F7F7F7F7F7F7F7FU;
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  word ^= 0x3A3A3A3A3A3A3A3AU;
  const std::uint64_t colons = ~(((word & low_bits) + low_bits) | word | low_bits) >> 7;
  return colons * 0x0102040810204080U >> 56;
}
#endif

std::uint64_t colons_in_block(const char* at) {
  std::uint64_t marks = 0;
  for (std::ptrdiff_t k = 0; k < width; k += part) marks |= colons_in_part(at + k) << static_cast<unsigned>(k);
  return marks;
}

std::uint64_t colons_in_last_block(const char* at, const char* end) {
  std::array<char, width> padded{};
  std::copy(at, end, padded.begin());
  return colons_in_block(padded.data());
}

}  // namespace

ColonFinder::ColonFinder(std::string_view text) : looked_(text.data()), end_(text.data() + text.size()) {
  found_.front() = nullptr;
}

void ColonFinder::forget_before(const char* at) {
  do {
    while (*begin_ != nullptr && *begin_ < at) ++begin_;
  } while (*begin_ == nullptr && look_on());
}

bool ColonFinder::look_on() {
  const char** found = found_.data();
  begin_ = found;
  while (found == begin_ && looked_ != end_) {
    const char* const stop = looked_ + std::min(stretch, end_ - looked_);
    while (looked_ != stop) {
      const std::ptrdiff_t size = std::min(width, end_ - looked_);
      std::uint64_t marks = size == width ? colons_in_block(looked_) : colons_in_last_block(looked_, end_);
      const char** const last = found + std::popcount(marks);
      // A few at once: their number is not easily guessed by the processor, and those behind the last do no harm.
      for (; marks != 0; found += group) {
        for (std::ptrdiff_t k = 0; k < group; ++k) {
          constexpr std::uint64_t sentinel = std::uint64_t{1} << 63;
          found[k] = looked_ + std::countr_zero(marks | sentinel);
          marks &= marks - 1;
        }
      }
      found = last;
      looked_ += size;
    }
  }
  *found = nullptr;
  return found != begin_;
}

}  // namespace driftless
