#include "driftless/components/server/averaging.hpp"

#include <algorithm>

namespace driftless {

void ClientChoice::check(Averaging averaging) const {
  const bool given = !client_weights.empty() || !client_sequence.empty();
  if (given && averaging != Averaging::random)
    throw ConfigError(
        {.what = "'client_weights' and 'client_sequence' choose one client, and the mean is of all clients",
         .seen = "averaging = " + toml_string(enum_name(averaging)),
         .advice = "set averaging = \"random\", or remove them"});
  if (!client_weights.empty() && !client_sequence.empty())
    throw ConfigError({.what = "'client_weights' and 'client_sequence' choose the client in two ways",
                       .seen = "both are given",
                       .advice = "remove one of them"});
  const bool any = client_weights.empty() || std::ranges::any_of(client_weights, [](double w) { return w > 0.0; });
  if (!any || std::ranges::any_of(client_weights, [](double w) { return !(w >= 0.0) || std::isinf(w); }))
    throw ConfigError({.what = "'client_weights' must be finite and not negative, and one of them positive",
                       .seen = "client_weights = " + to_text(OptionValue(client_weights)),
                       .advice = "give a number for each client, e.g. its number of samples"});
  if (std::ranges::any_of(client_sequence, [](double i) { return !(i >= 0.0) || i != std::floor(i); }))
    throw ConfigError({.what = "'client_sequence' must be a list of clients, counted from 0",
                       .seen = "client_sequence = " + to_text(OptionValue(client_sequence)),
                       .advice = "give whole numbers, e.g. [0, 1, 2]"});
}

void ClientChoice::require_fit(std::size_t clients) const {
  const std::string n = std::to_string(clients);
  if (!client_weights.empty() && client_weights.size() != clients)
    throw ConfigError({.what = "'client_weights' must have a number for each of the " + n + " clients",
                       .seen = std::to_string(client_weights.size()) + " numbers",
                       .advice = "give " + n + " numbers"});
  const auto last = std::ranges::max_element(client_sequence);
  if (last != client_sequence.end() && *last >= static_cast<double>(clients))
    throw ConfigError({.what = "'client_sequence' names a client that does not exist",
                       .seen = "client " + number(*last) + " of " + n + ", counted from 0",
                       .advice = "give numbers from 0 to " + std::to_string(clients - 1)});
}

Cohort ClientChoice::chosen(Federation& fed, Averaging averaging) const {
  if (!client_weights.empty()) return fed.any_client(client_weights);
  if (client_sequence.empty()) return driftless::chosen(fed, averaging);
  const double id = client_sequence[fed.round() % client_sequence.size()];
  return fed.one_client(static_cast<ClientId>(id));
}

}  // namespace driftless
