#include "driftless/federation/shared_facts.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/error.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace driftless {
namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

// Which of these flags are set at any peer.
std::vector<bool> set_at_any(const std::vector<bool>& mine, Transport& transport) {
  std::vector<double> integers(mine.size());
  for (std::size_t k = 0; k < mine.size(); ++k) integers[k] = std::bit_cast<double>(std::uint64_t{mine[k]});
  std::vector<double> total(mine.size());
  transport.add_integers(integers, total, Integers::flags);
  std::vector<bool> any(mine.size());
  for (std::size_t k = 0; k < mine.size(); ++k) any[k] = std::bit_cast<std::uint64_t>(total[k]) != 0;
  return any;
}

// A number below a bound is one digit where this needs few flags, otherwise as many as it has bytes.
constexpr std::uint64_t most_flags_each = 256;

std::uint64_t bytes_of(std::uint64_t value) { return (static_cast<std::uint64_t>(std::bit_width(value)) + 7) / 8; }

// A flag says that the digit of a number is at least so large; only numbers that agree with the maximum in all digits
// before have flags. So the flags that any peer sets tell the next digit of the maximum, and nothing else.
std::vector<std::uint64_t> maximum_of_digits(std::span<const std::uint64_t> mine, std::uint64_t base, std::size_t count,
                                             Transport& transport) {
  const std::size_t flags_each = base - 1;
  std::vector<std::uint64_t> found(mine.size(), 0);
  std::vector<bool> leads(mine.size(), true);
  std::uint64_t power = 1;
  for (std::size_t d = 1; d < count; ++d) power *= base;
  for (std::size_t d = 0; d < count; ++d, power /= base) {
    std::vector<bool> flags(mine.size() * flags_each);
    const auto digit_of = [&](std::size_t k) { return mine[k] / power % base; };
    for (std::size_t k = 0; k < mine.size(); ++k)
      if (leads[k]) std::fill_n(flags.begin() + static_cast<std::ptrdiff_t>(k * flags_each), digit_of(k), true);
    const std::vector<bool> any = set_at_any(flags, transport);
    for (std::size_t k = 0; k < mine.size(); ++k) {
      std::uint64_t digit = flags_each;
      while (digit > 0 && !any[k * flags_each + digit - 1]) --digit;
      found[k] += digit * power;
      leads[k] = leads[k] && digit_of(k) == digit;
    }
  }
  return found;
}

}  // namespace

std::vector<std::uint64_t> shared_maximum(std::span<const std::uint64_t> mine, std::uint64_t bound,
                                          Transport& transport) {
  if (bound <= most_flags_each) return maximum_of_digits(mine, bound, 1, transport);
  std::vector<std::uint64_t> bytes;
  for (const std::uint64_t value : mine) bytes.push_back(bytes_of(value));
  const std::vector<std::uint64_t> needed = maximum_of_digits(bytes, bytes_of(bound - 1) + 1, 1, transport);
  const std::uint64_t digits = needed.empty() ? 0 : std::ranges::max(needed);
  return maximum_of_digits(mine, most_flags_each, digits, transport);
}

std::vector<std::uint64_t> shared_sum(std::span<const std::uint64_t> mine, Transport& transport) {
  std::vector<double> integers, total(mine.size());
  for (const std::uint64_t value : mine) integers.push_back(std::bit_cast<double>(value));
  transport.add_integers(integers, total);
  std::vector<std::uint64_t> sums;
  for (const double value : total) sums.push_back(std::bit_cast<std::uint64_t>(value));
  return sums;
}

namespace {

// act(block, its first entry, its width)
template <class Act>
void for_each_block(const Blocks& blocks, const Act& act) {
  std::size_t first = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    act(b, first, blocks[b]);
    first += blocks[b];
  }
}

}  // namespace

void sum_by_integers(std::span<const std::span<const double>> mine, const Blocks& blocks, std::span<double> total,
                     Transport& transport) {
  std::vector<ScaleLevel> largest(blocks.size(), zero_level);
  for (const std::span<const double> row : mine)
    for_each_block(blocks, [&](std::size_t b, std::size_t first, std::size_t width) {
      largest[b] = std::max(largest[b], level_of(row.subspan(first, width)));
    });
  const std::vector<ScaleLevel> scales = shared_maximum(largest, scale_levels, transport);
  const FixedPoint fixed(transport.layout().clients);
  std::vector<double> integers(total.size(), 0.0);
  for (const std::span<const double> row : mine)
    for_each_block(blocks, [&](std::size_t b, std::size_t first, std::size_t width) {
      fixed.add(row.subspan(first, width), scales[b], std::span(integers).subspan(first, width));
    });
  transport.add_integers(integers, total);
  for_each_block(blocks, [&](std::size_t b, std::size_t first, std::size_t width) {
    fixed.decode(total.subspan(first, width), scales[b]);
  });
}

std::uint64_t ordered_key(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value == 0.0 ? 0.0 : value);
  return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}

double number_of_key(std::uint64_t key) {
  return std::bit_cast<double>((key & sign_bit) != 0 ? key & ~sign_bit : ~key);
}

std::vector<double> shared_largest(std::span<const double> mine, Transport& transport) {
  std::vector<std::uint64_t> keys;
  for (const double value : mine) keys.push_back(ordered_key(value));
  std::vector<double> largest;
  for (const std::uint64_t key : shared_maximum(keys, std::numeric_limits<std::uint64_t>::max(), transport))
    // Only peers without clients, which give zeros, leave a key that is no number.
    largest.push_back(key < ordered_key(-std::numeric_limits<double>::infinity())
                          ? -std::numeric_limits<double>::infinity()
                          : number_of_key(key));
  return largest;
}

namespace {

// A text of the union that is known up to here, and may continue.
struct Beginning {
  std::size_t list = 0;
  std::string text;
};

bool has_beginning(const std::set<std::string>& texts, const std::string& beginning) {
  const auto at = texts.lower_bound(beginning);
  return at != texts.end() && at->starts_with(beginning);
}

}  // namespace

std::vector<std::set<std::string>> shared_union(const std::vector<std::set<std::string>>& mine, Transport& transport) {
  constexpr std::size_t characters = 256;  // 0: the text ends here
  constexpr std::size_t longest_text = 1024;
  std::vector<std::set<std::string>> found(mine.size());
  std::vector<Beginning> open;
  for (std::size_t list = 0; list < mine.size(); ++list) open.push_back({.list = list, .text = {}});
  // Whether there is any text at all is the first question of each list.
  for (std::size_t length = 0; !open.empty(); ++length) {
    if (length > longest_text)
      throw TransportError({.what = "a peer has a text that is longer than any level of a column",
                            .seen = "more than " + std::to_string(longest_text) + " characters",
                            .advice = "give the levels of the column in the schema, or leave it out"});
    std::vector<bool> flags(open.size() * characters);
    for (std::size_t k = 0; k < open.size(); ++k)
      for (std::size_t c = 0; c < characters; ++c) {
        const std::set<std::string>& texts = mine[open[k].list];
        flags[k * characters + c] =
            c == 0 ? texts.contains(open[k].text) : has_beginning(texts, open[k].text + static_cast<char>(c));
      }
    const std::vector<bool> any = set_at_any(flags, transport);
    std::vector<Beginning> longer;
    for (std::size_t k = 0; k < open.size(); ++k)
      for (std::size_t c = 0; c < characters; ++c) {
        if (!any[k * characters + c]) continue;
        if (c == 0) found[open[k].list].insert(open[k].text);
        else longer.push_back({.list = open[k].list, .text = open[k].text + static_cast<char>(c)});
      }
    open = std::move(longer);
  }
  return found;
}

}  // namespace driftless
