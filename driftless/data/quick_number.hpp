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

template <class Word>
constexpr Word every_byte(unsigned byte) {
  return static_cast<Word>(~Word{0} / 0xFFU * byte);
}

// As many characters as fit into a word, a digit as its value, and everything else as more than 9.
template <class Word>
Word digit_values(const char* at) {
  Word word = 0;
  std::memcpy(&word, at, sizeof word);
  return word ^ every_byte<Word>('0');
}

// Marks every byte above 9. A carry can only add marks behind another one.
template <class Word>
Word marked_others(Word values) {
  return ((values + every_byte<Word>(0x80 - 10)) | values) & every_byte<Word>(0x80);
}

// The number that four or eight values from 0 to 9 make: neighbours are joined, then pairs, then fours.
inline std::uint32_t joined_digits(std::uint32_t values) {
  values = (values * (1 + (10U << 8)) >> 8) & 0x00FF00FFU;
  return values * (1 + (100U << 16)) >> 16;
}
inline std::uint64_t joined_digits(std::uint64_t values) {
  values = (values * (1 + (std::uint64_t{10} << 8)) >> 8) & 0x00FF00FF00FF00FFU;
  values = (values * (1 + (std::uint64_t{100} << 16)) >> 16) & 0x0000FFFF0000FFFFU;
  return values * (1 + (std::uint64_t{10000} << 32)) >> 32;
}

// The number that the last `count` characters before `end` make; 0 if they are not all digits.
template <class Word>
std::uint64_t last_digits(const char* end, std::size_t count) {
  const Word values = digit_values<Word>(end - sizeof(Word)) & ~Word{0} << 8 * (sizeof(Word) - count);
  return marked_others(values) == 0 ? joined_digits(values) : 0;
}

}  // namespace detail

// The digits with which a text begins. Eight characters must be readable.
inline DigitRun leading_digits(const char* at) {
  const std::uint64_t values = detail::digit_values<std::uint64_t>(at);
  const auto count = static_cast<unsigned>(std::countr_zero(detail::marked_others(values))) / 8;
  if (count == 0) return {};
  return {detail::joined_digits(values << (64 - 8 * count)), count};
}

// The whole number written from `at` to `end`, by one to eight digits; 0 if it is not. Eight characters before the end
// must be readable.
inline std::uint64_t short_whole_number(const char* at, const char* end) {
  const auto count = static_cast<std::size_t>(end - at);
  if (count - 1 < 4) return detail::last_digits<std::uint32_t>(end, count);
  return count - 1 < 8 ? detail::last_digits<std::uint64_t>(end, count) : 0;
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

  const char* append_one(const char* at) {
    const auto digit = static_cast<unsigned>(*at - '0');
    if (digit > 9) return at;
    value = digit;
    digits = 1;
    return at + 1;
  }
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
// next character. `point` separates the fraction.
inline const char* read_quick_number(const char* at, double& out, char point = '.') {
  const auto negative = static_cast<std::uint64_t>(*at == '-');
  at += negative | static_cast<std::uint64_t>(*at == '+');
  detail::Significand significand;
  at = at[1] == point ? significand.append_one(at) : significand.append(at);
  std::int64_t exponent = 0;
  if (*at == point) {
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
  out = std::bit_cast<double>(std::bit_cast<std::uint64_t>(size) ^ negative << 63);  // signs are not easily guessed
  return at;
}

// The same for the numbers that labels mostly are: one digit, with or without a sign, and a blank.
inline const char* read_one_digit(const char* at, double& out) {
  const bool negative = *at == '-';
  at += static_cast<int>(negative) | static_cast<int>(*at == '+');
  const int digit = *at - '0';
  out = std::array{1.0, -1.0}[static_cast<std::size_t>(negative)] * digit;
  return digit >= 0 && digit <= 9 && at[1] == ' ' ? at + 1 : nullptr;
}

}  // namespace driftless
