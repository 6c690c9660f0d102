#include "driftless/data/tables/csv_chunks.hpp"

#include "driftless/data/byte_marks.hpp"
#include "driftless/data/tables/on_threads.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

namespace driftless {
namespace {

// Bit k of the result is the parity of the bits 0 … k.
std::uint64_t parities(std::uint64_t marks) {
  for (unsigned shift = 1; shift < 64; shift *= 2) marks ^= marks << shift;
  return marks;
}

void add_block(const char* at, LineBreaks& count) {
  const std::uint64_t breaks = byte_marks(at, '\n');
  const std::uint64_t quotes = byte_marks(at, '"');
  const std::uint64_t inside = parities(quotes) ^ (count.ends_inside ? ~std::uint64_t{0} : 0);
  count.outside += static_cast<std::size_t>(std::popcount(breaks & ~inside));
  count.inside += static_cast<std::size_t>(std::popcount(breaks & inside));
  count.ends_inside = inside >> 63 != 0;
}

}  // namespace

LineBreaks count_line_breaks(std::string_view text) {
  constexpr auto width = static_cast<std::size_t>(byte_mark_width);
  LineBreaks count;
  std::size_t done = 0;
  for (; done + width <= text.size(); done += width) add_block(text.data() + done, count);
  std::array<char, width> padded{};
  std::memcpy(padded.data(), text.data() + done, text.size() - done);
  add_block(padded.data(), count);
  return count;
}

const char* next_row(const char* at, const char* end, bool inside_quotes) {
  for (; at != end; ++at) {
    if (*at == '"') inside_quotes = !inside_quotes;
    if (*at == '\n' && !inside_quotes) return at + 1;
  }
  return nullptr;
}

std::vector<CsvChunk> divide_csv(std::string_view rows, std::size_t chunk_bytes, std::size_t threads) {
  std::vector<CsvChunk> chunks(rows.size() / chunk_bytes + 1);
  std::vector<LineBreaks> breaks(chunks.size());
  for_each_on_threads(threads, chunks.size(), [&](std::size_t k) {
    chunks[k].text = rows.substr(k * chunk_bytes, chunk_bytes);
    breaks[k] = count_line_breaks(chunks[k].text);
    chunks[k].zero_byte = static_cast<const char*>(std::memchr(chunks[k].text.data(), '\0', chunks[k].text.size()));
  });
  bool inside = false;
  std::size_t row = 0;
  std::size_t line = 0;
  for (std::size_t k = 0; k < chunks.size(); ++k) {
    const std::size_t ends = inside ? breaks[k].inside : breaks[k].outside;
    chunks[k].inside_quotes = inside;
    chunks[k].first_row = row;
    chunks[k].rows = ends + (k == 0 ? 1 : 0);
    chunks[k].lines_before = line;
    row += chunks[k].rows;
    line += breaks[k].all();
    inside ^= breaks[k].ends_inside;
  }
  return chunks;
}

}  // namespace driftless
