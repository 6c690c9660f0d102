// Numbers as files mostly write them: eight characters at a time, without a branch per digit, and with the bits that
// std::from_chars gives. What is written in another way is left to it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace driftless {

static_assert(std::endian::native == std::endian::little, "the first character is taken to be the lowest byte");

struct DigitRun {
  std::uint64_t value = 0;  // 0 without digits
  unsigned count = 0;       // at most eight: more may follow
};

namespace detail {

// Eight characters, a digit as its value, and everything else as more than 9.
inline std::uint64_t digit_values(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word ^ 0x3030303030303030U;
}

// Marks every byte above 9. A carry can only add marks behind another one.
inline std::uint64_t marked_others(std::uint64_t values) {
  return ((values + 0x7676767676767676U) | values) & 0x8080808080808080U;
}

// All but the first so many bytes of a word.
inline constexpr std::array<std::uint64_t, 8> last_bytes = [] {
  std::array<std::uint64_t, 8> masks{};
  for (unsigned first = 0; first < 8; ++first) masks[first] = ~std::uint64_t{0} << (8 * first);
  return masks;
}();

// The number that eight values from 0 to 9 make.
inline std::uint64_t joined_digits(std::uint64_t values) {
  values = (values * (1 + (std::uint64_t{10} << 8)) >> 8) & 0x00FF00FF00FF00FFU;
  values = (values * (1 + (std::uint64_t{100} << 16)) >> 16) & 0x0000FFFF0000FFFFU;
  return values * (1 + (std::uint64_t{10000} << 32)) >> 32;
}

}  // namespace detail

// The digits with which a text begins. Eight characters must be readable.
inline DigitRun leading_digits(const char* at) {
  const std::uint64_t values = detail::digit_values(at);
  const auto count = static_cast<unsigned>(std::countr_zero(detail::marked_others(values))) / 8;
  if (count == 0) return {};
  return {detail::joined_digits(values << (64 - 8 * count)), count};
}

// The whole number written from `at` to `end`, by one to eight digits; 0 if it is not. Eight characters before the end
// must be readable.
inline std::uint64_t short_whole_number(const char* at, const char* end) {
  const auto before = static_cast<std::size_t>(8 - (end - at));  // characters in front of the number
  if (before >= 8) return 0;
  const std::uint64_t values = detail::digit_values(end - 8) & detail::last_bytes[before];
  return detail::marked_others(values) == 0 ? detail::joined_digits(values) : 0;
}

namespace detail {

inline constexpr std::array<std::uint64_t, 9> whole_powers{1,       10,        100,        1'000,      10'000,
                                                           100'000, 1'000'000, 10'000'000, 100'000'000};

// All of these, and all whole numbers up to 2^53, are doubles, so one product or quotient of them is rounded once.
inline constexpr std::array<double, 23> exact_powers{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline constexpr std::uint64_t exact_whole = std::uint64_t{1} << 53;

struct Significand {
  std::uint64_t value = 0;
  unsigned digits = 0;

  const char* append(const char* at) {
    const DigitRun run = leading_digits(at);
    value = value * whole_powers[run.count] + run.value;
    digits += run.count;
    return at + run.count;
  }
};

}  // namespace detail

// So many characters must be readable where a quick number begins: sign, 8 digits, point, 16 digits, e, sign, 8 digits.
inline constexpr std::ptrdiff_t quick_number_reach = 40;

// The end of the number at `at`, or none if it is not of the quick kind. More of it may follow: the caller looks at the
// next character.
inline const char* read_quick_number(const char* at, double& out) {
  const bool negative = *at == '-';
  at += static_cast<int>(negative || *at == '+');
  detail::Significand significand;
  at = significand.append(at);
  std::int64_t exponent = 0;
  if (*at == '.') {
    const char* fraction = at + 1;
    at = significand.append(fraction);
    if (at == fraction + 8) at = significand.append(at);
    exponent = fraction - at;
  }
  if (significand.digits - 1U >= 19U || significand.value > detail::exact_whole) return nullptr;
  if (*at == 'e' || *at == 'E') {
    const bool down = *++at == '-';
    at += static_cast<int>(down || *at == '+');
    const DigitRun power = leading_digits(at);
    if (power.count == 0) return nullptr;
    at += power.count;
    exponent += down ? -static_cast<std::int64_t>(power.value) : static_cast<std::int64_t>(power.value);
  }
  constexpr auto most = static_cast<std::int64_t>(detail::exact_powers.size()) - 1;
  if (exponent < -most || exponent > most) return nullptr;
  const auto whole = static_cast<double>(static_cast<std::int64_t>(significand.value));
  const double size = exponent < 0 ? whole / detail::exact_powers[static_cast<std::size_t>(-exponent)]
                                   : whole * detail::exact_powers[static_cast<std::size_t>(exponent)];
  out = negative ? -size : size;
  return at;
}

}  // namespace driftless
