#include "driftless/peers/policy_check.hpp"

#include "driftless/glm/cross_validation.hpp"
#include "driftless/glm/original_scale.hpp"
#include "driftless/methods/catalog.hpp"
#include "driftless/methods/second_order/whole_hessians.hpp"
#include "driftless/problems/glm/glm_keys.hpp"
#include "driftless/tables/schema_file.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace driftless {
namespace {

constexpr const char* another = "allow it, or ask for another configuration";

// One column as a schema has it, on one line.
std::string text_of(const SchemaColumn* column) {
  if (column == nullptr) return "no such column";
  std::string text = column_text(*column);
  text.erase(0, text.find('\n', text.find('\n') + 1) + 1);  // without [[column]] and the name
  while (text.ends_with('\n')) text.pop_back();
  std::ranges::replace(text, '\n', ',');
  return text;
}

// Where the schemas differ first; `theirs` is the server's.
std::string difference(const Schema& theirs, const Schema& ours) {
  const auto differs = [&](const std::string& name) { return text_of(theirs.find(name)) != text_of(ours.find(name)); };
  for (const Schema* schema : {&theirs, &ours})
    for (const SchemaColumn& column : schema->columns)
      if (differs(column.name))
        return fmt::format("column '{}': the server has {}; this site has {}", column.name,
                           text_of(theirs.find(column.name)), text_of(ours.find(column.name)));
  return format_text(theirs.format) != format_text(ours.format) ? "how cells are written differs"
                                                                : "the columns have another order";
}

class PolicyCheck {
 public:
  PolicyCheck(const StatedPolicy& policy, const RunConfig& config)
      : policy_(policy), config_(config), tables_(config.problem.spec->tables()) {}

  void run() const {
    require_listed("kinds", policy_->kinds, config_.problem.kind, "kind of problem");
    if (tables_ != nullptr) check_tables();
    if (config_.inspect.over_network) check_trials();
    else check_methods();
  }

 private:
  [[noreturn]] void reject(std::string_view key, std::string what, const std::string& asked,
                           std::string advice = another) const {
    throw ConfigError(
        {.what = std::move(what), .seen = asked + "; " + policy_.shown(key), .advice = std::move(advice)});
  }

  void require_listed(const char* key, const std::vector<std::string>& allowed, const std::string& asked,
                      const char* noun) const {
    if (!allowed.empty() && std::ranges::count(allowed, asked) == 0)
      reject(key, fmt::format("the server asks for a {} that this site does not allow", noun),
             fmt::format("{} '{}'", noun, asked));
  }

  void check_tables() const {
    const GlmKeys& keys = tables_->keys;
    require_listed("families", policy_->families, std::string(enum_name(keys.family)), "family");
    check_schema();
    require_least("min_rows", keys.min_rows, policy_->min_rows);
    require_least("min_count", keys.min_count, policy_->min_count);
    check_texts();
    if (!policy_->matrices && keys.standard_errors)
      reject("matrices", "the server asks for matrices, which do not leave this site", "problem.standard_errors = true",
             "ask for problem.standard_errors = false, or allow matrices");
    if (keys.l2.rule == GlmPenalty::Rule::cross_validation) check_cross_validation();
  }

  void check_schema() const {
    const std::string offered = schema_digest(tables_->schema);
    if (!policy_->schema.empty()) {
      const Schema own = read_schema(policy_->schema);
      if (offered != schema_digest(own))
        reject("schema", "the schema of the server is not the one of this site", difference(tables_->schema, own),
               "use the same schema file at the server and at all sites");
    }
    if (!policy_->schema_digests.empty() && std::ranges::count(policy_->schema_digests, offered) == 0)
      reject("schema_digests", "the schema of the server is none that this site allows", "SHA-256 " + offered,
             "read the schema ('driftless join --dry-run' prints it), then add its digest");
  }

  void require_least(const char* key, std::size_t asked, std::size_t least) const {
    if (asked < least)
      reject(key, fmt::format("the server uses a smaller '{}' than this site allows", key),
             fmt::format("problem.{} = {}", key, asked),
             fmt::format("ask for problem.{} = {} or more, or allow less", key, least));
  }

  void check_texts() const {
    if (policy_->level_texts) return;
    const bool classes = has_classes(tables_->keys.family);
    for (const SchemaColumn& column : tables_->schema.columns)
      if (shares_texts(column, classes))
        reject("level_texts", "the server asks for texts of cells, which do not leave this site",
               fmt::format("column '{}' has no 'levels' in the schema", column.name),
               "name its levels in the schema, or allow texts");
  }

  void check_cross_validation() const {
    const GlmKeys& keys = tables_->keys;
    const std::string asked =
        fmt::format("problem.l2 = \"cv\": {} folds of {} values of l2", keys.folds, keys.path_length);
    if (policy_->max_fits && keys.folds * keys.path_length > *policy_->max_fits)
      reject("max_fits", "the server asks for more fits than this site allows", asked,
             "ask for a number as problem.l2, or for fewer folds or values, or allow more");
    if (!policy_->methods.empty() && std::ranges::count(policy_->methods, "auto") == 0)
      reject("methods", "the server asks for a cross-validation, whose method this site does not allow",
             asked + ", each fitted by 'auto'", "allow 'auto', or ask for a number as problem.l2");
    if (policy_->max_rounds && *policy_->max_rounds < most_rounds_of_a_fit)
      reject("max_rounds", "a fit of the cross-validation may take more rounds than this site allows",
             fmt::format("{}, each of at most {} rounds", asked, most_rounds_of_a_fit),
             "allow as many rounds, or ask for a number as problem.l2");
    if (!policy_->matrices)
      reject("matrices", "the server asks for matrices, which do not leave this site",
             asked + ", each fitted by 'auto', which may send Hessians", "ask for a number as problem.l2");
  }

  // An inspection tries methods of the program's choice, in rounds of at least an exchange.
  void check_trials() const {
    if (!config_.inspect.trials) return;
    for (const char* key : {"methods", "max_rounds", "max_exchanges", "max_seconds", "matrices"})
      if (policy_.states(key) && limits_trials(key))
        reject(key, "the server asks to try methods, which this site limits",
               fmt::format("trials of {} exchanges, {:g} s in all", config_.inspect.exchanges, config_.inspect.seconds),
               "leave the limits out, or ask for 'serve --inspect -c inspect.trials=false'");
  }
  bool limits_trials(std::string_view key) const {
    if (key == "max_rounds") return *policy_->max_rounds < config_.inspect.exchanges;
    if (key == "max_exchanges") return *policy_->max_exchanges < config_.inspect.exchanges;
    if (key == "max_seconds") return *policy_->max_seconds < config_.inspect.seconds;
    return key == "matrices" ? !policy_->matrices : !policy_->methods.empty();
  }

  void check_methods() const {
    for (const MethodConfig& method : config_.methods) {
      require_listed("methods", policy_->methods, method.name, "method");
      if (!policy_->matrices && may_send_hessians(method.name, method.settings))
        reject("matrices", "the server asks for matrices, which do not leave this site",
               fmt::format("method '{}', which {} Hessians", method.name, method.name == "auto" ? "may send" : "sends"),
               "ask for a method with gradients or products alone, such as newton-cg or l-bfgs");
    }
    if (!policy_->shared_rows) check_sharing();
    if (policy_->secure_sum && !config_.network.secure_sum)
      reject("secure_sum", "the server would see the rows of this site", "network.secure_sum = false",
             "ask for network.secure_sum = true");
    require_most("max_rounds", "rounds", config_.stop.rounds, policy_->max_rounds);
    require_most("max_exchanges", "exchanges", config_.stop.exchanges, policy_->max_exchanges);
    require_most("max_seconds", "seconds", config_.stop.seconds, policy_->max_seconds);
  }

  void check_sharing() const {
    const std::string what = "the server asks for exchanges in which every site sees the rows of the others";
    const FederationConfig& federation = config_.federation;
    if (!federation.rule().is_mean())
      reject("shared_rows", what, fmt::format("federation.aggregation = \"{}\"", enum_name(*federation.aggregation)),
             "ask for federation.aggregation = \"mean\", or allow shared rows");
    for (const MethodConfig& method : config_.methods)
      if (find_method(method.name).family == "graph")
        reject("shared_rows", what, fmt::format("method '{}', which has no server", method.name),
               "ask for a method with a server, or allow shared rows");
  }

  template <class Number>
  void require_most(const char* key, const char* unit, const std::optional<Number>& asked,
                    const std::optional<Number>& most) const {
    if (most && (!asked || *asked > *most))
      reject(key, fmt::format("the server asks for more {} than this site allows", unit),
             fmt::format("stop.{} = {}", unit, asked ? fmt::format("{}", *asked) : "any"),
             fmt::format("allow more, or ask for stop.{} = {}", unit, *most));
  }

  const StatedPolicy& policy_;
  const RunConfig& config_;
  const GlmSetup* tables_;
};

}  // namespace

void require_allowed(const StatedPolicy& policy, const RunConfig& config) { PolicyCheck(policy, config).run(); }

SiteData site_data(const StatedPolicy& policy, const std::vector<std::string>& files) {
  SiteData data{.files = {files.begin(), files.end()}, .own_measures = policy->own_measures};
  if (policy.states("least_rows"))
    data.check_rows = [least = policy->least_rows, shown = policy.shown("least_rows")](const std::string& file,
                                                                                       std::size_t rows) {
      if (rows < least)
        throw ConfigError({.what = "this site does not take part with so few rows",
                           .seen = fmt::format("{}: {} rows that can be used; {}", file, rows, shown),
                           .advice = "give a table with more rows, or allow fewer"});
    };
  return data;
}

}  // namespace driftless
