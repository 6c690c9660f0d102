#include "driftless/core/link.hpp"

#include "driftless/core/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

namespace driftless {
namespace {

constexpr const char* forms =
    "give parts separated by commas: latency as 10ms, 0.5s or 200us; bandwidth of a client as 100Mbit, 1Gbit or "
    "20kbit, "
    "or up=20Mbit and down=100Mbit; server=1Gbit; straggler=0.1x5 (chance x factor of at least 1); compute=2x";

struct Unit {
  std::string_view name;
  double size;
};
constexpr std::array<Unit, 3> times{{{"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}}};
// In bytes per second. Longer names first: all end in "bit".
constexpr std::array<Unit, 4> rates{{{"kbit", 1e3 / 8}, {"Mbit", 1e6 / 8}, {"Gbit", 1e9 / 8}, {"bit", 1.0 / 8}}};
constexpr std::array<Unit, 1> factors{{{"x", 1.0}}};

std::optional<double> number_of(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) && value >= 0.0 ? std::optional(value) : std::nullopt;
}

// "10ms" with the units of time is 0.01.
std::optional<double> quantity(std::string_view text, std::span<const Unit> units) {
  for (const Unit& unit : units)
    if (text.ends_with(unit.name))
      if (const auto value = number_of(text.substr(0, text.size() - unit.name.size()))) return *value * unit.size;
  return std::nullopt;
}

std::optional<double> rate_of(std::string_view text) {
  const std::optional<double> rate = quantity(text, rates);
  return rate && *rate > 0.0 ? rate : std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

class Reader {
 public:
  Reader(const std::string& text, std::string_view source) : source_(source) {
    link_.text = std::string(trimmed(text));
  }

  Link read() {
    std::string_view rest = link_.text;
    for (bool more = true; more;) {
      const std::size_t comma = rest.find(',');
      read_part(trimmed(rest.substr(0, comma)));
      more = comma != std::string_view::npos;
      if (more) rest.remove_prefix(comma + 1);
    }
    if (seen_.contains("bandwidth") && seen_.contains("up") && seen_.contains("down"))
      reject("a link has three bandwidths of a client, and two directions", "");
    // In "100Mbit,up=20Mbit" the first bandwidth is that of the other direction.
    if (!seen_.contains("up")) link_.up = both_;
    if (!seen_.contains("down")) link_.down = both_;
    return link_;
  }

 private:
  void read_part(std::string_view part) {
    const std::size_t equals = part.find('=');
    const std::string_view value = equals == std::string_view::npos ? part : part.substr(equals + 1);
    const std::string name = equals == std::string_view::npos ? (quantity(part, times) ? "latency" : "bandwidth")
                                                              : std::string(part.substr(0, equals));
    if (!set(name, value)) reject("a part of a link was not understood", part);
    if (!seen_.insert(name).second) reject("a link has its " + name + " twice", part);
  }

  bool set(std::string_view name, std::string_view value) {
    if (name == "latency") return keep(quantity(value, times), link_.latency);
    if (name == "bandwidth") return keep(rate_of(value), both_);
    if (name == "up") return keep(rate_of(value), link_.up);
    if (name == "down") return keep(rate_of(value), link_.down);
    if (name == "server") return keep(rate_of(value), link_.server);
    if (name == "compute") return keep(quantity(value, factors), link_.compute);
    return name == "straggler" && set_straggler(value);
  }

  bool set_straggler(std::string_view value) {
    const std::size_t times_sign = value.find('x');
    return times_sign != std::string_view::npos &&
           keep(number_of(value.substr(0, times_sign)), link_.straggler_chance) && link_.straggler_chance <= 1.0 &&
           keep(number_of(value.substr(times_sign + 1)), link_.straggler_factor) && link_.straggler_factor >= 1.0;
  }

  static bool keep(const std::optional<double>& value, double& target) {
    if (value) target = *value;
    return value.has_value();
  }

  [[noreturn]] void reject(std::string what, std::string_view part) const {
    throw ConfigError({.what = std::move(what),
                       .seen = std::string(source_) + " \"" + link_.text + "\"" +
                               (seen_.empty() && link_.text == part ? "" : ": '" + std::string(part) + "'"),
                       .advice = forms});
  }

  std::string_view source_;
  Link link_;
  double both_ = Link::unlimited;
  std::set<std::string, std::less<>> seen_;
};

}  // namespace

double Link::exchange_seconds(const ExchangeLoad& load, double factor) const {
  const double client = 2.0 * latency + load.down / down + load.up / up;
  const double all = 2.0 * latency + std::max(load.down / down, load.clients * load.down / server) +
                     std::max(load.up / up, load.clients * load.up / server);
  return std::max(factor * client, all);
}

Link read_link(const std::string& text, std::string_view source) { return Reader(text, source).read(); }

std::vector<Link> read_links(std::span<const std::string> texts) {
  std::vector<Link> links;
  for (const std::string& text : texts) links.push_back(read_link(text));
  return links;
}

}  // namespace driftless
