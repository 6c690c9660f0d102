#include "driftless/console/terminal.hpp"

#include "driftless/console/text_table.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace driftless {
namespace {

constexpr std::string_view to_start_and_erase = "\r\033[K";
constexpr std::string_view bold_red = "\033[1;31m";
constexpr std::string_view bold_yellow = "\033[1;33m";
constexpr std::string_view plain = "\033[0m";
constexpr std::string_view ellipsis = "…";

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool starts_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

}  // namespace

bool has_terminal() {
  const char* kind = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && (kind == nullptr || std::string_view(kind) != "dumb");
}

bool has_colour() { return has_terminal() && !is_set("NO_COLOR"); }

std::size_t terminal_width() {
  constexpr std::size_t usual = 80;
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
}

std::size_t output_width() {
  winsize size{};
  const bool known = ::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return known ? size.ws_col : unlimited_width;
}

std::string fitted(std::string_view text, std::size_t columns) {
  const auto characters = static_cast<std::size_t>(std::ranges::count_if(text, starts_character));
  if (characters <= columns) return std::string(text);
  if (columns == 0) return {};
  std::size_t kept = 0;
  std::size_t end = 0;
  for (; end < text.size(); ++end)
    if (starts_character(text[end]) && ++kept == columns) break;
  return std::string(text.substr(0, end)) + std::string(ellipsis);
}

// A line as wide as the terminal would wrap on some of them.
void show_line(std::string_view text) {
  fmt::print(stderr, "{}{}", to_start_and_erase, fitted(text, terminal_width() - 1));
  std::fflush(stderr);
}

void clear_line() {
  fmt::print(stderr, "{}", to_start_and_erase);
  std::fflush(stderr);
}

std::string coloured_head(std::string text) {
  if (!has_colour()) return text;
  for (const auto& [head, colour] : {std::pair(std::string_view("error:"), bold_red), {"warning:", bold_yellow}})
    if (text.starts_with(head))
      return std::string(colour) + std::string(head) + std::string(plain) + text.substr(head.size());
  return text;
}

}  // namespace driftless
