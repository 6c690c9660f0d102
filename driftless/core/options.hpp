// Options are declared once: an aggregate with in-class defaults and one table, `fields()`, of name, member, range and
// help. Reading, bounds, `driftless describe`, the docs and the echo in config.toml all come from that table.
//
//   struct GdOptions {
//     double step = required;
//     static Fields fields() { return {field("step", &GdOptions::step, positive, "γ, step size; 1/L_f is safe")}; }
//   };
//
// Tables are plain data: what is done with them is compiled once, here, and not again for every aggregate.
//
// An aggregate may have `void check() const`, which throws a ConfigError where options do not fit each other. A value
// that is still to come from theory is not a number, so a check() states what is wrong (`mu > lambda`), not what is
// right (`!(mu <= lambda)`): comparisons with it are false, and the check is made again when the value is known.
#pragma once

#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
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

// What kind of value an option takes; `choice` is one of a list of names, `custom` has a syntax of its own.
enum class OptionKind { boolean, number, whole_number, text, choice, texts, numbers, custom };
template <>
struct EnumNames<OptionKind> {
  static constexpr std::array<std::string_view, 8> value{"boolean", "number",        "whole number",    "text",
                                                         "choice",  "list of texts", "list of numbers", "custom"};
};

// Specialise for any other type used as an option: kind (custom if missing), allowed(), read(value, out) → success,
// write(v) → TOML text or "" if unset.
template <class T>
struct OptionType;

// What can be done with the value of an option whose type is known here alone.
struct ValueOps {
  bool (*read)(const OptionValue& value, const Range& range, void* to);  // false, and `to` unchanged, if not allowed
  std::string (*write)(const void* from);                                // as TOML text, "" if unset
  std::string (*allowed)(const Range& range);                            // type and range, or the list of names
  bool (*within)(const void* from, const Range& range);
  bool (*unset)(const void* from);
  void (*clear)(void* to);  // makes a number unset; leaves other values as they are
  OptionKind kind;
  std::vector<std::string> (*choices)();  // of a `choice`
};

struct Field {
  std::string_view name;
  std::ptrdiff_t offset;  // of the member in its aggregate, in bytes
  const ValueOps* ops;
  Range range;
  std::string_view help;
};

class Fields {
 public:
  Fields(const Field& field) : list_{field} {}  // NOLINT(google-explicit-constructor): a list is written as { ... }
  Fields(std::initializer_list<Fields> groups) {
    for (const Fields& group : groups) list_.insert(list_.end(), group.list_.begin(), group.list_.end());
  }

  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }

  Fields moved(std::ptrdiff_t offset) const;  // as those of a member at this offset
  Fields without(std::initializer_list<std::string_view> names) const;

 private:
  std::vector<Field> list_;
};

namespace detail {

template <class T>
const ValueOps* ops_of();

template <class S, class T>
std::ptrdiff_t offset_of(T S::* member) {
  static const S probe{};
  return reinterpret_cast<const char*>(&(probe.*member)) - reinterpret_cast<const char*>(&probe);
}

}  // namespace detail

template <class S, class T>
Field field(std::string_view name, T S::* member, Range range, std::string_view help) {
  return {name, detail::offset_of(member), detail::ops_of<T>(), range, help};
}

// The fields of an aggregate that is itself a member: they appear under their own names, beside the others.
template <class S, class T>
Fields nested(T S::* member) {
  return T::fields().moved(detail::offset_of(member));
}

struct OptionInfo {
  std::string name;
  OptionKind kind = OptionKind::custom;
  std::vector<std::string> choices;  // of a `choice`
  std::string allowed;               // type and range, or the list of names, as text
  std::string initial;               // default as TOML text, "" if unset
  std::string help;
  bool required = false;
};

using OptionLines = std::vector<std::pair<std::string, std::string>>;  // name, value as TOML text

namespace detail {

[[noreturn]] void throw_unknown_option(std::string_view key, const std::vector<std::string>& known);

std::vector<std::string> names_of(const Fields& fields);
void set_option(void* options, const Fields& fields, std::string_view key, const OptionValue& value);
void unset_option(void* options, const Fields& fields, std::string_view key);
void require_complete(const void* options, const Fields& fields, const Settings& pending);
void check_ranges(const void* options, const void* defaults, const Fields& fields);
std::vector<OptionInfo> describe(const void* options, const Fields& fields);
OptionLines echo(const void* options, const Fields& fields, const Settings& pending);

}  // namespace detail

template <class S>
std::vector<std::string> option_names() {
  return detail::names_of(S::fields());
}

// Sets one option by name. Unknown names, wrong types and values out of range are ConfigErrors.
template <class S>
void set_option(S& options, std::string_view key, const OptionValue& value) {
  detail::set_option(&options, S::fields(), key, value);
}

template <class S>
void set_options(S& options, const Settings& settings) {
  for (const auto& [key, value] : settings) set_option(options, key, value);
}

// Takes the value of one option away, if it is a number: the comparisons of a check() with it are then false.
// ConfigError for unknown names.
template <class S>
void unset_option(S& options, std::string_view key) {
  detail::unset_option(&options, S::fields(), key);
}

// ConfigError if an option without a default was not set, apart from those whose value is still to come.
template <class S>
void require_complete(const S& options, const Settings& pending = {}) {
  detail::require_complete(&options, S::fields(), pending);
}

// For options that were set in code, where nothing was checked on the way: ConfigError if one is missing or out of its
// range, or if they do not fit each other as far as their own check() can tell.
template <class S>
const S& checked(const S& options) {
  const S defaults{};
  detail::check_ranges(&options, &defaults, S::fields());
  if constexpr (requires { options.check(); }) options.check();
  return options;
}

template <class S>
std::vector<OptionInfo> describe_options(const S& options = {}) {
  return detail::describe(&options, S::fields());
}

// Every option with its value as TOML text; unset ones are left out, pending ones are echoed as they were given.
template <class S>
OptionLines echo_options(const S& options, const Settings& pending = {}) {
  return detail::echo(&options, S::fields(), pending);
}

namespace detail {

template <class T>
constexpr OptionKind kind_of() {
  if constexpr (requires { OptionType<T>::kind; }) return OptionType<T>::kind;
  else return OptionKind::custom;
}

template <class T>
std::vector<std::string> choices_of() {
  if constexpr (requires { OptionType<T>::choices(); }) return OptionType<T>::choices();
  else return {};
}

}  // namespace detail

template <>
struct OptionType<bool> {
  static constexpr OptionKind kind = OptionKind::boolean;
  static std::string allowed() { return "true or false"; }
  static bool read(const OptionValue& value, bool& out);
  static std::string write(bool v) { return v ? "true" : "false"; }
};

template <>
struct OptionType<double> {
  static constexpr OptionKind kind = OptionKind::number;
  static std::string allowed() { return "a number"; }
  static bool read(const OptionValue& value, double& out);
  static std::string write(double v) { return number(v); }
};

template <>
struct OptionType<std::size_t> {
  static constexpr OptionKind kind = OptionKind::whole_number;
  static std::string allowed() { return "a whole number"; }
  static bool read(const OptionValue& value, std::size_t& out);
  static std::string write(std::size_t v) { return std::to_string(v); }
};

template <>
struct OptionType<std::string> {
  static constexpr OptionKind kind = OptionKind::text;
  static std::string allowed() { return "a text"; }
  static bool read(const OptionValue& value, std::string& out);
  static std::string write(const std::string& v) { return v.empty() ? "" : toml_string(v); }
};

template <>
struct OptionType<std::vector<std::string>> {
  static constexpr OptionKind kind = OptionKind::texts;
  static std::string allowed() { return "a list of texts"; }
  static bool read(const OptionValue& value, std::vector<std::string>& out);
  static std::string write(const std::vector<std::string>& v) { return v.empty() ? "" : to_text(OptionValue(v)); }
};

template <>
struct OptionType<std::vector<double>> {
  static constexpr OptionKind kind = OptionKind::numbers;
  static std::string allowed() { return "a list of numbers"; }
  static bool read(const OptionValue& value, std::vector<double>& out);
  static std::string write(const std::vector<double>& v) { return v.empty() ? "" : to_text(OptionValue(v)); }
};

template <class T>
struct OptionType<std::optional<T>> {
  static constexpr OptionKind kind = detail::kind_of<T>();
  static std::vector<std::string> choices() { return detail::choices_of<T>(); }
  static std::string allowed() { return OptionType<T>::allowed(); }
  static bool read(const OptionValue& value, std::optional<T>& out) {
    return OptionType<T>::read(value, out.emplace());
  }
  static std::string write(const std::optional<T>& v) { return v ? OptionType<T>::write(*v) : ""; }
};

template <class E>
  requires std::is_enum_v<E>
struct OptionType<E> {
  static constexpr OptionKind kind = OptionKind::choice;
  static std::vector<std::string> choices() { return {EnumNames<E>::value.begin(), EnumNames<E>::value.end()}; }
  static std::string allowed() { return join(choices(), " | "); }
  static bool read(const OptionValue& value, E& out) {
    const auto* text = std::get_if<std::string>(&value);
    for (std::size_t i = 0; text != nullptr && i < EnumNames<E>::value.size(); ++i) {
      if (*text != EnumNames<E>::value[i]) continue;
      out = static_cast<E>(i);
      return true;
    }
    return false;
  }
  // A number that was cast may have no name.
  static std::string write(E v) { return exists(v) ? toml_string(name_of(v)) : std::to_string(static_cast<int>(v)); }
  static bool exists(E v) { return static_cast<std::size_t>(v) < EnumNames<E>::value.size(); }
  static std::string_view name_of(E v) { return EnumNames<E>::value[static_cast<std::size_t>(v)]; }
};

template <class E>
std::string_view enum_name(E v) {
  return OptionType<E>::name_of(v);
}

namespace detail {

template <class T>
bool within(const T& value, const Range& range) {
  if constexpr (std::is_enum_v<T>) return OptionType<T>::exists(value);
  else if constexpr (std::is_same_v<T, double>) return std::isfinite(value) && range.contains(value);
  else if constexpr (std::is_same_v<T, std::size_t>) return range.contains(static_cast<double>(value));
  else if constexpr (requires { value.has_value(); }) return !value.has_value() || within(*value, range);
  else return true;
}

template <class T>
struct Ops {
  static bool read(const OptionValue& value, const Range& range, void* to) {
    T parsed{};
    if (!OptionType<T>::read(value, parsed) || !detail::within(parsed, range)) return false;
    *static_cast<T*>(to) = std::move(parsed);
    return true;
  }
  static std::string write(const void* from) { return OptionType<T>::write(*static_cast<const T*>(from)); }
  static std::string allowed(const Range& range) {
    const std::string bounds = range.text();
    return OptionType<T>::allowed() + (bounds.empty() ? "" : " " + bounds);
  }
  static bool within(const void* from, const Range& range) {
    return detail::within(*static_cast<const T*>(from), range);
  }
  static bool unset(const void* from) {
    if constexpr (std::is_same_v<T, double>) return std::isnan(*static_cast<const double*>(from));
    else return false;
  }
  static void clear(void* to) {
    if constexpr (std::is_same_v<T, double>) *static_cast<double*>(to) = required;
  }
};

template <class T>
const ValueOps* ops_of() {
  using O = Ops<T>;
  static constexpr ValueOps ops{O::read,  O::write, O::allowed,   O::within,
                                O::unset, O::clear, kind_of<T>(), choices_of<T>};
  return &ops;
}

}  // namespace detail

}  // namespace driftless
