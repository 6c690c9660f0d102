#include "driftless/console/text_table.hpp"

#include <algorithm>

namespace driftless {
namespace {

// Without the marks of code and emphasis, and with the text of a link only. A single '*' stands for itself, as in f*.
std::string unmarked(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const std::size_t middle = text.find("](");
    const std::size_t end = middle == std::string_view::npos ? middle : text.find(')', middle);
    if (text.front() == '`') {
      text.remove_prefix(1);
    } else if (text.starts_with("**")) {
      text.remove_prefix(2);
    } else if (text.front() == '[' && end != std::string_view::npos && text.find('[', 1) > middle) {
      plain += unmarked(text.substr(1, middle - 1));
      text.remove_prefix(end + 1);
    } else {
      plain += text.front();
      text.remove_prefix(1);
    }
  }
  return plain;
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

// The cells of "| a | b |".
std::vector<std::string> cells_of(std::string_view row) {
  std::vector<std::string> cells;
  row.remove_prefix(1);
  for (std::size_t end = row.find('|'); end != std::string_view::npos; end = row.find('|')) {
    cells.push_back(unmarked(trimmed(row.substr(0, end))));
    row.remove_prefix(end + 1);
  }
  return cells;
}

// "|---|---:|": the columns without a colon at the end are aligned to the left.
bool is_rule(std::string_view row) { return row.find_first_not_of("|-: ") == std::string_view::npos; }

class MarkdownReader {
 public:
  explicit MarkdownReader(std::size_t width) : width_(width) {}

  void line(std::string_view line) {
    if (line.starts_with('|')) return table_line(line);
    end_table();
    const bool list = line.starts_with("* ") || line.starts_with("- ");
    if (line.empty() || line.starts_with('#') || list) end_paragraph();
    if (line.empty()) {
      if (!text_.empty() && !text_.ends_with("\n\n")) text_ += "\n";
    } else if (line.starts_with('#')) {
      text_ += unmarked(trimmed(line.substr(line.find_first_not_of('#')))) + "\n";
    } else {
      paragraph_ += (paragraph_.empty() ? "" : " ") + std::string(line);
    }
  }

  std::string end() {
    end_table();
    end_paragraph();
    return std::move(text_);
  }

 private:
  void table_line(std::string_view line) {
    end_paragraph();
    if (!is_rule(line)) return table_.push_back(cells_of(line));
    std::size_t column = 0;
    line.remove_prefix(1);
    for (std::size_t end = line.find('|'); end != std::string_view::npos; end = line.find('|'), ++column) {
      if (!trimmed(line.substr(0, end)).ends_with(':')) left_.push_back(column);
      line.remove_prefix(end + 1);
    }
  }

  void end_table() {
    if (!table_.empty()) text_ += aligned(table_, left_, width_);
    table_.clear();
    left_.clear();
  }

  void end_paragraph() {
    if (!paragraph_.empty())
      for (const std::string& piece : wrapped(unmarked(paragraph_), width_)) text_ += piece + "\n";
    paragraph_.clear();
  }

  std::size_t width_;
  std::string text_;
  std::string paragraph_;
  TextLines table_;
  std::vector<std::size_t> left_;
};

}  // namespace

std::string markdown_as_text(std::string_view markdown, std::size_t width) {
  MarkdownReader reader(width);
  while (!markdown.empty()) {
    const std::size_t end = std::min(markdown.find('\n'), markdown.size());
    reader.line(markdown.substr(0, end));
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
  }
  return reader.end();
}

}  // namespace driftless
