#include "driftless/core/options.hpp"

#include <algorithm>

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

Fields Fields::moved(std::ptrdiff_t offset) const {
  Fields result(*this);
  for (Field& field : result.list_) field.offset += offset;
  return result;
}

Fields Fields::without(std::initializer_list<std::string_view> names) const {
  Fields result(*this);
  std::erase_if(result.list_, [&](const Field& field) { return std::ranges::find(names, field.name) != names.end(); });
  return result;
}

namespace detail {
namespace {

// Null if it is not there.
const OptionValue* find_setting(const Settings& settings, std::string_view key) {
  const auto found = std::ranges::find(settings, key, &Settings::value_type::first);
  return found == settings.end() ? nullptr : &found->second;
}

const void* at(const void* options, const Field& field) { return static_cast<const char*>(options) + field.offset; }

[[noreturn]] void throw_bad_option(const Field& field, const std::string& value) {
  throw ConfigError({.what = "'" + std::string(field.name) + "' has a value that is not allowed",
                     .seen = std::string(field.name) + " = " + value,
                     .advice = "give " + field.ops->allowed(field.range)});
}

void require_set(const void* options, const Field& field) {
  if (!field.ops->unset(at(options, field))) return;
  throw ConfigError(
      {.what = "'" + std::string(field.name) + "' is required and has no default (" + std::string(field.help) + ")",
       .seen = {},
       .advice = "give " + field.ops->allowed(field.range)});
}

}  // namespace

void throw_unknown_option(std::string_view key, const std::vector<std::string>& known) {
  const std::string near = nearest(key, known);
  throw ConfigError({.what = "unknown key '" + std::string(key) + "'",
                     .seen = {},
                     .advice = (near.empty() ? "" : "did you mean '" + near + "'? ") + "known here: " + join(known)});
}

std::vector<std::string> names_of(const Fields& fields) {
  std::vector<std::string> names;
  for (const Field& field : fields) names.emplace_back(field.name);
  return names;
}

void set_option(void* options, const Fields& fields, std::string_view key, const OptionValue& value) {
  const auto field = std::ranges::find(fields, key, &Field::name);
  if (field == fields.end()) throw_unknown_option(key, names_of(fields));
  if (!field->ops->read(value, field->range, static_cast<char*>(options) + field->offset))
    throw_bad_option(*field, to_text(value));
}

void unset_option(void* options, const Fields& fields, std::string_view key) {
  const auto field = std::ranges::find(fields, key, &Field::name);
  if (field == fields.end()) throw_unknown_option(key, names_of(fields));
  field->ops->clear(static_cast<char*>(options) + field->offset);
}

void require_complete(const void* options, const Fields& fields, const Settings& pending) {
  for (const Field& field : fields)
    if (find_setting(pending, field.name) == nullptr) require_set(options, field);
}

void check_ranges(const void* options, const void* defaults, const Fields& fields) {
  for (const Field& field : fields) {
    if (field.ops->unset(at(defaults, field))) require_set(options, field);
    if (!field.ops->within(at(options, field), field.range))
      throw_bad_option(field, field.ops->write(at(options, field)));
  }
}

std::vector<OptionInfo> describe(const void* options, const Fields& fields) {
  std::vector<OptionInfo> table;
  for (const Field& field : fields) {
    const bool missing = field.ops->unset(at(options, field));
    table.push_back({.name = std::string(field.name),
                     .kind = field.ops->kind,
                     .choices = field.ops->choices(),
                     .allowed = field.ops->allowed(field.range),
                     .initial = missing ? "" : field.ops->write(at(options, field)),
                     .help = std::string(field.help),
                     .required = missing});
  }
  return table;
}

OptionLines echo(const void* options, const Fields& fields, const Settings& pending) {
  OptionLines lines;
  for (const Field& field : fields) {
    if (const OptionValue* given = find_setting(pending, field.name)) {
      lines.emplace_back(field.name, to_text(*given));
      continue;
    }
    if (field.ops->unset(at(options, field))) continue;
    if (std::string text = field.ops->write(at(options, field)); !text.empty())
      lines.emplace_back(field.name, std::move(text));
  }
  return lines;
}

}  // namespace detail
}  // namespace driftless
