#include "driftless/problems/data_division.hpp"

#include "driftless/problems/problem_kind.hpp"

namespace driftless {

void match_files(const ConfigTable& problem, FederationConfig& federation) {
  if (problem.find("data") != nullptr)
    reject_key(problem, "data", "data comes from 'data' or from federation.files, not from both", "remove one of them");
  if (federation.split || federation.alpha)
    throw ConfigError({.what = "with one file per client there are no rows to split",
                       .seen = federation.source.location + ": [federation] has files and split or alpha",
                       .advice = "remove 'split' and 'alpha', or give one file in problem.data"});
  if (federation.clients && *federation.clients != federation.files.size())
    throw ConfigError({.what = "the number of clients is not the number of files",
                       .seen = location_of(federation.source, "clients") +
                               ": clients = " + std::to_string(*federation.clients) + ", " +
                               std::to_string(federation.files.size()) + " files",
                       .advice = "leave 'clients' out: it follows from 'files'"});
  federation.clients = federation.files.size();
}

void require_no_split(const FederationConfig& federation) {
  if (federation.split || federation.alpha)
    throw ConfigError({.what = "where every site brings its own data there are no rows to split",
                       .seen = federation.source.location + ": [federation] has split or alpha",
                       .advice = "remove them, or give one file in problem.data"});
}

}  // namespace driftless
