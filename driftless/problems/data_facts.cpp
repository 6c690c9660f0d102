#include "driftless/problems/data_facts.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"
#include "driftless/data/column_count.hpp"
#include "driftless/data/libsvm/binary_labels.hpp"
#include "driftless/federation/shared_facts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

// The facts of one client as a row of numbers.
constexpr double most_rows = 9007199254740992.0;  // 2^53
// A larger dimension must be given as problem.dim, which all peers see, because every peer allocates vectors of it.
constexpr double largest_shared_dim = 134217728.0;  // 2^27
constexpr std::size_t most_labels = 4;  // of a client; more than two classes are rejected, and the message lists these
enum Column : std::size_t { rows_at, dim_at, labels_at, first_label, width = first_label + most_labels };

std::vector<double> packed(std::span<const Dataset> hosted) {
  std::vector<double> numbers(hosted.size() * width);
  for (std::size_t slot = 0; slot < hosted.size(); ++slot) {
    const Dataset& data = hosted[slot];
    double* row = &numbers[slot * width];
    row[rows_at] = static_cast<double>(data.rows());
    row[dim_at] = static_cast<double>(data.dim);
    const std::size_t labels = std::min(most_labels, data.label_values.size());
    row[labels_at] = static_cast<double>(labels);
    std::copy_n(data.label_values.begin(), labels, row + first_label);
  }
  return numbers;
}

bool is_count(double value, double least, double most) {
  return value >= least && value <= most && value == std::floor(value);
}

// The reason why a row cannot be the facts of a client, if there is one: counts are used as sizes and loop bounds.
std::optional<std::string> fault_of_facts(std::span<const double> row) {
  if (!is_count(row[rows_at], 1.0, most_rows)) return number(row[rows_at]) + " rows";
  if (!is_count(row[dim_at], 1.0, largest_shared_dim)) return number(row[dim_at]) + " columns";
  if (!is_count(row[labels_at], 0.0, static_cast<double>(most_labels))) return number(row[labels_at]) + " labels";
  for (std::size_t k = 0; k < most_labels; ++k)
    if (!std::isfinite(row[first_label + k])) return "label " + number(row[first_label + k]);
  return std::nullopt;
}

LabelTable labels_of(const std::vector<double>& all) {
  LabelTable table;
  for (std::size_t client = 0; client * width < all.size(); ++client) {
    const double* row = &all[client * width];
    for (std::size_t k = 0; k < static_cast<std::size_t>(row[labels_at]); ++k)
      table.add(row[first_label + k], "data of client " + std::to_string(client));
    if (row[labels_at] == static_cast<double>(most_labels))
      table.leave_incomplete();  // the client may have more labels
  }
  return table;
}

// The label that becomes +1. It occurs in the federation, not necessarily in the data of every site.
double positive_of(const LabelTable& labels, std::optional<double> chosen) {
  if (!chosen) return positive_label(labels);
  if (labels.complete() && !labels.contains(*chosen))
    throw DataError({.what = "the label chosen to become +1 does not occur in the data of any site",
                     .seen = "positive_label = " + number(*chosen),
                     .advice = "choose one of " + labels.list()});
  return *chosen;
}

// The facts of this peer's own clients must come back unchanged: its vectors will have the agreed dimension.
void require_own_facts(std::span<const double> mine, std::span<const double> all, const Transport& transport) {
  const std::vector<ClientId>& hosted = transport.layout().hosted;
  for (std::size_t slot = 0; slot < hosted.size(); ++slot) {
    const ClientId id = hosted[slot];
    if (std::ranges::binary_search(transport.agreement().absent, id) ||
        std::ranges::equal(mine.subspan(slot * width, width), all.subspan(id * width, width)))
      continue;
    throw DataError(
        {.what = "the other peers have different facts about the data of this peer",
         .seen = "client " + std::to_string(id) + ": " + number(all[id * width + rows_at]) + " rows, " +
                 number(all[id * width + dim_at]) + " columns; this peer has " + number(mine[slot * width + rows_at]) +
                 " rows, " + number(mine[slot * width + dim_at]) + " columns",
         .advice = "restore the data that the run started with; if they did not change, ask the operator of the "
                   "server"});
  }
}

Index dim_of_all(std::span<const double> all, const Transport& transport, std::optional<Index> given) {
  std::vector<ColumnCount> counts;
  for (ClientId id = 0; id < transport.layout().clients; ++id)
    if (!std::ranges::binary_search(transport.agreement().absent, id))
      counts.push_back(
          {.owner = "client " + std::to_string(id), .columns = static_cast<Index>(all[id * width + dim_at])});
  if (!given) require_equal_columns(counts);
  Index dim = given.value_or(0);
  for (const ColumnCount& count : counts) dim = std::max(dim, count.columns);
  return dim;
}

std::size_t rows_of_all(std::span<const double> all) {
  double rows = 0.0;
  for (std::size_t at = rows_at; at < all.size(); at += width) rows += all[at];
  if (rows >= 1.0 && rows <= most_rows) return static_cast<std::size_t>(rows);
  throw DataError({.what = "the total number of rows of all clients is out of range",
                   .seen = number(rows) + " rows",
                   .advice = "check which site reports so many rows, and that not all sites were dropped"});
}

// The same by sums that do not show whose facts they are; errors cannot name a client then.
std::size_t rows_by_sums(std::span<const Dataset> hosted, Transport& transport) {
  std::uint64_t rows = 0;
  for (const Dataset& data : hosted) rows += data.rows();
  const std::vector<double> all{static_cast<double>(shared_sum(std::span(&rows, 1), transport).front())};
  return rows_of_all(all);
}

Index dim_by_sums(std::span<const Dataset> hosted, Transport& transport, std::optional<Index> given) {
  constexpr auto limit = static_cast<std::uint64_t>(largest_shared_dim) + 1;
  std::uint64_t most = 0, below_limit = 0;  // the least as the largest distance from the limit
  for (const Dataset& data : hosted) {
    const std::uint64_t columns = std::min(static_cast<std::uint64_t>(data.dim), limit - 1);
    most = std::max(most, columns);
    below_limit = std::max(below_limit, limit - columns);
  }
  const std::vector<std::uint64_t> found =
      shared_maximum(std::vector<std::uint64_t>{most, below_limit}, limit + 1, transport);
  if (!given && found[0] + found[1] != limit)
    throw DataError({.what = "the data of the clients have different numbers of columns",
                     .seen = std::to_string(limit - found[1]) + " to " + std::to_string(found[0]) + " columns",
                     .advice = "give the number of columns of all clients as problem.dim"});
  return std::max(given.value_or(0), static_cast<Index>(found[0]));
}

LabelTable labels_by_sums(std::span<const Dataset> hosted, Transport& transport) {
  std::vector<double> extremes(2, -std::numeric_limits<double>::infinity());  // the largest, and the least negated
  for (const Dataset& data : hosted)
    for (const double label : data.label_values) {
      extremes[0] = std::max(extremes[0], label);
      extremes[1] = std::max(extremes[1], -label);
    }
  extremes = shared_largest(extremes, transport);
  LabelTable table;
  for (const double label : {-extremes[1], extremes[0]})
    if (std::isfinite(label)) table.add(label, "the data of the sites");
  const bool others = std::ranges::any_of(hosted, [&](const Dataset& data) {
    return std::ranges::any_of(data.label_values, [&](double label) { return !table.contains(label); });
  });
  const std::vector<std::uint64_t> flag{others ? std::uint64_t{1} : std::uint64_t{0}};
  if (shared_maximum(flag, 2, transport).front() > 0)
    throw DataError({.what = "the labels of all clients are no pair of two classes",
                     .seen = "labels from " + number(-extremes[1]) + " to " + number(extremes[0]) + ", and others",
                     .advice = "choose two classes, or another kind of problem"});
  return table;
}

DataFacts facts_by_sums(std::span<const Dataset> hosted, const LibsvmOptions& options, Transport& transport) {
  DataFacts facts{.rows = rows_by_sums(hosted, transport),
                  .dim = dim_by_sums(hosted, transport, options.dim),
                  .positive_label = {}};
  if (options.labels == Labels::binary)
    facts.positive_label = positive_of(labels_by_sums(hosted, transport), options.positive_label);
  return facts;
}

}  // namespace

DataFacts agree_on_facts(std::span<const Dataset> hosted, const LibsvmOptions& options, Transport& transport) {
  if (transport.summation() == Summation::fixed) return facts_by_sums(hosted, options, transport);
  const std::size_t clients = transport.layout().clients;
  const std::vector<double> mine = packed(hosted);
  std::vector<double> all(clients * width);
  transport.share(width, mine, all, fault_of_facts);
  require_own_facts(mine, all, transport);

  DataFacts facts{.rows = rows_of_all(all), .dim = dim_of_all(all, transport, options.dim), .positive_label = {}};
  if (options.labels == Labels::binary) facts.positive_label = positive_of(labels_of(all), options.positive_label);
  return facts;
}

}  // namespace driftless
