// From a configuration to a problem.
#pragma once

#include "driftless/problems/problem.hpp"
#include "driftless/problems/problem_config.hpp"

namespace driftless {

// Reads or generates the problem of the configuration. DataError for the contents of files; ConfigError where options
// do not suit the data.
Problem make_problem(const ProblemSetup& setup, ThreadPool& pool);  // in one process
// Collective: each peer makes the functions of the clients it hosts. Where a stop is requested the problem may be
// incomplete, and no method is to be run on it.
Problem make_problem(const ProblemSetup& setup, Transport& transport, ThreadPool& pool, const SiteData& own = {},
                     const StopToken& stop_token = {});

// Of all that the bits of a run follow from: the text of its configuration, the problem made from it, and the program.
std::string digest_of(const std::string& config_text, const Problem& problem);

// The vector in a .npy file. DataError where it has another dimension; `origin` is the key or flag that names the file.
Vector point_from_file(const std::string& file, const std::string& origin, Index dim);

}  // namespace driftless
