// The [federation] table: the number of clients, and how data is divided among them.
#pragma once

#include "driftless/config/config_document.hpp"
#include "driftless/data/partition.hpp"
#include "driftless/federation/aggregation.hpp"
#include "driftless/federation/transport.hpp"

#include <optional>
#include <string>
#include <vector>

namespace driftless {

struct FederationConfig {
  std::optional<std::size_t> clients;  // always set after the problem was read
  std::optional<Split> split;
  std::optional<double> alpha;
  std::vector<std::string> files;
  std::size_t threads = 0;
  std::optional<Aggregation> aggregation;
  std::optional<double> trim;
  std::optional<Summation> sum;
  ConfigTable source;  // as it was written; its locations are for messages

  static Fields fields() {
    using S = FederationConfig;
    return {field("clients", &S::clients, at_least_one, "n, number of clients"),
            field("split", &S::split, anything, "how rows are divided; iid if not given"),
            field("alpha", &S::alpha, Range{.low = 0.0, .high = 1e9, .low_open = true},
                  "Dirichlet parameter: the smaller, the less alike the clients; 1 if not given"),
            field("files", &S::files, anything, "one file per client, instead of data and split"),
            field("threads", &S::threads, Range{.low = 0.0, .high = 1024.0}, "threads; 0 = one per core"),
            field("aggregation", &S::aggregation, anything,
                  "what an exchange gives of the rows: mean if not given; all others need every row at every peer"),
            field("trim", &S::trim, Range{.low = 0.0, .high = 0.5, .low_open = true, .high_open = true},
                  "share of rows that a trimmed mean leaves out on either side; 0.1 if not given"),
            field("sum", &S::sum, anything,
                  "how rows are added: real numbers in a tree, or integers of fixed point; tree if not given")};
  }

  SplitOptions split_options() const;
  AggregationRule rule() const;
  std::size_t required_clients() const;  // ConfigError where the table has no number of clients
};

FederationConfig read_federation(const ConfigTable& table);

// ConfigError where the rows are not averaged, for commands that can only do that.
void require_mean(const FederationConfig& federation, const std::string& command);

std::string federation_text(const FederationConfig& federation);

// "iid", "dirichlet 0.3"
std::string split_text(const SplitOptions& split);

}  // namespace driftless
