// What peers must agree on before each builds the functions of its own clients: numbers about their data, never the
// data.
#pragma once

#include "driftless/data/libsvm/libsvm_reader.hpp"
#include "driftless/federation/transport.hpp"

#include <filesystem>
#include <span>
#include <vector>

namespace driftless {

// Of everybody's clients together.
struct DataFacts {
  std::size_t rows = 0;  // M
  Index dim = 0;
  std::optional<double> positive_label;  // for two classes
};

// Collective. `hosted` are the sets of the clients hosted here, in their order, with labels as written. DataError where
// they do not fit together; every peer gets the same one.
DataFacts agree_on_facts(std::span<const Dataset> hosted, const LibsvmOptions& options, Transport& transport);

}  // namespace driftless
