#include "driftless/core/printable.hpp"

#include <cstdint>

namespace driftless {
namespace {

struct Character {
  std::size_t bytes = 1;
  char32_t code = 0;
  bool valid = false;
};

// The first character of a text that is not empty. Overlong forms, surrogates and numbers beyond Unicode are not valid.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(text[at]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {.bytes = 1, .code = lead, .valid = true};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  char32_t code = lead & (0x7f >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(k) & 0x3f);
  }
  const char32_t least = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80;
  if (code < least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {};
  return {.bytes = length, .code = code, .valid = true};
}

bool is_shown(char32_t code) {
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool separator = code == 0x2028 || code == 0x2029 || code == 0xfeff;
  const bool direction = code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
                         (code >= 0x2066 && code <= 0x2069);
  return !control && !separator && !direction;
}

void append_escaped(std::string& out, std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<std::uint8_t>(c);
    out += "\\x";
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
  std::string out;
  while (!text.empty()) {
    const Character c = first_character(text);
    std::string shown;
    if (c.valid && is_shown(c.code)) shown = text.substr(0, c.bytes);
    else append_escaped(shown, text.substr(0, c.bytes));
    if (out.size() + shown.size() > most) return out + "...";
    out += shown;
    text.remove_prefix(c.bytes);
  }
  return out;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Character c = first_character(text);
    if (!c.valid) return false;
    text.remove_prefix(c.bytes);
  }
  return true;
}

}  // namespace driftless
