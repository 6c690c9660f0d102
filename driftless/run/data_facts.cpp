#include "driftless/run/data_facts.hpp"

#include "driftless/data/binary_labels.hpp"

#include <algorithm>

namespace driftless {
namespace {

// One client's facts as numbers, to travel.
constexpr std::size_t most_labels = 4;  // more than two classes are refused anyhow, with these as examples
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

double positive_of(const std::vector<double>& all) {
  LabelTable table;
  for (std::size_t client = 0; client * width < all.size(); ++client) {
    const double* row = &all[client * width];
    for (std::size_t k = 0; k < static_cast<std::size_t>(row[labels_at]); ++k)
      table.add(row[first_label + k], "data of client " + std::to_string(client));
  }
  return positive_label(table);
}

}  // namespace

DataFacts agree_on_facts(std::span<const Dataset> hosted, const LibsvmOptions& options, Transport& transport) {
  const std::size_t clients = transport.layout().clients;
  std::vector<double> all(clients * width);
  transport.share(width, packed(hosted), all);

  DataFacts facts;
  for (std::size_t client = 0; client < clients; ++client) {
    facts.rows += static_cast<std::size_t>(all[client * width + rows_at]);
    facts.dim = std::max(facts.dim, static_cast<Index>(all[client * width + dim_at]));
  }
  if (options.labels == Labels::binary)
    facts.positive_label = options.positive_label ? *options.positive_label : positive_of(all);
  return facts;
}

}  // namespace driftless
