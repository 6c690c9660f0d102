#include "driftless/run/run_config.hpp"

#include "driftless/data/digest.hpp"
#include "driftless/run/config_table.hpp"
#include "driftless/run/overrides.hpp"

namespace driftless {
namespace {

struct TopKeys {
  std::size_t seed = 1;

  static constexpr auto fields() {
    return std::tuple{field("seed", &TopKeys::seed, anything, "everything random follows from it")};
  }
};

StopConditions read_stop(const ConfigTable& table, const ProblemConfig& problem) {
  StopConditions stop;
  read_table(table, stop);
  if (!stop.any())
    throw ConfigError(
        {.what = "nothing ends the run",
         .seen = table.place + ": [stop] is missing or empty",
         .advice = "add a table [stop] with rounds = 100, or another of " + join(option_names<StopConditions>())});
  if (const ConfigKey* gap = table.find("gap"); gap != nullptr && !problem.may_have_reference())
    throw ConfigError({.what = "'gap' needs the optimum, which is not known for this problem",
                       .seen = gap->place + ": " + shown(*gap),
                       .advice = "use 'grad_norm', or a convex problem with reference = \"auto\""});
  return stop;
}

OutputConfig read_output(const ConfigTable& table, const std::filesystem::path& file) {
  OutputConfig output;
  output.name = file.stem().string();
  read_table(table, output);
  if (output.name.find('/') != std::string::npos)
    throw ConfigError({.what = "'name' is the beginning of a folder's name, not a path",
                       .seen = table.place + ": name = " + toml_string(output.name),
                       .advice = "put the path into 'dir'"});
  return output;
}

}  // namespace

RunConfig read_config(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                      MethodTables methods) {
  ConfigDocument document = read_document(file);
  apply_environment(document);
  for (const std::string& assignment : overrides) apply_override(document, assignment);

  TopKeys top;
  read_table(document.top, top);
  RunConfig config;
  config.seed = top.seed;
  config.federation = read_federation(document.federation);
  config.problem = read_problem(document.problem, config.federation, top.seed);
  if (methods == MethodTables::needed || !document.methods.empty())
    config.methods = read_methods(document.methods, file.string(), top.seed);
  config.stop = read_stop(document.stop, config.problem);
  config.output = read_output(document.output, file);
  resolve_paths(config.problem, config.federation);
  return config;
}

std::string canonical_text(const RunConfig& config, Formulas formulas) {
  std::string text = "seed = " + std::to_string(config.seed) + "\n\n" + problem_text(config.problem) + "\n" +
                     federation_text(config.federation, config.problem) + "\n";
  for (const MethodConfig& method : config.methods) text += method_text(method, formulas) + "\n";
  return text + "[stop]\n" + toml_lines(echo_options(config.stop)) + "\n[output]\n" +
         toml_lines(echo_options(config.output));
}

std::string short_hash(const RunConfig& config) {
  constexpr std::size_t digits = 8;
  return sha256(canonical_text(config, Formulas::hidden)).substr(0, digits);
}

}  // namespace driftless
