#include "driftless/problems/federation_config.hpp"

#include "driftless/config/config_table.hpp"

namespace driftless {

SplitOptions FederationConfig::split_options() const {
  return {.clients = clients.value_or(1), .split = split.value_or(Split::iid), .alpha = alpha.value_or(1.0)};
}

AggregationRule FederationConfig::rule() const {
  return {.kind = aggregation.value_or(Aggregation::mean), .trim = trim.value_or(AggregationRule().trim)};
}

std::size_t FederationConfig::required_clients() const {
  if (clients) return *clients;
  throw ConfigError({.what = "'clients' is required and has no default (n, number of clients)",
                     .seen = source.location + ": [federation]",
                     .advice = "give clients = 5, or one file per client in 'files'"});
}

FederationConfig read_federation(const ConfigTable& table) {
  FederationConfig federation;
  federation.source = table;
  read_table(table, federation);
  if (federation.trim && federation.rule().kind != Aggregation::trimmed_mean)
    throw ConfigError({.what = "'trim' is of a trimmed mean alone",
                       .seen = table.location + ": trim = " + number(*federation.trim),
                       .advice = "set aggregation = \"trimmed-mean\", or leave 'trim' out"});
  return federation;
}

void require_mean(const FederationConfig& federation, const std::string& command) {
  if (federation.rule().is_mean()) return;
  throw ConfigError(
      {.what = "'" + command + "' knows the mean alone",
       .seen = federation.source.location + ": aggregation = " + toml_string(enum_name(*federation.aggregation)),
       .advice = "use 'driftless run', or -c federation.aggregation=mean"});
}

std::string federation_text(const FederationConfig& federation) {
  FederationConfig shown = federation;
  const SplitOptions split = federation.split_options();
  if (!federation.split || !uses_alpha(split.split)) shown.alpha.reset();
  else shown.alpha = split.alpha;
  return "[federation]\n" + toml_lines(echo_options(shown));
}

std::string split_text(const SplitOptions& split) {
  const std::string name(enum_name(split.split));
  return uses_alpha(split.split) ? name + " " + number(split.alpha) : name;
}

}  // namespace driftless
