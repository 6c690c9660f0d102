// From a configuration to a problem.
#pragma once

#include "driftless/federation/thread_pool.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/problems/problem_config.hpp"

namespace driftless {

// The files that a site brings, one for each client it hosts; none: what the configuration names.
struct SiteData {
  std::vector<std::filesystem::path> files;
};

// Reads or generates what the configuration asks for. DataError for what files hold; ConfigError where options do not
// suit the data.
Problem make_problem(const ProblemSetup& setup, ThreadPool& pool);  // in one process
// Collective: each peer makes the functions of the clients it hosts, and learns of the others what it must.
Problem make_problem(const ProblemSetup& setup, Transport& transport, ThreadPool& pool, const SiteData& own = {});

// Of a configuration's text together with what it was made into here, and of the program: all that bits follow from.
std::string digest_of(const std::string& config_text, const Problem& problem);

// The vector in a .npy file. DataError where it has another dimension; `place` says who named the file.
Vector point_from_file(const std::string& file, const std::string& place, Index dim);

}  // namespace driftless
