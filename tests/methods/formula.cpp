#include "tests/methods/formula.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <stdexcept>
#include <vector>

namespace driftless::test {
namespace {

// The pieces between commas that stand outside of parentheses.
std::vector<std::string_view> clauses(std::string_view text) {
  std::vector<std::string_view> found;
  int depth = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '(') ++depth;
    if (i < text.size() && text[i] == ')') --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    found.push_back(text.substr(first, i - first));
    first = i + 1;
  }
  return found;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

class Evaluator {
 public:
  Evaluator(std::string_view text, const SymbolValue& symbol) : rest_(text), symbol_(symbol) {}

  double whole() {
    const double value = expression();
    skip_spaces();
    if (!rest_.empty()) throw std::runtime_error("not understood: " + std::string(rest_));
    return value;
  }

 private:
  void skip_spaces() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  bool take(std::string_view token) {
    skip_spaces();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  void require(std::string_view token) {
    if (!take(token)) throw std::runtime_error("expected " + std::string(token) + " before: " + std::string(rest_));
  }

  double expression() {
    double sum = term();
    for (;;)
      if (take("+")) sum += term();
      else if (take("−")) sum -= term();
      else return sum;
  }

  double term() {
    double product = factor();
    for (;;)
      if (take("/")) product /= factor();
      else if (starts_factor()) product *= factor();
      else return product;
  }

  double factor() {
    const double value = primary();
    return take("²") ? value * value : value;
  }

  static bool starts_greek(std::string_view text) {  // U+0391 … U+03C9
    return text.size() >= 2 &&
           (static_cast<unsigned char>(text[0]) == 0xCE || static_cast<unsigned char>(text[0]) == 0xCF);
  }
  bool starts_factor() {
    skip_spaces();
    if (rest_.empty()) return false;
    const auto first = static_cast<unsigned char>(rest_.front());
    return std::isalnum(first) != 0 || first == '(' || starts_greek(rest_) || rest_.starts_with("√") ||
           rest_.starts_with("⌈");
  }

  double primary() {
    if (take("√")) return std::sqrt(factor());
    if (take("(")) return closed(expression(), ")");
    if (take("⌈")) return std::ceil(closed(expression(), "⌉"));
    skip_spaces();
    if (!rest_.empty() && std::isdigit(static_cast<unsigned char>(rest_.front())) != 0) return literal();
    const std::string name = identifier();
    if (name != "min" && name != "max") return symbol_(name);
    require("(");
    const double a = expression();
    require(",");
    const double b = closed(expression(), ")");
    if (std::isnan(a) || std::isnan(b)) return a + b;
    return name == "min" ? std::min(a, b) : std::max(a, b);
  }

  double closed(double value, std::string_view token) {
    require(token);
    return value;
  }

  double literal() {
    double value = 0.0;
    const auto end = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value).ptr;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  std::string identifier() {
    std::string name;
    for (;;) {
      const std::size_t length = starts_greek(rest_) ? 2 : 1;
      const bool fits =
          !rest_.empty() &&
          (length == 2 || std::isalnum(static_cast<unsigned char>(rest_.front())) != 0 || rest_.front() == '_');
      if (!fits) break;
      name += rest_.substr(0, length);
      rest_.remove_prefix(length);
    }
    if (name.empty()) throw std::runtime_error("expected a symbol before: " + std::string(rest_));
    return name;
  }

  std::string_view rest_;
  const SymbolValue& symbol_;
};

}  // namespace

double evaluate_formula(std::string_view formula, const SymbolValue& symbol) {
  const std::vector<std::string_view> parts = clauses(formula);
  std::map<std::string, std::string_view> defined;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find(" = ");
    if (equals != std::string_view::npos)
      defined.emplace(trimmed(parts[i].substr(0, equals)), trimmed(parts[i].substr(equals + 3)));
  }
  const SymbolValue with_definitions = [&](const std::string& name) {
    const auto own = defined.find(name);
    return own == defined.end() ? symbol(name) : Evaluator(own->second, with_definitions).whole();
  };
  return Evaluator(trimmed(parts.front()), with_definitions).whole();
}

}  // namespace driftless::test
