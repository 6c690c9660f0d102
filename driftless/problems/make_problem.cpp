#include "driftless/problems/make_problem.hpp"

#include "driftless/console/machine.hpp"
#include "driftless/data/libsvm/libsvm_reader.hpp"
#include "driftless/federation/in_process_transport.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/files/npy.hpp"
#include "driftless/problems/problem_digest.hpp"
#include "driftless/problems/reference.hpp"

namespace driftless {
namespace {

void set_start(const StartPoint& x0, Problem& problem) {
  if (x0.from_generator()) return;
  if (x0.entry) problem.start.setConstant(*x0.entry);
  else problem.start = point_from_file(x0.file, "x0", problem.dim());
}

// The cache is used by single processes only: the caches of several peers could differ.
void find_reference(const ProblemConfig& config, Problem& problem, Transport& transport, ThreadPool& pool) {
  Federation fed(problem.clients, problem.dim(), transport, pool, 1);
  const double mu = problem.l2.value_or(0.0);
  ReferenceSearch search = transport.layout().peers > 1
                               ? exact_reference(fed, mu)
                               : cached_reference(fed, mu, {cache_folder(), problem_digest(config, problem)},
                                                  config.reference == ReferenceChoice::fresh);
  if (search.found) problem.reference = std::move(search.found->optimum);
  problem.no_reference = std::move(search.reason);
}

void check_site_data(const ProblemSetup& setup, const SiteData& own) {
  const ProblemSpec& spec = *setup.problem.spec;
  if (!own.clients.empty() && !spec.takes_clients())
    throw ConfigError(
        {.what = "this configuration leaves no functions to the sites",
         .seen = std::to_string(own.clients.size()) + " clients given, kind = \"" + setup.problem.kind + "\"",
         .advice = "give the rows of the clients as data, or set kind = \"own\" in the server's "
                   "configuration"});
  const bool takes_rows = spec.clients_bring_files() && !setup.federation.split;
  if (!own.files.empty() && !takes_rows)
    throw ConfigError({.what = "this configuration leaves no data to the sites",
                       .seen = "--data " + own.files.front().string(),
                       .advice = "leave --data out, or set data = \"sites\" in the server's configuration"});
  if (!own.sets.empty() && !(takes_rows && spec.client_file_options()))
    throw ConfigError(
        {.what = "this configuration asks the sites for no rows in arrays",
         .seen = std::to_string(own.sets.size()) + " pairs of arrays given, kind = \"" + setup.problem.kind + "\"",
         .advice = "give files where tables are asked for, or set data = \"sites\" in the server's "
                   "configuration of a linear model"});
}

}  // namespace

Vector point_from_file(const std::string& file, const std::string& origin, Index dim) {
  Vector point = read_npy(file);
  if (point.size() == dim) return point;
  throw DataError({.what = "the point has another dimension than the problem",
                   .seen = origin + ": " + file + ": " + std::to_string(point.size()) + " entries, the problem has " +
                           std::to_string(dim) + " variables",
                   .advice = "give a vector of the problem's dimension"});
}

std::string digest_of(const std::string& config_text, const Problem& problem) {
  Sha256 hash;
  hash.add(program_version()).add(config_text).add(problem.summary);
  for (const DataSource& data : problem.data) hash.add(data.digest);
  for (const double entry : problem.start) hash.add_number(entry);
  return hash.hex();
}

Problem make_problem(const ProblemSetup& setup, ThreadPool& pool) {
  InProcessTransport transport(setup.clients());
  return make_problem(setup, transport, pool);
}

Problem make_problem(const ProblemSetup& setup, Transport& transport, ThreadPool& pool, const SiteData& own,
                     const StopToken& stop_token) {
  check_site_data(setup, own);
  const ProblemSpec& spec = *setup.problem.spec;
  Problem problem = spec.make(setup, {.transport = transport, .pool = pool, .own = own, .stop_token = stop_token});
  problem.n = transport.layout().clients;
  problem.facts.kind = setup.problem.kind;
  set_start(setup.problem.x0, problem);
  if (setup.problem.reference == ReferenceChoice::none) problem.reference.reset();
  else if (spec.reference_source() == ReferenceSource::solver) find_reference(setup.problem, problem, transport, pool);
  if (setup.needs_reference && !problem.reference)
    throw ConfigError({.what = "'gap' needs the optimum, which was not found for this problem",
                       .seen = setup.problem.source.location + ": " + problem.summary +
                               (problem.no_reference.empty() ? "" : ": " + problem.no_reference),
                       .advice = "use stop.grad_norm, or give l2 > 0 so that there is one optimum"});
  return problem;
}

}  // namespace driftless
