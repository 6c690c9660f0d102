// Which of 64 bytes are a given character, without a branch for each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace driftless {

inline constexpr std::ptrdiff_t byte_mark_width = 64;

#ifdef __SSE2__
inline constexpr std::ptrdiff_t byte_mark_step = 16;

// One bit for each of sixteen bytes.
inline std::uint64_t byte_marks_of_step(const char* at, char wanted) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(wanted))));
}
#else
inline constexpr std::ptrdiff_t byte_mark_step = 8;

// One bit for each of eight bytes: the product moves the lowest bit of every byte to the top.
inline std::uint64_t byte_marks_of_step(const char* at, char wanted) {
  constexpr std::uint64_t low_bits = 0x7F7F7F7F7F7F7F7FU;
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  word ^= 0x0101010101010101U * static_cast<unsigned char>(wanted);
  const std::uint64_t marks = ~(((word & low_bits) + low_bits) | word | low_bits) >> 7;
  return marks * 0x0102040810204080U >> 56;
}
#endif

// One bit for each of 64 bytes, the lowest for the first.
inline std::uint64_t byte_marks(const char* at, char wanted) {
  std::uint64_t marks = 0;
  for (std::ptrdiff_t k = 0; k < byte_mark_width; k += byte_mark_step)
    marks |= byte_marks_of_step(at + k, wanted) << static_cast<unsigned>(k);
  return marks;
}

}  // namespace driftless
