// Options are declared once: an aggregate with in-class defaults and one table, `fields()`, of name, member, range and
// help. Reading, bounds, `driftless describe`, the docs and the echo in config.toml all come from that table.
//
//   struct GdOptions {
//     double step = required;
//     static constexpr auto fields() {
//       return std::tuple{field("step", &GdOptions::step, positive, "γ, step size; 1/L_f is safe")};
//     }
//   };
#pragma once

#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace driftless {

using OptionValue =
    std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>, std::vector<double>>;
using Settings = std::vector<std::pair<std::string, OptionValue>>;

std::string to_text(const OptionValue& value);   // as TOML writes it
std::string toml_string(std::string_view text);  // quoted and escaped

// The default of an option that has no sensible default.
inline constexpr double required = std::numeric_limits<double>::quiet_NaN();

struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;
  bool high_open = false;

  constexpr bool contains(double v) const {
    return (low_open ? v > low : v >= low) && (high_open ? v < high : v <= high);
  }
  std::string text() const;  // "> 0", "0 … 1", "" where everything is allowed
};

inline constexpr Range anything{};
inline constexpr Range nonnegative{.low = 0.0};
inline constexpr Range positive{.low = 0.0, .low_open = true};
inline constexpr Range at_least_one{.low = 1.0};
inline constexpr Range probability{.low = 0.0, .high = 1.0, .low_open = true};
inline constexpr Range finite{.low = -std::numeric_limits<double>::max(), .high = std::numeric_limits<double>::max()};

// Specialise for an enum used as an option: static constexpr std::array<std::string_view, N> value, in enum order.
template <class E>
struct EnumNames;

// Specialise for any other type used as an option: allowed(), read(value, out) → success, write(v) → TOML text or "" if
// unset.
template <class T>
struct OptionType;

template <class Get>
struct Field {
  std::string_view name;
  Get get;  // options → the member
  Range range;
  std::string_view help;
};

template <class S, class T>
constexpr auto field(std::string_view name, T S::* member, Range range, std::string_view help) {
  return Field{name, [member](auto& s) -> auto& { return s.*member; }, range, help};
}

// The fields of an aggregate that is itself a member: they appear under their own names, beside the others.
template <class S, class T>
constexpr auto nested(T S::* member) {
  return std::apply(
      [member](const auto&... inner) {
        return std::tuple{Field{inner.name, [member, get = inner.get](auto& s) -> auto& { return get(s.*member); },
                                inner.range, inner.help}...};
      },
      T::fields());
}

struct OptionInfo {
  std::string name;
  std::string allowed;  // type and range, or the list of names
  std::string initial;  // default as TOML text, "" if unset
  std::string help;
  bool required = false;
  bool whole = false;  // takes whole numbers only
};

namespace detail {

[[noreturn]] void throw_unknown_option(std::string_view key, const std::vector<std::string>& known);
[[noreturn]] void throw_bad_option(std::string_view key, const OptionValue& value, const std::string& allowed);
[[noreturn]] void throw_missing_option(std::string_view key, std::string_view help, const std::string& allowed);

template <class T>
std::string allowed_text(const Range& range) {
  const std::string bounds = range.text();
  const std::string type = OptionType<T>::allowed();
  return bounds.empty() ? type : type + " " + bounds;
}

template <class T>
bool within(const T& value, const Range& range) {
  if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) return range.contains(static_cast<double>(value));
  else if constexpr (requires {
                       value.has_value();
                       *value;
                     })
    return !value.has_value() || within(*value, range);
  else return true;
}

template <class T>
bool unset(const T& value) {
  if constexpr (std::is_same_v<T, double>) return std::isnan(value);
  else return false;
}

}  // namespace detail

template <class S, class Visit>
void visit_fields(Visit&& visit) {
  std::apply([&](const auto&... f) { (visit(f), ...); }, S::fields());
}

template <class S>
std::vector<std::string> option_names() {
  std::vector<std::string> names;
  visit_fields<S>([&](const auto& f) { names.emplace_back(f.name); });
  return names;
}

// Sets one option by name. Unknown names, wrong types and values out of range are ConfigErrors.
template <class S>
void set_option(S& options, std::string_view key, const OptionValue& value) {
  bool known = false;
  visit_fields<S>([&](const auto& f) {
    if (f.name != key) return;
    known = true;
    using T = std::remove_cvref_t<decltype(f.get(options))>;
    T parsed{};
    if (!OptionType<T>::read(value, parsed) || !detail::within(parsed, f.range))
      detail::throw_bad_option(key, value, detail::allowed_text<T>(f.range));
    f.get(options) = std::move(parsed);
  });
  if (!known) detail::throw_unknown_option(key, option_names<S>());
}

template <class S>
void set_options(S& options, const Settings& settings) {
  for (const auto& [key, value] : settings) set_option(options, key, value);
}

// ConfigError if an option without a default was not set.
template <class S>
void require_complete(const S& options) {
  visit_fields<S>([&](const auto& f) {
    const auto& value = f.get(options);
    using T = std::remove_cvref_t<decltype(value)>;
    if (detail::unset(value)) detail::throw_missing_option(f.name, f.help, detail::allowed_text<T>(f.range));
  });
}

template <class S>
std::vector<OptionInfo> describe_options(const S& options = {}) {
  std::vector<OptionInfo> table;
  visit_fields<S>([&](const auto& f) {
    const auto& value = f.get(options);
    using T = std::remove_cvref_t<decltype(value)>;
    const bool missing = detail::unset(value);
    table.push_back({.name = std::string(f.name),
                     .allowed = detail::allowed_text<T>(f.range),
                     .initial = missing ? "" : OptionType<T>::write(value),
                     .help = std::string(f.help),
                     .required = missing,
                     .whole = std::is_same_v<T, std::size_t> || std::is_same_v<T, std::optional<std::size_t>>});
  });
  return table;
}

// Every option with its value as TOML text; unset ones are left out.
template <class S>
std::vector<std::pair<std::string, std::string>> echo_options(const S& options) {
  std::vector<std::pair<std::string, std::string>> lines;
  visit_fields<S>([&](const auto& f) {
    const auto& value = f.get(options);
    using T = std::remove_cvref_t<decltype(value)>;
    if (detail::unset(value)) return;
    if (std::string text = OptionType<T>::write(value); !text.empty()) lines.emplace_back(f.name, std::move(text));
  });
  return lines;
}

template <>
struct OptionType<bool> {
  static std::string allowed() { return "true or false"; }
  static bool read(const OptionValue& value, bool& out);
  static std::string write(bool v) { return v ? "true" : "false"; }
};

template <>
struct OptionType<double> {
  static std::string allowed() { return "a number"; }
  static bool read(const OptionValue& value, double& out);
  static std::string write(double v) { return number(v); }
};

template <>
struct OptionType<std::size_t> {
  static std::string allowed() { return "a whole number"; }
  static bool read(const OptionValue& value, std::size_t& out);
  static std::string write(std::size_t v) { return std::to_string(v); }
};

template <>
struct OptionType<std::string> {
  static std::string allowed() { return "a text"; }
  static bool read(const OptionValue& value, std::string& out);
  static std::string write(const std::string& v) { return v.empty() ? "" : toml_string(v); }
};

template <>
struct OptionType<std::vector<std::string>> {
  static std::string allowed() { return "a list of texts"; }
  static bool read(const OptionValue& value, std::vector<std::string>& out);
  static std::string write(const std::vector<std::string>& v) { return v.empty() ? "" : to_text(OptionValue(v)); }
};

template <>
struct OptionType<std::vector<double>> {
  static std::string allowed() { return "a list of numbers"; }
  static bool read(const OptionValue& value, std::vector<double>& out);
  static std::string write(const std::vector<double>& v) { return v.empty() ? "" : to_text(OptionValue(v)); }
};

template <class T>
struct OptionType<std::optional<T>> {
  static std::string allowed() { return OptionType<T>::allowed(); }
  static bool read(const OptionValue& value, std::optional<T>& out) {
    return OptionType<T>::read(value, out.emplace());
  }
  static std::string write(const std::optional<T>& v) { return v ? OptionType<T>::write(*v) : ""; }
};

template <class E>
  requires std::is_enum_v<E>
struct OptionType<E> {
  static std::string allowed() {
    std::vector<std::string> names(EnumNames<E>::value.begin(), EnumNames<E>::value.end());
    return join(names, " | ");
  }
  static bool read(const OptionValue& value, E& out) {
    const auto* text = std::get_if<std::string>(&value);
    for (std::size_t i = 0; text != nullptr && i < EnumNames<E>::value.size(); ++i) {
      if (*text != EnumNames<E>::value[i]) continue;
      out = static_cast<E>(i);
      return true;
    }
    return false;
  }
  static std::string write(E v) { return toml_string(name_of(v)); }
  static std::string_view name_of(E v) { return EnumNames<E>::value[static_cast<std::size_t>(v)]; }
};

template <class E>
std::string_view enum_name(E v) {
  return OptionType<E>::name_of(v);
}

}  // namespace driftless
