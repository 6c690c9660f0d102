// From a configuration to the functions of the clients, with what is known about them.
#pragma once

#include "driftless/federation/federation.hpp"
#include "driftless/federation/test_set.hpp"
#include "driftless/objectives/constants.hpp"
#include "driftless/run/run_config.hpp"
#include "driftless/run/trace.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace driftless {

struct DataSource {
  std::string name;
  std::string digest;  // sha256 of the plain text, or of the generated rows
  std::size_t rows = 0;
};

// The files that a site brings, one for each client it hosts; none: what the configuration names.
struct SiteData {
  std::vector<std::filesystem::path> files;
};

struct Problem {
  std::size_t n = 0;         // clients of all peers
  ClientObjectives clients;  // those hosted here
  Vector start;
  std::optional<Reference> reference;
  std::optional<Constants> constants;  // where they are known exactly
  std::vector<DataSource> data;
  std::optional<double> l2;             // weight of ½‖x‖² in every f_i, for data
  std::shared_ptr<const TestSet> test;  // data that no client has, where there is some
  std::string split_manifest;           // which rows went where, as JSON; empty where nothing was divided
  std::string summary;                  // one line

  Index dim() const { return start.size(); }
};

// Reads or generates what the configuration asks for. DataError for what files hold; ConfigError where options do not
// suit the data.
Problem make_problem(const RunConfig& config, ThreadPool& pool);  // in one process
// Collective: each peer makes the functions of the clients it hosts, and learns of the others what it must.
Problem make_problem(const RunConfig& config, Transport& transport, ThreadPool& pool, const SiteData& own = {});

// Of a configuration's text together with what it was made into here, and of the program: all that bits follow from.
std::string digest_of(const std::string& config_text, const Problem& problem);

// The vector in a .npy file. DataError where it has another dimension; `place` says who named the file.
Vector point_from_file(const std::string& file, const std::string& place, Index dim);

}  // namespace driftless
