#include "driftless/data/split_rows.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/random.hpp"
#include "driftless/data/dirichlet_split.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace driftless {
namespace {

using Rows = std::vector<std::int32_t>;

void check(const LabelledRows& data, const SplitOptions& options) {
  const std::string seen = "clients = " + std::to_string(options.clients);
  if (options.clients == 0)
    throw ConfigError({.what = "a federation needs clients", .seen = seen, .advice = "give at least 1"});
  if (options.clients > data.rows())
    throw ConfigError({.what = "there are more clients than rows",
                       .seen = seen + ", " + data.name + " has " + std::to_string(data.rows()) + " rows",
                       .advice = "use fewer clients or more data: every client needs a row"});
  constexpr double largest_alpha = 1e9;  // far beyond it gamma draws overflow, and long before it nothing changes
  if (uses_alpha(options.split) && !(options.alpha > 0.0 && options.alpha <= largest_alpha))
    throw ConfigError({.what = "the Dirichlet parameter is not possible",
                       .seen = "alpha = " + number(options.alpha),
                       .advice = "give a number above 0 and at most 1e9; for equal shares use split = \"iid\""});
}

Partition cut_equally(std::span<const std::int32_t> rows, std::size_t clients) {
  Partition partition;
  for (std::size_t client = 0; client < clients; ++client) {
    const std::size_t from = rows.size() * client / clients;
    const std::size_t to = rows.size() * (client + 1) / clients;
    partition.clients.emplace_back(rows.begin() + static_cast<std::ptrdiff_t>(from),
                                   rows.begin() + static_cast<std::ptrdiff_t>(to));
  }
  return partition;
}

Partition divide(const LabelledRows& data, const SplitOptions& options, Stream& chance) {
  Rows rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0);
  switch (options.split) {
    case Split::iid: chance.shuffle(std::span(rows)); return cut_equally(rows, options.clients);
    case Split::contiguous: return cut_equally(rows, options.clients);
    case Split::label:
      std::ranges::stable_sort(rows, {}, [&](std::int32_t row) { return data.label[static_cast<std::size_t>(row)]; });
      return cut_equally(rows, options.clients);
    case Split::dirichlet: return dirichlet_split(data, options.clients, options.alpha, chance);
    case Split::dirichlet_lin: return dirichlet_lin_split(data, options.clients, options.alpha, chance);
  }
  throw BrokenInvariant("unknown split");
}

constexpr std::size_t nobody = static_cast<std::size_t>(-1);

std::string client_name(std::size_t client) { return "client " + std::to_string(client); }

std::string row_name(std::int64_t row) { return "row " + std::to_string(row); }

std::string foreign_row(std::size_t client, std::int32_t row, std::size_t rows) {
  return client_name(client) + " has " + row_name(row) + " of " + std::to_string(rows);
}

std::string shared_row(std::int32_t row, std::size_t first, std::size_t second) {
  return row_name(row) + " belongs to " + client_name(first) + " and " + client_name(second);
}

// Enters the client as owner of its rows.
std::string fault_of_client(std::size_t client, const Rows& own, std::vector<std::size_t>& owner) {
  if (own.empty()) return client_name(client) + " has no rows";
  for (const std::int32_t row : own) {
    if (row < 0 || static_cast<std::size_t>(row) >= owner.size()) return foreign_row(client, row, owner.size());
    const std::size_t before = std::exchange(owner[static_cast<std::size_t>(row)], client);
    if (before != nobody) return shared_row(row, before, client);
  }
  return std::ranges::is_sorted(own) ? "" : "the rows of " + client_name(client) + " do not rise";
}

}  // namespace

Partition split_rows(const LabelledRows& data, const SplitOptions& options, std::uint64_t seed) {
  check(data, options);
  Stream chance(seed, Purpose::split);
  Partition partition = divide(data, options, chance);
  for (Rows& rows : partition.clients) std::ranges::sort(rows);
  const std::string fault = coverage_fault(partition, data.rows());
  DRIFTLESS_ASSERT(fault.empty(), "a split is wrong: " + fault);
  return partition;
}

std::string coverage_fault(const Partition& partition, std::size_t rows) {
  std::vector<std::size_t> owner(rows, nobody);
  for (std::size_t client = 0; client < partition.clients.size(); ++client) {
    if (std::string fault = fault_of_client(client, partition.clients[client], owner); !fault.empty()) return fault;
  }
  const auto free = std::ranges::find(owner, nobody);
  if (free != owner.end()) return row_name(free - owner.begin()) + " belongs to no client";
  return "";
}

}  // namespace driftless
