#include "driftless/data/libsvm/colon_finder.hpp"

#include "driftless/data/byte_marks.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace driftless {
namespace {

constexpr std::ptrdiff_t width = byte_mark_width;

std::uint64_t colons_in_last_block(const char* at, const char* end) {
  std::array<char, width> padded{};
  std::copy(at, end, padded.begin());
  return byte_marks(padded.data(), ':');
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
      std::uint64_t marks = size == width ? byte_marks(looked_, ':') : colons_in_last_block(looked_, end_);
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
