#include "driftless/problems/linear/linear_data.hpp"

#include "driftless/data/manifest.hpp"
#include "driftless/data/split_rows.hpp"
#include "driftless/files/base_name.hpp"
#include "driftless/problems/hosted_files.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

namespace driftless {
namespace {

Dataset load(const ProblemSetup& setup, const LinearSource& source, const std::string& path,
             const LibsvmOptions& options) {
  if (const auto* spec = std::get_if<SparseClassificationSpec>(&source))
    return located(setup.problem.source, [&] { return generate_classification(*spec, setup.problem.seed); });
  return read_libsvm(path, options);
}

}  // namespace

std::optional<LargestFeature> largest_feature(std::span<const Dataset> sets) {
  std::optional<LargestFeature> largest;
  for (const Dataset& set : sets) {
    const auto found = std::ranges::max_element(set.value, {}, [](double value) { return std::abs(value); });
    if (found == set.value.end() || (largest && std::abs(*found) <= std::abs(largest->value))) continue;
    const auto entry = static_cast<std::size_t>(found - set.value.begin());
    largest = {.column = static_cast<Index>(set.column[entry]) + 1, .value = *found};
  }
  return largest;
}

LinearData divided_data(const ProblemSetup& setup, const LinearSource& source, const std::string& path,
                        const LibsvmOptions& options, const Layout& layout) {
  LinearData all;
  all.sets.push_back(load(setup, source, path, options));
  const Dataset& data = all.sets.front();
  all.facts = {.rows = data.rows(), .dim = data.dim, .positive_label = {}};
  const SplitOptions split = setup.federation.split_options();
  Partition partition = located(setup.federation.source, [&] { return split_rows(data, split, setup.seed); });
  all.split_manifest = manifest_text(data, split, setup.seed, partition);
  for (const ClientId id : layout.hosted) all.clients.push_back({&data, std::move(partition.clients[id])});
  all.name = base_name(data.name);
  all.division = split_text(split);
  return all;
}

namespace {

// The sets of the hosted clients, from files or from the memory of the site.
class HostedSets {
 public:
  HostedSets(const ProblemSetup& setup, const PeerResources& peer) : sets_(peer.own.sets) {
    const std::size_t hosted = peer.transport.layout().hosted.size();
    if (sets_.empty()) files_ = hosted_files(setup, peer);
    else if (sets_.size() != hosted)
      throw ConfigError({.what = "a site needs the rows of each client it hosts",
                         .seen = fmt::format("rows of {} clients were given, {} are hosted", sets_.size(), hosted),
                         .advice = "give a pair of a matrix and labels for each client"});
  }

  std::vector<Dataset> read(const LibsvmOptions& options) const {
    if (sets_.empty()) return read_libsvm_files(files_, options);
    std::vector<Dataset> sets = sets_;
    for (Dataset& set : sets) adapt(set, options);
    return sets;
  }

 private:
  // What reading a file does with its columns and labels.
  static void adapt(Dataset& set, const LibsvmOptions& options) {
    if (options.dim && set.dim > *options.dim)
      throw DataError({.what = "a matrix has more columns than the problem",
                       .seen = fmt::format("{}: {} columns, dim = {}", set.name, set.dim, *options.dim),
                       .advice = "give the matrix of this problem, or set problem.dim at the server"});
    if (options.dim) set.dim = *options.dim;
    if (options.labels == Labels::binary)
      for (double& label : set.label) label = label == options.positive_label ? 1.0 : -1.0;
  }

  const std::vector<Dataset>& sets_;
  std::vector<std::filesystem::path> files_;
};

}  // namespace

LinearData client_files(const ProblemSetup& setup, const LibsvmOptions& options, const PeerResources& peer) {
  const HostedSets hosted(setup, peer);
  LinearData all;
  if (peer.transport.layout().peers > 1) {
    // The dimension and the meaning of labels follow from the files of all peers, so files are read twice: first as
    // they are written, then with what the peers agreed on.
    const std::vector<Dataset> as_written =
        hosted.read({.dim = options.dim, .labels = Labels::real, .cache = options.cache});
    for (const Dataset& data : as_written) peer.own.require_rows(data.name, data.rows());
    all.facts = agree_on_facts(as_written, options, peer.transport);
    LibsvmOptions agreed = options;
    agreed.dim = all.facts.dim;
    agreed.positive_label = all.facts.positive_label;
    agreed.positive_label_occurs = false;  // at some site, not necessarily at this one
    all.sets = hosted.read(agreed);
  } else {
    all.sets = hosted.read(options);
    all.facts = agree_on_facts(all.sets, {.dim = options.dim, .labels = Labels::real}, peer.transport);
  }
  for (const Dataset& data : all.sets) all.clients.push_back({&data, all_rows(data)});
  all.name = fmt::format("{} files", setup.clients());
  all.division = "one file each";
  return all;
}

}  // namespace driftless
