#include "driftless/experiments/run_config.hpp"

#include "driftless/config/config_table.hpp"
#include "driftless/config/overrides.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/methods/catalog.hpp"

#include <algorithm>

namespace driftless {
namespace {

struct TopKeys {
  std::size_t seed = 1;

  static Fields fields() { return {field("seed", &TopKeys::seed, anything, "everything random follows from it")}; }
};

// Rounding may keep the gradient above any tolerance.
constexpr std::size_t usual_rounds = 1000;

StopConditions read_stop(const ConfigTable& table, const ProblemConfig& problem) {
  StopConditions stop;
  read_table(table, stop);
  if (const std::optional<double> usual = problem.spec->usual_grad_norm(); usual && !stop.any())
    stop = {.rounds = usual_rounds, .grad_norm_relative = usual};
  if (const ConfigKey* gap = table.find("gap"); gap != nullptr && !problem.may_have_reference())
    throw ConfigError({.what = "'gap' needs the optimum, which is not known for this problem",
                       .seen = gap->location + ": " + shown(*gap),
                       .advice = "use 'grad_norm', or a convex problem with reference = \"auto\""});
  return stop;
}

OutputConfig read_output(const ConfigTable& table, const std::filesystem::path& file) {
  OutputConfig output;
  output.name = file.stem().string();
  read_table(table, output);
  if (output.name.find('/') != std::string::npos)
    throw ConfigError({.what = "'name' is the beginning of a folder's name, not a path",
                       .seen = table.location + ": name = " + toml_string(output.name),
                       .advice = "put the path into 'dir'"});
  return output;
}

void require_stop(const StopConditions& stop, const ConfigTable& table) {
  if (stop.any()) return;
  throw ConfigError(
      {.what = "nothing ends the run",
       .seen = table.location + ": [stop] is missing or empty",
       .advice = "add a table [stop] with rounds = 100, or another of " + join(option_names<StopConditions>())});
}

void reject_search(const ConfigDocument& document) {
  for (const SearchTable& search : document.searches)
    if (!search.location.empty())
      throw ConfigError({.what = "a method leaves options to a search",
                         .seen = search.location + ": [method.search]",
                         .advice = "use 'driftless tune' to find their values, or give each a value"});
}

void complete(ConfigDocument& document, const std::string& file, MethodTables methods) {
  if (document.methods.empty() && methods == MethodTables::or_auto) add_default_method(document, file);
}

}  // namespace

ConfigDocument load_document(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                             MethodTables methods) {
  ConfigDocument document = read_document(file);
  complete(document, file.string(), methods);
  apply_environment(document);
  for (const std::string& assignment : overrides) apply_override(document, assignment);
  return document;
}

RunConfig read_frame(const ConfigDocument& document, const std::filesystem::path& file,
                     std::span<const ProblemKind> kinds) {
  TopKeys top;
  read_table(document.top, top);
  RunConfig config;
  config.seed = top.seed;
  config.federation = read_federation(document.federation);
  config.problem = read_problem(document.problem, config.federation, top.seed, kinds);
  config.stop = read_stop(document.stop, config.problem);
  config.needs_reference = config.stop.gap.has_value();
  config.output = read_output(document.output, file);
  read_table(document.inspect, config.inspect);
  config.network = read_network(document.network, config.federation.clients.value_or(1));
  if (config.network.secure_sum && config.federation.sum == Summation::tree)
    throw ConfigError({.what = "sums of real numbers cannot be masked",
                       .seen = config.network.location + ": secure_sum = true, federation.sum = \"tree\"",
                       .advice = "set federation.sum = \"fixed\", or leave it out"});
  return config;
}

namespace {

std::string methods_with_robust_means() {
  std::vector<std::string> names;
  for (const MethodEntry& entry : method_catalog())
    if (entry.takes_robust_means) names.push_back(entry.name);
  return join(names, ", ");
}

bool sends_codes(const MethodConfig& method) {
  return std::ranges::any_of(method.settings, [](const auto& setting) {
    return setting.first == "compressor" && setting.second != OptionValue(std::string("identity"));
  });
}

void require_sums(const RunConfig& config) {
  if (!config.network.secure_sum) return;
  for (const MethodConfig& method : config.methods)
    if (find_method(method.name).family == "graph")
      throw ConfigError({.what = "clients on a graph get the rows of their neighbours, and secure_sum is on",
                         .seen = config.network.location + ": secure_sum = true, method " + toml_string(method.label),
                         .advice = "use a method with a server; docs/privacy.md lists them"});
}

// Theorems are of the mean, and so is what codes are compensated for; other methods keep sums that only means keep.
void require_fit(const RunConfig& config) {
  const FederationConfig& federation = config.federation;
  if (federation.rule().is_mean()) return;
  const std::string chosen = "aggregation = " + toml_string(enum_name(*federation.aggregation));
  if (config.network.secure_sum)
    throw ConfigError({.what = "secure sums hide the rows that a robust mean needs",
                       .seen = config.network.location + ": secure_sum = true, " + chosen,
                       .advice = "use aggregation = \"mean\", or leave 'secure_sum' out"});
  const auto reject = [&](const MethodConfig& method, const std::string& why, const std::string& advice) {
    throw ConfigError({.what = why,
                       .seen = federation.source.location + ": " + chosen + ", method " + toml_string(method.label),
                       .advice = advice});
  };
  for (const MethodConfig& method : config.methods) {
    if (!find_method(method.name).takes_robust_means)
      reject(method, "a method needs the mean of its rows itself",
             "use aggregation = \"mean\", or one of " + methods_with_robust_means());
    if (sends_codes(method))
      reject(method, "codes of rows are summed, and have no " + std::string(enum_name(*federation.aggregation)),
             "leave 'compressor' out, or use aggregation = \"mean\"");
    if (method.certificate)
      reject(method, "theorems hold for the mean of the rows",
             "leave 'certificate' out, or use aggregation = \"mean\"");
  }
}

RunConfig config_of(const ConfigDocument& document, const std::filesystem::path& file, Paths paths) {
  reject_search(document);
  RunConfig config = read_frame(document, file);
  if (!document.methods.empty())
    config.methods = read_methods(document.methods, file.string(), config.seed, config.stop.grad_norm);
  require_sums(config);
  require_fit(config);
  require_stop(config.stop, document.stop);
  if (paths == Paths::resolved) resolve_paths(config.problem, config.federation);
  return config;
}

}  // namespace

RunConfig read_config(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                      MethodTables methods, Paths paths) {
  return config_of(load_document(file, overrides, methods), file, paths);
}

RunConfig parse_config(std::string_view text, const std::string& name, Paths paths) {
  ConfigDocument document = parse_document(text, name);
  complete(document, name, MethodTables::or_auto);
  return config_of(document, name, paths);
}

std::string head_text(const RunConfig& config) {
  return "seed = " + std::to_string(config.seed) + "\n\n" + problem_text(config.problem) + "\n" +
         federation_text(config.federation) + "\n";
}

std::string canonical_text(const RunConfig& config, Formulas formulas) {
  std::string text = head_text(config);
  for (const MethodConfig& method : config.methods) text += method_text(method, formulas) + "\n";
  return text + "[stop]\n" + toml_lines(echo_options(config.stop)) + "\n" + network_text(config.network) +
         "[output]\n" + toml_lines(echo_options(config.output));
}

std::string short_hash(const RunConfig& config) { return short_hash(canonical_text(config, Formulas::hidden)); }

}  // namespace driftless
