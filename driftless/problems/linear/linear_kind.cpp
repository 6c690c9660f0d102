#include "driftless/problems/linear/linear_kind.hpp"

#include "driftless/console/log.hpp"
#include "driftless/data/column_scales.hpp"
#include "driftless/data/find_data.hpp"
#include "driftless/files/base_name.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/problems/data_division.hpp"
#include "driftless/problems/linear/linear_data.hpp"
#include "driftless/problems/reference_cache.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace driftless {
namespace {

bool is_generated(const LinearSource& source) { return std::holds_alternative<SparseClassificationSpec>(source); }

std::vector<std::pair<std::string, std::string>> echo_source(const LinearSource& source) {
  return std::visit([](const auto& keys) { return echo_options(keys); }, source);
}

class LinearProblemSpec final : public ProblemSpec {
 public:
  LinearProblemSpec(const LossInfo& loss, LinearKeys keys, LinearSource source)
      : loss_(loss), keys_(std::move(keys)), source_(std::move(source)) {}

  std::vector<std::pair<std::string, std::string>> echo() const override {
    auto lines = echo_options(keys_);
    for (auto& line : echo_source(source_)) lines.push_back(std::move(line));
    return lines;
  }

  ReferenceSource reference_source() const override {
    return loss_.convex && beta() == 0.0 ? ReferenceSource::solver : ReferenceSource::none;
  }

  std::shared_ptr<const ProblemSpec> with_absolute_paths(const ConfigTable& source) const override {
    if (is_generated(source_) || keys_.data.empty() || keys_.data == "sites") return nullptr;
    LinearKeys keys = keys_;
    keys.data = located(location_of(source, "data"), [&] { return absolute_path(find_data(keys.data)); });
    return std::make_shared<LinearProblemSpec>(loss_, std::move(keys), source_);
  }

  std::optional<LibsvmOptions> client_file_options() const override {
    if (is_generated(source_)) return std::nullopt;
    return file_options();
  }

  Problem make(const ProblemSetup& setup, const PeerResources& peer) const override {
    const Layout& layout = peer.transport.layout();
    LinearData data = setup.federation.split ? divided_data(setup, source_, keys_.data, file_options(), layout)
                                             : client_files(setup, file_options(), peer);
    if (layout.peers == 1 && loss_.labels == Labels::binary) warn_of_one_class(data.sets);
    if (const std::string hint = column_scales_hint(data.sets); !hint.empty()) log_warning(hint);
    const auto m = static_cast<double>(data.facts.rows);                                 // M
    const LinearModelOptions options{.weight = static_cast<double>(layout.clients) / m,  // n/M
                                     .l2 = keys_.l2.value.value_or(1.0 / m),
                                     .beta = beta(),
                                     .intercept = keys_.intercept,
                                     .rows = {.precision = keys_.precision}};
    Problem problem;
    problem.clients.resize(data.clients.size());
    peer.pool.for_each(data.clients.size(), [&](std::size_t k, std::size_t) {
      const ClientRows& client = data.clients[k];
      problem.clients[k] = loss_.make_client(*client.data, client.rows, options, keys_.storage);
    });
    problem.start = Vector::Zero(data.facts.dim + (keys_.intercept ? 1 : 0));
    problem.hessians = hessian_facts();
    for (const Dataset& set : data.sets)
      problem.data.push_back({.name = base_name(set.name), .digest = set.digest, .rows = set.rows()});
    problem.facts = {.data = data.name, .rows = data.facts.rows, .split = data.division};
    problem.l2 = options.l2;
    problem.beta = options.beta;
    problem.largest = largest_feature(data.sets);
    problem.split_manifest = std::move(data.split_manifest);
    problem.summary =
        fmt::format("{} on {}: {} rows, {} variables, {} clients ({}), l2 = {:.4g}", loss_.name, data.name,
                    data.facts.rows, problem.dim(), setup.clients(), data.division, options.l2);
    if (options.beta > 0.0) problem.summary += fmt::format(", beta = {:.4g}", options.beta);
    return problem;
  }

  void add_to_digest(Sha256& digest, const Problem& problem) const override {
    digest.add_text(enum_name(keys_.storage)).add_text(enum_name(keys_.precision));
    digest.add_word(keys_.intercept ? 1 : 0).add_number(problem.l2.value_or(0.0));
    if (problem.beta > 0.0) digest.add_number(problem.beta);  // convex problems keep their digests
    digest.add_word(problem.n).add_word(static_cast<std::uint64_t>(problem.dim()));
    for (const auto& [key, value] : echo_source(source_))
      if (key != "cache") digest.add_text(key).add_text(value);  // a cache does not change the rows
  }

 private:
  double beta() const { return keys_.beta.value_or(0.0); }

  static void warn_of_one_class(std::span<const Dataset> sets) {
    std::vector<double> labels;
    for (const Dataset& set : sets) labels.insert(labels.end(), set.label_values.begin(), set.label_values.end());
    if (labels.empty() || std::ranges::any_of(labels, [&](double label) { return label != labels.front(); })) return;
    log_warning("all rows have the label " + number(labels.front()) + ": there is nothing to tell apart");
  }

  LibsvmOptions file_options() const {
    LibsvmOptions options;
    options.labels = loss_.labels;
    const auto* files = std::get_if<FileKeys>(&source_);
    if (files == nullptr) return options;
    if (files->dim) options.dim = static_cast<Index>(*files->dim);
    options.positive_label = files->positive_label;
    const auto folder = files->cache ? cache_folder() : std::nullopt;
    if (folder) options.cache.emplace(*folder / "rows", log_warning);
    return options;
  }

  HessianFacts hessian_facts() const {
    HessianFacts facts{.constant = loss_.constant_curvature && beta() == 0.0};
    if (loss_.convex && loss_.curvature_at_zero > 0.0)
      facts.growth_from_zero = loss_.curvature / loss_.curvature_at_zero;
    return facts;
  }

  LossInfo loss_;
  LinearKeys keys_;
  LinearSource source_;
};

// Which keys the source of the rows has follows from 'data'.
LinearSource empty_source(const ConfigTable& table, bool from_files) {
  const ConfigKey* data = table.find("data");
  if (!from_files && data == nullptr)
    throw ConfigError(
        {.what = "'data' is required and has no default (a path, the name of known data, or \"generated\")",
         .seen = table.location + ": [problem]",
         .advice = R"(give data = "generated", data = "file.svm", or federation.files)"});
  if (data != nullptr && data->value == OptionValue(std::string("generated"))) return SparseClassificationSpec{};
  return FileKeys{};
}

std::shared_ptr<const ProblemSpec> read(const LossInfo& loss, const ConfigTable& table, FederationConfig& federation,
                                        ProblemConfig& problem) {
  const bool from_files = !federation.files.empty();
  if (from_files) match_files(table, federation);
  federation.clients = federation.required_clients();
  LinearKeys keys;
  LinearSource source = empty_source(table, from_files);
  std::visit([&](auto& own) { read_problem_table(table, problem, StartPoint{.entry = 0.0}, keys, own); }, source);
  if (problem.x0.from_generator())
    reject_key(table, "x0", "data has no start of its own", "give x0 = 0, another number, or the path of a .npy file");
  if (loss.labels == Labels::real && table.find("positive_label") != nullptr)
    reject_key(table, "positive_label", "'positive_label' has no meaning for a loss whose labels are numbers",
               "remove it");
  const bool from_sites = !is_generated(source) && keys.data == "sites";
  if (from_sites) require_no_split(federation);
  // Finding the optimum beforehand would train the model over the network before the run.
  if (from_sites && table.find("reference") == nullptr) problem.reference = ReferenceChoice::none;
  if (!federation.split && !from_files && !from_sites) federation.split = Split::iid;
  return std::make_shared<LinearProblemSpec>(loss, std::move(keys), std::move(source));
}

}  // namespace

ProblemKind linear_kind(const LossInfo& loss) {
  return {.name = std::string(loss.name),
          .read = [loss](const ConfigTable& table, FederationConfig& federation, ProblemConfig& problem) {
            return read(loss, table, federation, problem);
          }};
}

}  // namespace driftless
