#include "driftless/experiments/model_export.hpp"

#include "driftless/experiments/run_config.hpp"
#include "driftless/federation/in_process_transport.hpp"
#include "driftless/problems/make_problem.hpp"

#include <algorithm>

namespace driftless {
namespace {

namespace fs = std::filesystem;

std::string chosen_label(const RunConfig& config, const std::string& label) {
  std::string known;
  for (const MethodConfig& method : config.methods) known += (known.empty() ? "" : ", ") + method.label;
  if (label.empty() && config.methods.size() == 1) return config.methods.front().label;
  if (std::ranges::find(config.methods, label, &MethodConfig::label) != config.methods.end()) return label;
  throw ConfigError({.what = label.empty() ? "the run has several methods" : "the run has no such method",
                     .seen = label.empty() ? known : "--method " + label,
                     .advice = "give --method with one of: " + known});
}

}  // namespace

void export_model(const fs::path& directory, const std::string& label, const fs::path& file) {
  const RunConfig config = read_config(directory / "config.toml");
  const ModelExport write_model = config.problem.spec->model_export();
  if (!write_model)
    throw ConfigError({.what = "only neural networks can be exported",
                       .seen = directory.string() + ": kind = \"" + config.problem.kind + "\"",
                       .advice = "the model of this run is its model.npy, which NumPy reads"});
  ThreadPool pool(config.federation.threads);
  const Problem problem = make_problem(config, pool);
  const fs::path model = directory / chosen_label(config, label) / "model.npy";
  const Vector x = point_from_file(model.string(), "the model", problem.dim());
  InProcessTransport transport(problem.n);
  Federation fed(problem.clients, transport, pool, config.seed);
  write_model(x, fed.statistics(x, problem.test->statistics_size()), file.string());
}

}  // namespace driftless
