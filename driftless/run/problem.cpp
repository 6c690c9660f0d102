#include "driftless/run/problem.hpp"

#include "driftless/data/digest.hpp"
#include "driftless/data/libsvm_reader.hpp"
#include "driftless/data/manifest.hpp"
#include "driftless/nets/net_problem.hpp"
#include "driftless/objectives/linear_model.hpp"
#include "driftless/objectives/quadratic_generator.hpp"
#include "driftless/run/machine.hpp"
#include "driftless/run/npy.hpp"
#include "driftless/run/reference.hpp"

#include <fmt/format.h>
#include <numeric>

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

template <class Loss, class Rows>
void add_clients(const std::vector<Share>& shares, const LinearModelOptions& options, ClientObjectives& clients) {
  for (const Share& share : shares)
    clients.push_back(make_client(LinearModel<Loss, Rows>(*share.data, share.rows, options)));
}

template <class Loss>
void add_clients(const std::vector<Share>& shares, const LinearModelOptions& options, bool dense,
                 ClientObjectives& clients) {
  if (dense) add_clients<Loss, DenseRows>(shares, options, clients);
  else add_clients<Loss, SparseRows>(shares, options, clients);
}

std::vector<Dataset> load(const RunConfig& config, const LinearProblem& linear) {
  if (const auto* spec = std::get_if<SparseClassificationSpec>(&linear.source)) {
    std::vector<Dataset> generated;
    generated.push_back(
        located(config.problem.place, [&] { return generate_classification(*spec, config.problem.seed); }));
    return generated;
  }
  const auto& keys = std::get<FileKeys>(linear.source);
  LibsvmOptions options;
  if (keys.dim) options.dim = static_cast<Index>(*keys.dim);
  options.labels = config.problem.kind == ProblemKind::logistic ? Labels::binary : Labels::real;
  options.positive_label = keys.positive_label;
  std::vector<std::filesystem::path> paths(config.federation.files.begin(), config.federation.files.end());
  if (paths.empty()) paths.emplace_back(linear.keys.data);
  return read_libsvm_files(paths, options);
}

std::vector<Share> divide(const RunConfig& config, const std::vector<Dataset>& sets, Problem& problem) {
  std::vector<Share> shares;
  if (!config.federation.files.empty()) {
    for (const Dataset& data : sets) {
      std::vector<std::int32_t> all(data.rows());
      std::iota(all.begin(), all.end(), 0);
      shares.push_back({&data, std::move(all)});
    }
    return shares;
  }
  const SplitOptions options = config.federation.split_options();
  Partition partition =
      located(config.federation.place, [&] { return split_rows(sets.front(), options, config.seed); });
  problem.split_manifest = manifest_text(sets.front(), options, config.seed, partition);
  for (auto& rows : partition.clients) shares.push_back({&sets.front(), std::move(rows)});
  return shares;
}

std::string division_text(const SplitOptions& split) {
  const std::string name(enum_name(split.split));
  return uses_alpha(split.split) ? fmt::format("{} {}", name, number(split.alpha)) : name;
}

std::string summary_of(const RunConfig& config, const std::vector<Dataset>& sets, std::size_t rows, Index dim,
                       double l2) {
  const SplitOptions split = config.federation.split_options();
  const bool files = !config.federation.files.empty();
  const std::string division = files ? "one file each" : division_text(split);
  return fmt::format("{} on {}: {} rows, {} variables, {} clients ({}), l2 = {:.4g}", enum_name(config.problem.kind),
                     files ? fmt::format("{} files", sets.size()) : sets.front().name, rows, dim, split.clients,
                     division, l2);
}

Problem linear_problem(const RunConfig& config, const LinearProblem& linear) {
  Problem problem;
  const std::vector<Dataset> sets = load(config, linear);
  const std::vector<Share> shares = divide(config, sets, problem);
  std::size_t rows = 0;  // M
  bool dense = true;
  for (const Dataset& data : sets) {
    problem.data.push_back({.name = data.name, .digest = data.digest, .rows = data.rows()});
    rows += data.rows();
    dense = dense && prefers_dense(data);
  }
  if (linear.keys.storage != Storage::automatic) dense = linear.keys.storage == Storage::dense;
  const double m = static_cast<double>(rows);
  const LinearModelOptions options{.weight = static_cast<double>(shares.size()) / m,  // n/M
                                   .l2 = linear.keys.l2.value.value_or(1.0 / m),
                                   .intercept = linear.keys.intercept};
  problem.l2 = options.l2;
  if (config.problem.kind == ProblemKind::logistic) add_clients<LogisticLoss>(shares, options, dense, problem.clients);
  else add_clients<SquaredLoss>(shares, options, dense, problem.clients);
  problem.start = Vector::Zero(problem.clients.front()->dim());
  problem.summary = summary_of(config, sets, rows, problem.dim(), options.l2);
  return problem;
}

Problem net_problem(const RunConfig& config, const NetSpec& spec, std::size_t workers) {
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
                                rows.label.size(), problem.dim(), options.clients, division_text(options), net.place);
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

Problem problem_of(const RunConfig& config, const ThreadPool& pool) {
  if (const auto* linear = std::get_if<LinearProblem>(&config.problem.details)) return linear_problem(config, *linear);
  if (const auto* net = std::get_if<NetSpec>(&config.problem.details)) return net_problem(config, *net, pool.size());
  return located(config.problem.place,
                 [&] { return quadratic_problem(std::get<QuadraticSpec>(config.problem.details)); });
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

Problem make_problem(const RunConfig& config, ThreadPool& pool) {
  const auto* linear = std::get_if<LinearProblem>(&config.problem.details);
  Problem problem = problem_of(config, pool);
  set_start(config.problem.x0, problem);
  if (config.problem.reference == ReferenceChoice::none) problem.reference.reset();
  else if (linear != nullptr)
    problem.reference = cached_reference(problem.clients, pool, {cache_folder(), problem_digest(config, problem)},
                                         config.problem.reference == ReferenceChoice::fresh);
  if (config.stop.gap && !problem.reference)
    throw ConfigError({.what = "'gap' needs the optimum, which was not found for this problem",
                       .seen = config.problem.place + ": " + problem.summary,
                       .advice = "use stop.grad_norm, or give l2 > 0 so that there is one optimum"});
  return problem;
}

}  // namespace driftless
