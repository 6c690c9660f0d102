#include "driftless/data/dirichlet_split.hpp"

#include "driftless/core/check.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>

namespace driftless {
namespace {

using Rows = std::vector<std::int32_t>;
using Counts = std::vector<std::vector<std::size_t>>;  // [class][client]

std::vector<Rows> rows_by_label(const LabelledRows& data, std::span<const std::int32_t> rows) {
  std::map<double, Rows> classes;
  for (const std::int32_t row : rows) classes[data.label[static_cast<std::size_t>(row)]].push_back(row);
  std::vector<Rows> lists;
  for (auto& [label, list] : classes) lists.push_back(std::move(list));
  return lists;
}

Rows shuffled_rows(std::size_t size, Stream& chance) {
  Rows rows(size);
  std::iota(rows.begin(), rows.end(), 0);
  chance.shuffle(std::span(rows));
  return rows;
}

// A Dirichlet draw over all clients, then only the open ones keep their part.
std::vector<double> draw_shares(const std::vector<bool>& open, double alpha, Stream& chance) {
  std::vector<double> share(open.size());
  for (std::size_t client = 0; client < open.size(); ++client) {
    const double weight = chance.gamma(alpha);
    share[client] = open[client] ? weight : 0.0;
  }
  const double total = std::accumulate(share.begin(), share.end(), 0.0);
  if (total > 0.0) {
    for (double& s : share) s /= total;
    return share;
  }
  // For tiny α every weight can round to 0; the limit of the distribution is one client who takes all.
  std::vector<std::size_t> candidates;
  for (std::size_t client = 0; client < open.size(); ++client) {
    if (open[client]) candidates.push_back(client);
  }
  share[candidates[chance.index(candidates.size())]] = 1.0;
  return share;
}

std::vector<std::size_t> sizes_of(const Counts& counts, std::size_t clients) {
  std::vector<std::size_t> sizes(clients, 0);
  for (const auto& of_class : counts) {
    for (std::size_t client = 0; client < clients; ++client) sizes[client] += of_class[client];
  }
  return sizes;
}

Counts draw_counts(std::span<const Rows> classes, std::size_t clients, double alpha, Stream& chance) {
  Counts counts;
  const std::vector<bool> open(clients, true);
  for (const Rows& rows : classes) {
    const std::vector<double> share = draw_shares(open, alpha, chance);
    std::vector<std::size_t> count(clients);
    std::size_t left = rows.size();
    for (std::size_t client = 0; client < clients; ++client) {
      count[client] = std::min(left, static_cast<std::size_t>(share[client] * static_cast<double>(rows.size())));
      left -= count[client];
    }
    count[chance.index(clients)] += left;
    counts.push_back(std::move(count));
  }
  return counts;
}

// Clients at the average are closed; the cumulative shares are rounded down, and the last open client takes the rest.
Counts draw_balanced_counts(std::span<const Rows> classes, std::size_t rows, std::size_t clients, double alpha,
                            Stream& chance) {
  Counts counts;
  std::vector<std::size_t> sizes(clients, 0);
  for (const Rows& of_class : classes) {
    std::vector<bool> open(clients);
    std::size_t last_open = 0;
    for (std::size_t client = 0; client < clients; ++client) {
      open[client] = sizes[client] * clients < rows;
      if (open[client]) last_open = client;
    }
    const std::vector<double> share = draw_shares(open, alpha, chance);
    std::vector<std::size_t> count(clients, 0);
    double cumulative = 0.0;
    std::size_t given = 0;
    for (std::size_t client = 0; client <= last_open; ++client) {
      cumulative += share[client];
      const auto rounded = static_cast<std::size_t>(cumulative * static_cast<double>(of_class.size()));
      const std::size_t end = client == last_open ? of_class.size() : std::clamp(rounded, given, of_class.size());
      count[client] = end - given;
      sizes[client] += count[client];
      given = end;
    }
    counts.push_back(std::move(count));
  }
  return counts;
}

// Only counts are drawn again, which is cheap: the rows of a class are in random order already.
template <class Draw, class Accept>
Counts draw_until(const Draw& draw, const Accept& accept, const char* wanted, std::size_t clients, double alpha) {
  constexpr int tries = 20000;
  for (int attempt = 0; attempt < tries; ++attempt) {
    Counts counts = draw();
    if (std::ranges::all_of(sizes_of(counts, clients), accept)) return counts;
  }
  throw ConfigError({.what = std::to_string(tries) + " Dirichlet draws gave none in which every client has " + wanted,
                     .seen = "clients = " + std::to_string(clients) + ", alpha = " + number(alpha),
                     .advice = "use fewer clients, a larger alpha or more data"});
}

void deal(std::span<const Rows> classes, const Counts& counts, std::span<Rows> clients) {
  for (std::size_t c = 0; c < classes.size(); ++c) {
    auto next = classes[c].begin();
    for (std::size_t client = 0; client < clients.size(); ++client) {
      const auto end = next + static_cast<std::ptrdiff_t>(counts[c][client]);
      clients[client].insert(clients[client].end(), next, end);
      next = end;
    }
  }
}

void split_group(const LabelledRows& data, std::span<const std::int32_t> rows, double alpha, Stream& chance,
                 std::span<Rows> clients) {
  const std::vector<Rows> classes = rows_by_label(data, rows);
  const auto draw = [&] { return draw_balanced_counts(classes, rows.size(), clients.size(), alpha, chance); };
  const auto accept = [&](std::size_t size) { return 2 * size * clients.size() >= rows.size(); };
  deal(classes, draw_until(draw, accept, "half of the average number of rows", clients.size(), alpha), clients);
}

}  // namespace

Partition dirichlet_split(const LabelledRows& data, std::size_t clients, double alpha, Stream& chance) {
  const std::vector<Rows> classes = rows_by_label(data, shuffled_rows(data.rows(), chance));
  const auto draw = [&] { return draw_counts(classes, clients, alpha, chance); };
  const auto accept = [](std::size_t size) { return size > 0; };
  Partition partition{.clients = std::vector<Rows>(clients)};
  deal(classes, draw_until(draw, accept, "a row", clients, alpha), partition.clients);
  return partition;
}

Partition dirichlet_lin_split(const LabelledRows& data, std::size_t clients, double alpha, Stream& chance) {
  constexpr std::size_t group_size = 10;
  if (clients < group_size)
    throw ConfigError({.what = "the split 'dirichlet-lin' is made for ten clients and more",
                       .seen = "clients = " + std::to_string(clients),
                       .advice = "use split = \"dirichlet\", or at least 10 clients"});
  const Rows rows = shuffled_rows(data.rows(), chance);
  Partition partition{.clients = std::vector<Rows>(clients)};
  for (std::size_t first = 0; first < clients; first += group_size) {
    const std::size_t last = std::min(first + group_size, clients);
    const std::size_t from = rows.size() * first / clients;
    const std::size_t to = rows.size() * last / clients;
    split_group(data, std::span(rows).subspan(from, to - from), alpha, chance,
                std::span(partition.clients).subspan(first, last - first));
  }
  return partition;
}

}  // namespace driftless
