// The rows of a linear problem and their division among clients.
#pragma once

#include "driftless/data/libsvm/libsvm_reader.hpp"
#include "driftless/problems/data_facts.hpp"
#include "driftless/problems/linear/linear_keys.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/problems/problem_config.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace driftless {

// The rows of one client.
struct ClientRows {
  const Dataset* data;
  std::vector<std::int32_t> rows;
};

// None where no row has an entry.
std::optional<LargestFeature> largest_feature(std::span<const Dataset> sets);

struct LinearData {
  std::vector<Dataset> sets;        // one for all clients, or one for each hosted client
  std::vector<ClientRows> clients;  // the hosted ones; they point into `sets`
  DataFacts facts;
  std::string split_manifest;  // as in Problem
  std::string name;            // "a9a", "3 files"
  std::string division;        // "iid", "one file each"
};

// One set, divided by every peer in the same way: the generated rows, or the file `path`.
LinearData divided_data(const ProblemSetup& setup, const LinearSource& source, const std::string& path,
                        const LibsvmOptions& options, const Layout& layout);

// One file per client: each peer reads those of its own clients. Collective.
LinearData client_files(const ProblemSetup& setup, const LibsvmOptions& options, const PeerResources& peer);

}  // namespace driftless
