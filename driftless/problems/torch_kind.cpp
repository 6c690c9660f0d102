#include "driftless/problems/torch_kind.hpp"

#include "driftless/data/find_data.hpp"
#include "driftless/data/images/read_images.hpp"
#include "driftless/data/manifest.hpp"
#include "driftless/data/split_rows.hpp"
#include "driftless/files/base_name.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/torch/net_problem.hpp"

#include <filesystem>
#include <fmt/format.h>

namespace driftless {
namespace {

class TorchProblemSpec final : public ProblemSpec {
 public:
  explicit TorchProblemSpec(NetSpec net) : net_(std::move(net)) {}

  std::vector<std::pair<std::string, std::string>> echo() const override { return echo_options(net_); }

  ReferenceSource reference_source() const override { return ReferenceSource::none; }

  std::shared_ptr<const ProblemSpec> with_absolute_paths(const ConfigTable& source) const override {
    NetSpec net = net_;
    if (net.is_file())
      net.model = located(location_of(source, "model"), [&] { return absolute_path(find_data(net.model)); });
    if (std::filesystem::is_directory(net.data)) net.data = absolute_path(net.data);
    return std::make_shared<TorchProblemSpec>(std::move(net));
  }

  Problem make(const ProblemSetup& setup, const PeerResources& peer) const override {
    const ConfigTable& source = setup.problem.source;
    located(source, [&] { require_networks(net_); });
    const ImageData images = located(location_of(source, "data"), [&] { return read_images(net_.data); });
    LabelledRows rows = labelled_rows(images.train);
    if (net_.images && *net_.images < rows.label.size()) rows.label.resize(*net_.images);
    const SplitOptions split = setup.federation.split_options();
    const Partition partition = located(setup.federation.source, [&] { return split_rows(rows, split, setup.seed); });
    NetProblem net = located(
        source, [&] { return make_net_problem(net_, images, partition, setup.problem.seed, peer.pool.size()); });
    Problem problem;
    problem.clients = std::move(net.clients);
    problem.start = std::move(net.start);
    problem.test = std::move(net.test);
    problem.split_manifest = manifest_text(rows, split, setup.seed, partition);
    for (const ImageSet* set : {&images.train, &images.test})
      problem.data.push_back({.name = base_name(set->name), .digest = set->digest, .rows = set->images()});
    problem.arithmetic = net.arithmetic;
    problem.facts = {.data = base_name(net_.data), .rows = rows.label.size(), .split = split_text(split)};
    problem.summary = fmt::format("{} on {}: {} images, {} parameters, {} clients ({}), {}", base_name(net_.model),
                                  problem.facts.data, rows.label.size(), problem.dim(), split.clients,
                                  split_text(split), problem.arithmetic);
    keep_hosted(peer.transport.layout(), problem.clients);
    return problem;
  }

  ModelExport model_export() const override {
    return [net = net_](const Vector& x, const Vector& statistics, const std::string& file) {
      export_net(net, read_images(net.data), x, statistics, file);
    };
  }

 private:
  NetSpec net_;
};

std::shared_ptr<const ProblemSpec> read_torch(const ConfigTable& table, FederationConfig& federation,
                                              ProblemConfig& problem) {
  if (!federation.files.empty())
    throw ConfigError({.what = "images are read from one folder and divided among the clients",
                       .seen = federation.source.location + ": [federation] has files",
                       .advice = "remove 'files', and choose the division with 'split'"});
  federation.clients = federation.required_clients();
  if (!federation.split) federation.split = Split::iid;
  NetSpec net;
  read_problem_table(table, problem, StartPoint{}, net);
  if (net.model.empty())
    throw ConfigError({.what = "'model' is required and has no default",
                       .seen = table.location + ": [problem]",
                       .advice = R"(give model = "softmax", "mlp", "cnn", "resnet18", or a TorchScript file (.pt))"});
  return std::make_shared<TorchProblemSpec>(std::move(net));
}

}  // namespace

ProblemKind torch_kind() { return {.name = "torch", .read = read_torch}; }

}  // namespace driftless
