#include "driftless/core/options.hpp"

namespace driftless {
namespace {

std::string control_escape(char c) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  const auto code = static_cast<unsigned char>(c);
  return std::string("\\u00") + digits[code >> 4] + digits[code & 15];
}

}  // namespace

std::string toml_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') (quoted += '\\') += c;
    else if (c == '\n') quoted += "\\n";
    else if (c == '\t') quoted += "\\t";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) quoted += control_escape(c);
    else quoted += c;
  }
  return quoted + '"';
}

std::string to_text(const OptionValue& value) {
  struct Writer {
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(std::int64_t v) const { return std::to_string(v); }
    std::string operator()(double v) const { return number(v); }
    std::string operator()(const std::string& v) const { return toml_string(v); }
    std::string operator()(const std::vector<std::string>& v) const {
      std::vector<std::string> quoted;
      for (const std::string& text : v) quoted.push_back(toml_string(text));
      return "[" + join(quoted) + "]";
    }
    std::string operator()(const std::vector<double>& v) const {
      std::vector<std::string> numbers;
      for (const double each : v) numbers.push_back(number(each));
      return "[" + join(numbers) + "]";
    }
  };
  return std::visit(Writer{}, value);
}

std::string Range::text() const {
  constexpr double huge = std::numeric_limits<double>::max();
  const bool from = low > -huge;
  const bool to = high < huge;
  if (from && to) {
    const std::string bounds = low_open ? "above " + number(low) : "from " + number(low);
    return bounds + (high_open ? " and below " : " and at most ") + number(high);
  }
  if (from) return (low_open ? "> " : ">= ") + number(low);
  if (to) return (high_open ? "< " : "<= ") + number(high);
  return "";
}

bool OptionType<bool>::read(const OptionValue& value, bool& out) {
  const auto* v = std::get_if<bool>(&value);
  if (v != nullptr) out = *v;
  return v != nullptr;
}

bool OptionType<double>::read(const OptionValue& value, double& out) {
  if (const auto* v = std::get_if<double>(&value)) out = *v;
  else if (const auto* i = std::get_if<std::int64_t>(&value)) out = static_cast<double>(*i);
  else return false;
  return std::isfinite(out);
}

bool OptionType<std::size_t>::read(const OptionValue& value, std::size_t& out) {
  const auto* v = std::get_if<std::int64_t>(&value);
  if (v == nullptr || *v < 0) return false;
  out = static_cast<std::size_t>(*v);
  return true;
}

bool OptionType<std::string>::read(const OptionValue& value, std::string& out) {
  const auto* v = std::get_if<std::string>(&value);
  if (v != nullptr) out = *v;
  return v != nullptr && !v->empty();
}

bool OptionType<std::vector<std::string>>::read(const OptionValue& value, std::vector<std::string>& out) {
  const auto* v = std::get_if<std::vector<std::string>>(&value);
  if (v != nullptr) out = *v;
  return v != nullptr;
}

bool OptionType<std::vector<double>>::read(const OptionValue& value, std::vector<double>& out) {
  const auto* v = std::get_if<std::vector<double>>(&value);
  if (v != nullptr) out = *v;
  return v != nullptr;
}

namespace detail {

void throw_unknown_option(std::string_view key, const std::vector<std::string>& known) {
  const std::string near = nearest(key, known);
  throw ConfigError({.what = "unknown key '" + std::string(key) + "'",
                     .seen = {},
                     .advice = (near.empty() ? "" : "did you mean '" + near + "'? ") + "known here: " + join(known)});
}

void throw_bad_option(std::string_view key, const OptionValue& value, const std::string& allowed) {
  throw ConfigError({.what = "'" + std::string(key) + "' has a value that is not allowed",
                     .seen = std::string(key) + " = " + to_text(value),
                     .advice = "give " + allowed});
}

void throw_missing_option(std::string_view key, std::string_view help, const std::string& allowed) {
  throw ConfigError({.what = "'" + std::string(key) + "' is required and has no default (" + std::string(help) + ")",
                     .seen = {},
                     .advice = "give " + allowed});
}

}  // namespace detail
}  // namespace driftless
