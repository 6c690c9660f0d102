// The facts that peers exchange before each makes the functions of its own clients: numbers about their data, never the
// data.
#pragma once

#include "driftless/data/libsvm/libsvm_reader.hpp"
#include "driftless/federation/transport.hpp"

#include <filesystem>
#include <span>
#include <vector>

namespace driftless {

// Of the clients of all peers together.
struct DataFacts {
  std::size_t rows = 0;  // M
  Index dim = 0;
  std::optional<double> positive_label;  // for two classes
};

// Collective. `hosted` are the sets of the hosted clients, in their order, with labels as written. DataError where the
// sets of all peers do not fit together; every peer throws the same one.
DataFacts agree_on_facts(std::span<const Dataset> hosted, const LibsvmOptions& options, Transport& transport);

}  // namespace driftless
