#include "apps/help_text.hpp"

#include <sstream>

namespace driftless::app {
namespace {

constexpr std::size_t width = 100;
constexpr std::size_t column = 26;  // where descriptions begin

// The words in lines of at most `width` characters; those after the first begin at `column`.
std::string wrapped(const std::string& text) {
  std::string lines;
  std::size_t used = column;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (used > column && used + 1 + word.size() > width) {
      lines += "\n" + std::string(column, ' ');
      used = column;
    } else if (used > column) {
      lines += ' ';
      ++used;
    }
    lines += word;
    used += word.size();
  }
  return lines;
}

class HelpFormatter final : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text;
    const bool named = option->nonpositional();  // a positional argument is described by its name
    if (option->get_type_size() != 0 && named) text += " " + value_text(*option);
    if (option->get_expected_max() == CLI::detail::expected_max_vector_size) text += " ...";
    return text;
  }

  std::string make_option_desc(const CLI::Option* option) const override { return description_text(*option); }

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    std::string head = "  " + make_option_name(option, is_positional) + make_option_opts(option);
    if (head.size() + 1 < column) head.resize(column, ' ');
    else head += "\n" + std::string(column, ' ');
    return head + wrapped(make_option_desc(option)) + "\n";
  }
};

}  // namespace

// CLI11 puts types and ranges into one text: "UINT:INT in [0 - 1024]".
std::string value_text(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::string first = type.substr(0, type.find(':'));
  if (const std::size_t choices = type.find('{'); choices != std::string::npos) {
    std::string text = type.substr(choices + 1, type.find('}') - choices - 1);
    for (char& c : text) c = c == ',' ? '|' : c;
    return text;
  }
  if (first == "UINT" || first == "INT") return "N";
  if (first == "FLOAT") return "NUMBER";
  if (first == "TEXT") return "TEXT";
  return first;
}

std::string description_text(const CLI::Option& option) {
  std::string text = option.get_description();
  if (!option.get_default_str().empty()) text += " (default " + option.get_default_str() + ")";
  if (option.get_required() && option.nonpositional()) text += " (required)";
  for (const CLI::Option* other : option.get_excludes()) text += " (not with " + other->get_name() + ")";
  return text;
}

std::shared_ptr<CLI::Formatter> help_formatter() {
  auto formatter = std::make_shared<HelpFormatter>();
  formatter->column_width(column);
  return formatter;
}

}  // namespace driftless::app
