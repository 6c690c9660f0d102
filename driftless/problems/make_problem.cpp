#include "driftless/problems/make_problem.hpp"

#include "driftless/data/split_rows.hpp"
#include "driftless/core/check.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/data/libsvm/libsvm_reader.hpp"
#include "driftless/data/manifest.hpp"
#include "driftless/torch/net_problem.hpp"
#include "driftless/objectives/linear/linear_model.hpp"
#include "driftless/objectives/quadratic/quadratic_generator.hpp"
#include "driftless/problems/data_facts.hpp"
#include "driftless/console/log.hpp"
#include "driftless/console/machine.hpp"
#include "driftless/files/npy.hpp"
#include "driftless/problems/problem_digest.hpp"
#include "driftless/problems/reference.hpp"
#include "driftless/federation/in_process_transport.hpp"

#include <array>
#include <fmt/format.h>

namespace driftless {
namespace {

std::string summary_of(const QuadraticProblem& q) {
  const Constants& c = q.constants;
  return fmt::format("quadratic {} {} {}: {} clients, {} samples each, {} variables; L = {:.4g}, mu = {:.4g}, delta_A "
                     "= {:.4g}, delta_B = {:.4g}",
                     enum_name(q.spec.recipe), enum_name(q.spec.convexity), enum_name(q.spec.structure), q.spec.clients,
                     q.spec.samples, q.spec.dim, c.L, c.mu, c.delta_A, c.delta_B);
}

Problem quadratic_problem(const QuadraticSpec& spec) {
  QuadraticProblem q = generate_quadratic(spec);
  Problem problem;
  problem.summary = summary_of(q);
  std::visit(
      [&](auto& clients) {
        for (auto& f : clients) problem.clients.push_back(make_client(std::move(f)));
      },
      q.clients);
  problem.start = std::move(q.start);
  problem.constants = q.constants;
  if (q.minimizer && q.minimum)
    problem.reference = Reference{.minimizer = std::move(*q.minimizer), .minimum = *q.minimum};
  return problem;
}

// The rows of one client: a list of rows of a data set.
struct Share {
  const Dataset* data;
  std::vector<std::int32_t> rows;
};

// Data of the clients, and how it is divided. `sets` are all there is, or those of the clients hosted here.
struct Division {
  std::vector<Dataset> sets;
  std::vector<Share> shares;  // of the clients hosted here
  DataFacts facts;
};

CodeUse codes_of(Storage storage) {
  if (storage == Storage::automatic) return CodeUse::automatic;
  return storage == Storage::codes ? CodeUse::always : CodeUse::never;
}

// Every client's own rows decide how they are kept, so its bits do not depend on who else takes part.
template <class Loss>
std::unique_ptr<ClientObjective> client_of(const Share& share, const LinearModelOptions& options, Storage storage) {
  const bool dense = storage == Storage::automatic ? prefers_dense(*share.data, share.rows) : storage == Storage::dense;
  if (dense) return make_client(LinearModel<Loss, DenseRows>(*share.data, share.rows, options));
  return make_client(LinearModel<Loss, SparseRows>(*share.data, share.rows, options));
}

LibsvmOptions reading_of(const ProblemSetup& config, const FileKeys& keys) {
  LibsvmOptions options;
  if (keys.dim) options.dim = static_cast<Index>(*keys.dim);
  options.labels = config.problem.kind == ProblemKind::logistic ? Labels::binary : Labels::real;
  options.positive_label = keys.positive_label;
  const auto folder = keys.cache ? cache_folder() : std::nullopt;
  if (folder) options.cache.emplace(*folder / "rows", log_warning);
  return options;
}

// Everybody's data in one set.
std::vector<Dataset> load(const ProblemSetup& config, const LinearProblem& linear) {
  if (const auto* spec = std::get_if<SparseClassificationSpec>(&linear.source)) {
    std::vector<Dataset> generated;
    generated.push_back(
        located(config.problem.place, [&] { return generate_classification(*spec, config.problem.seed); }));
    return generated;
  }
  const std::array<std::filesystem::path, 1> paths{linear.keys.data};
  return read_libsvm_files(paths, reading_of(config, std::get<FileKeys>(linear.source)));
}

std::vector<std::filesystem::path> files_of(const ProblemSetup& config, const Layout& layout, const SiteData& own) {
  if (own.files.empty()) {
    if (config.federation.files.empty() && !layout.hosted.empty())
      throw ConfigError({.what = "every site brings its own data, and none is given",
                         .seen = config.problem.place + ": data = \"sites\"",
                         .advice =
                             "use 'driftless serve' with 'driftless join --data FILE' at every site; in one process "
                             "give federation.files"});
    std::vector<std::filesystem::path> files;
    for (const ClientId id : layout.hosted) files.emplace_back(config.federation.files[id]);
    return files;
  }
  if (own.files.size() == layout.hosted.size()) return own.files;
  throw ConfigError({.what = "a site needs one data file for each client it hosts",
                     .seen = fmt::format("--data: {} files, {} clients", own.files.size(), layout.hosted.size()),
                     .advice = "give --data once for each client"});
}

// One file per client: each peer reads those of its own clients. What the files of others hold decides how they are
// read, so the files of a federation of several peers are read twice.
Division read_files(const ProblemSetup& config, const LinearProblem& linear, Transport& transport, const SiteData& own) {
  const std::vector<std::filesystem::path> files = files_of(config, transport.layout(), own);
  LibsvmOptions options = reading_of(config, std::get<FileKeys>(linear.source));
  Division division;
  if (transport.layout().peers > 1) {
    const std::vector<Dataset> as_written =
        read_libsvm_files(files, {.dim = options.dim, .labels = Labels::real, .cache = options.cache});
    const DataFacts facts = agree_on_facts(as_written, options, transport);
    options.dim = facts.dim;
    options.positive_label = facts.positive_label;
    options.positive_label_occurs = false;  // the federation has it, this site need not
    division.sets = read_libsvm_files(files, options);
    division.facts = facts;
  } else {
    division.sets = read_libsvm_files(files, options);
    division.facts = agree_on_facts(division.sets, {.labels = Labels::real}, transport);
  }
  for (const Dataset& data : division.sets) division.shares.push_back({&data, all_rows(data)});
  return division;
}

// One set, divided among the clients in the same way by every peer.
Division split_one(const ProblemSetup& config, const LinearProblem& linear, const Layout& layout, Problem& problem) {
  Division division{.sets = load(config, linear), .shares = {}, .facts = {}};
  const Dataset& data = division.sets.front();
  division.facts = {.rows = data.rows(), .dim = data.dim, .positive_label = {}};
  const SplitOptions options = config.federation.split_options();
  Partition partition = located(config.federation.place, [&] { return split_rows(data, options, config.seed); });
  problem.split_manifest = manifest_text(data, options, config.seed, partition);
  for (const ClientId id : layout.hosted) division.shares.push_back({&data, std::move(partition.clients[id])});
  return division;
}

std::string division_text(const SplitOptions& split) {
  const std::string name(enum_name(split.split));
  return uses_alpha(split.split) ? fmt::format("{} {}", name, number(split.alpha)) : name;
}

std::string summary_of(const ProblemSetup& config, const Division& division, Index dim, double l2) {
  const SplitOptions split = config.federation.split_options();
  const bool divided = config.federation.split.has_value();
  return fmt::format("{} on {}: {} rows, {} variables, {} clients ({}), l2 = {:.4g}", enum_name(config.problem.kind),
                     divided ? division.sets.front().name : fmt::format("{} files", split.clients), division.facts.rows,
                     dim, split.clients, divided ? division_text(split) : "one file each", l2);
}

Problem linear_problem(const ProblemSetup& config, const LinearProblem& linear, Transport& transport, ThreadPool& pool,
                       const SiteData& own) {
  Problem problem;
  const Division division = config.federation.split ? split_one(config, linear, transport.layout(), problem)
                                                    : read_files(config, linear, transport, own);
  for (const Dataset& data : division.sets)
    problem.data.push_back({.name = data.name, .digest = data.digest, .rows = data.rows()});
  const DataFacts& facts = division.facts;
  const auto m = static_cast<double>(facts.rows);  // M
  const LinearModelOptions options{
      .weight = static_cast<double>(transport.layout().clients) / m,  // n/M
      .l2 = linear.keys.l2.value.value_or(1.0 / m),
      .intercept = linear.keys.intercept,
      .rows = {.precision = linear.keys.precision, .codes = codes_of(linear.keys.storage)}};
  problem.l2 = options.l2;
  const bool logistic = config.problem.kind == ProblemKind::logistic;
  problem.clients.resize(division.shares.size());
  pool.for_each(division.shares.size(), [&](std::size_t k, std::size_t) {
    const Share& share = division.shares[k];
    problem.clients[k] = logistic ? client_of<LogisticLoss>(share, options, linear.keys.storage)
                                  : client_of<SquaredLoss>(share, options, linear.keys.storage);
  });
  problem.start = Vector::Zero(facts.dim + (options.intercept ? 1 : 0));
  problem.summary = summary_of(config, division, problem.dim(), options.l2);
  return problem;
}

Problem net_problem(const ProblemSetup& config, const NetSpec& spec, std::size_t workers) {
  located(config.problem.place, [&] { require_networks(spec); });
  const ImageData images = located(config.problem.place, [&] { return read_images(spec.data); });
  LabelledRows rows = labelled_rows(images.train);
  if (spec.images && *spec.images < rows.label.size()) rows.label.resize(*spec.images);
  const SplitOptions options = config.federation.split_options();
  const Partition partition = located(config.federation.place, [&] { return split_rows(rows, options, config.seed); });
  NetProblem net = located(config.problem.place,
                           [&] { return make_net_problem(spec, images, partition, config.problem.seed, workers); });
  Problem problem;
  problem.clients = std::move(net.clients);
  problem.start = std::move(net.start);
  problem.test = std::move(net.test);
  problem.split_manifest = manifest_text(rows, options, config.seed, partition);
  for (const ImageSet* set : {&images.train, &images.test})
    problem.data.push_back({.name = set->name, .digest = set->digest, .rows = set->images()});
  problem.summary = fmt::format("{} on {}: {} images, {} parameters, {} clients ({}), {}", spec.model, spec.data,
                                rows.label.size(), problem.dim(), options.clients, division_text(options), net.arithmetic);
  return problem;
}

void set_start(const StartPoint& x0, Problem& problem) {
  if (x0.generators_own()) return;
  if (x0.entry) {
    problem.start.setConstant(*x0.entry);
    return;
  }
  problem.start = point_from_file(x0.file, "x0", problem.dim());
}

// What every peer can make whole, it makes whole and keeps its own part of.
void keep_hosted(const Layout& layout, ClientObjectives& clients) {
  DRIFTLESS_ASSERT(clients.size() == layout.clients, "the problem and the transport have different numbers of clients");
  ClientObjectives hosted;
  for (const ClientId id : layout.hosted) hosted.push_back(std::move(clients[id]));
  clients = std::move(hosted);
}

Problem problem_of(const ProblemSetup& config, Transport& transport, ThreadPool& pool, const SiteData& own) {
  if (const auto* linear = std::get_if<LinearProblem>(&config.problem.details))
    return linear_problem(config, *linear, transport, pool, own);
  const auto* net = std::get_if<NetSpec>(&config.problem.details);
  Problem problem = net != nullptr ? net_problem(config, *net, pool.size()) : located(config.problem.place, [&] {
    return quadratic_problem(std::get<QuadraticSpec>(config.problem.details));
  });
  keep_hosted(transport.layout(), problem.clients);
  return problem;
}

// Files in a cache belong to one process: several could find different ones.
std::optional<Reference> find_reference(const ProblemSetup& config, const Problem& problem, Transport& transport,
                                        ThreadPool& pool) {
  Federation fed(problem.clients, problem.dim(), transport, pool, 1, std::make_unique<SeededChance>(1));
  if (transport.layout().peers == 1)
    return cached_reference(fed, {cache_folder(), problem_digest(config, problem)},
                            config.problem.reference == ReferenceChoice::fresh);
  auto found = exact_reference(fed);
  return found ? std::optional(std::move(found->optimum)) : std::nullopt;
}

}  // namespace

Vector point_from_file(const std::string& file, const std::string& place, Index dim) {
  Vector point = read_npy(file);
  if (point.size() == dim) return point;
  throw DataError({.what = "the point has another dimension than the problem",
                   .seen = place + ": " + file + ": " + std::to_string(point.size()) + " entries, the problem has " +
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

Problem make_problem(const ProblemSetup& config, ThreadPool& pool) {
  Solo transport(config.clients());
  return make_problem(config, transport, pool);
}

Problem make_problem(const ProblemSetup& config, Transport& transport, ThreadPool& pool, const SiteData& own) {
  const bool linear = std::holds_alternative<LinearProblem>(config.problem.details);
  if (!own.files.empty() && (!linear || config.federation.split))
    throw ConfigError({.what = "this configuration leaves no data to the sites",
                       .seen = "--data " + own.files.front().string(),
                       .advice = "leave --data out, or let the server's configuration say data = \"sites\""});
  Problem problem = problem_of(config, transport, pool, own);
  problem.n = transport.layout().clients;
  set_start(config.problem.x0, problem);
  if (config.problem.reference == ReferenceChoice::none) problem.reference.reset();
  else if (linear) problem.reference = find_reference(config, problem, transport, pool);
  if (config.needs_reference && !problem.reference)
    throw ConfigError({.what = "'gap' needs the optimum, which was not found for this problem",
                       .seen = config.problem.place + ": " + problem.summary,
                       .advice = "use stop.grad_norm, or give l2 > 0 so that there is one optimum"});
  return problem;
}

}  // namespace driftless
