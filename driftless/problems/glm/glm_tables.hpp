// The tables of the hosted clients, with the rows that are fitted and those that are kept for the test.
#pragma once

#include "driftless/problems/glm/glm_keys.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/problems/problem_config.hpp"
#include "driftless/tables/preparation.hpp"

#include <deque>
#include <string>
#include <vector>

namespace driftless {

struct GlmTables {
  std::deque<Table> tables;          // one for all clients, or those of the hosted clients; addresses stay
  std::vector<ClientTable> train;    // of the hosted clients
  std::vector<ClientTable> test;     // likewise; without rows where there is no test
  std::vector<DesignCounts> counts;  // of the rows that were left out before
  std::string name;                  // "patients.csv", "3 files"
  std::string division;              // "iid", "one file each"
  std::string split_manifest;        // empty where nothing was divided

  // Frees the cells of the hosted client, unless others have rows of the same table.
  void release_cells(std::size_t slot);
};

// DataError for what is wrong in a file, also where a client has no row that can be used.
GlmTables read_tables(const ProblemSetup& setup, const GlmKeys& keys, const Schema& schema, bool classes,
                      const PeerResources& peer);

}  // namespace driftless
