#include "driftless/peers/site_demands.hpp"

#include "driftless/core/printable.hpp"
#include "driftless/glm/cross_validation.hpp"
#include "driftless/glm/original_scale.hpp"
#include "driftless/methods/catalog.hpp"
#include "driftless/problems/glm/glm_keys.hpp"
#include "driftless/tables/schema_file.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace driftless {
namespace {

std::string joined_names(const std::vector<std::string>& names) { return printable(join(names), 1000); }

// What tables are asked for.
class TableDemands {
 public:
  explicit TableDemands(const GlmSetup& setup)
      : keys_(setup.keys), schema_(setup.schema), classes_(has_classes(setup.keys.family)) {}

  std::vector<std::string> run() const {
    std::vector<std::string> all{model(), reading(), "schema: SHA-256 " + schema_digest(schema_)};
    if (keys_.test > 0.0)
      all.push_back(fmt::format("test: {:g} of the rows here, by class, are kept for it and not fitted", keys_.test));
    all.push_back(texts());
    all.push_back(sums());
    all.push_back(penalty());
    return all;
  }

  // What follows the fit.
  std::vector<std::string> afterwards() const {
    const bool tested = keys_.test > 0.0 || !keys_.test_files.empty();
    const char* rows = tested ? "test rows" : "fitted rows";
    std::vector<std::string> all{fmt::format(
        "leaves to judge the model: {} over the fitted and the test rows here, "
        "added to those of all sites; once more for the {} here by themselves, "
        "where they are at least {}",
        classes_ ? "counts, a histogram of scores and sums of losses" : "counts and sums of losses and of squares",
        rows, keys_.min_rows)};
    if (tested && keys_.local_models)
      all.emplace_back("local model: fitted to the rows here alone; it stays here, its measures on the test rows leave "
                       "like those above");
    all.emplace_back(keys_.standard_errors
                         ? "leaves for standard errors: two or three matrices of all coefficients, up to 2000 of them"
                         : "standard errors: none");
    return all;
  }

 private:
  std::string columns_of(ColumnRole role) const {
    std::vector<std::string> names;
    for (const SchemaColumn& column : schema_.columns)
      if (column.role == role) names.push_back(column.name);
    return joined_names(names);
  }

  std::string model() const {
    const SchemaColumn& label = *schema_.of_role(ColumnRole::label);
    std::string text = fmt::format("model: kind \"glm\", family \"{}\"; explains '{}'", enum_name(keys_.family),
                                   printable(label.name));
    if (!label.levels.empty()) text += ", one of " + joined_names(label.levels);
    return text;
  }

  std::string reading() const {
    std::string text = "reads of the table:";
    constexpr std::array read{ColumnRole::label,   ColumnRole::numeric, ColumnRole::categorical,
                              ColumnRole::ordinal, ColumnRole::weight,  ColumnRole::offset};
    for (const ColumnRole role : read)
      if (const std::string names = columns_of(role); !names.empty())
        text += fmt::format(" {} {};", column_role_names[static_cast<std::size_t>(role)], names);
    return text + " nothing else";
  }

  std::string texts() const {
    std::vector<std::string> levels, classes;
    for (const SchemaColumn& column : schema_.columns)
      if (shares_texts(column, classes_)) (column.role == ColumnRole::label ? classes : levels).push_back(column.name);
    if (levels.empty() && classes.empty()) return "texts of cells that leave: none, the schema names all levels";
    std::string text = "texts of cells that leave (2 exchanges), and that every site gets:";
    if (!levels.empty()) text += " the levels of " + joined_names(levels);
    if (!levels.empty() && keys_.min_count > 1)
      text += fmt::format(", where fewer than {} rows here have one as \"(other)\"", keys_.min_count);
    if (!classes.empty()) text += (levels.empty() ? " the classes of " : "; the classes of ") + joined_names(classes);
    return text;
  }

  std::string sums() const {
    std::string text = "leaves in the preparation: counts of present and missing cells, of each level and class, sums "
                       "of numbers (1 exchange); sums of squares about the mean (1)";
    if (keys_.scale == Scaling::minmax) text += "; least and greatest number of each column here (1)";
    if (keys_.scale == Scaling::robust) text += "; counts of numbers below trial values (at most 65)";
    return text + "; the number and weight of the rows (1)";
  }

  std::string penalty() const {
    switch (keys_.l2.rule) {
      case GlmPenalty::Rule::number: return fmt::format("penalty: l2 = {:g}", keys_.l2.value);
      case GlmPenalty::Rule::per_row: return "penalty: l2 = 1/M for M rows in all";
      case GlmPenalty::Rule::cross_validation: break;
    }
    return fmt::format("penalty: by cross-validation before the fit: {} folds of {} values of l2, so {} fits by auto, "
                       "each of at most {} rounds, which send what auto sends; and for each a sum of losses",
                       keys_.folds, keys_.path_length, keys_.folds * keys_.path_length, most_rounds_of_a_fit);
  }

  const GlmKeys& keys_;
  const Schema& schema_;
  bool classes_;
};

std::string sent_by(const MethodConfig& method) {
  if (method.name == "auto")
    return "auto sends gradients, products with Hessians, or whole Hessians: matrices of all variables, unless its "
           "option 'matrices' is false";
  return fmt::format("{} sends {}", method.name, entry_for(find_method(method.name), method.settings).messages.up);
}

std::string ending(const StopConditions& stop) {
  std::vector<std::string> given, open;
  for (const auto& [key, value] : echo_options(stop))
    if (!value.empty()) given.push_back(key + " = " + value);
  if (!stop.rounds) open.emplace_back("rounds");
  if (!stop.exchanges) open.emplace_back("exchanges");
  if (!stop.seconds) open.emplace_back("seconds");
  return "ends at: " + join(given) + (open.empty() ? "" : "; without a limit of " + join(open));
}

std::vector<std::string> inspection(const RunConfig& config) {
  std::vector<std::string> all{"an inspection of the clients: L, mu and delta of their data, measured with Hessian "
                               "products; no model is left here"};
  if (config.inspect.trials)
    all.push_back(fmt::format("it also asks to try methods, each with at most {} exchanges and {} gradients, {:g} s "
                              "in all",
                              config.inspect.exchanges, config.inspect.grad_evals, config.inspect.seconds));
  return all;
}

void append(std::vector<std::string>& all, std::vector<std::string> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

std::string methods_of(const RunConfig& config) {
  std::vector<std::string> methods;
  for (const MethodConfig& method : config.methods) methods.push_back(method.name);
  return join(methods);
}

std::vector<std::string> demands_of(const SiteOffer& offer, const RunConfig& config) {
  const GlmSetup* tables = config.problem.spec->tables();
  std::vector<std::string> all{fmt::format("the server asks site '{}' to host {} of {} clients{}", offer.site,
                                           offer.layout.hosted.size(), offer.layout.clients,
                                           config.inspect.over_network ? "" : " and to run " + methods_of(config))};
  if (tables != nullptr) append(all, TableDemands(*tables).run());
  else if (config.problem.spec->takes_clients())
    all.emplace_back(
        "problem: functions of this site's own; of each, the numbers of variables and rows and the weights "
        "of known penalties leave");
  else
    all.push_back(fmt::format("problem: kind \"{}\"; of data, the numbers of rows and columns and the labels leave",
                              config.problem.kind));
  if (config.inspect.over_network) {
    append(all, inspection(config));
    return all;
  }
  for (const MethodConfig& method : config.methods) all.push_back(sent_by(method));
  if (config.network.secure_sum)
    all.push_back(fmt::format("masks: rows are masked, so that the server learns sums over at least {} sites",
                              config.network.least_sites));
  if (!config.federation.rule().is_mean())
    all.push_back(fmt::format("aggregation: {}, for which all sites and the server get what each client sends",
                              enum_name(*config.federation.aggregation)));
  all.push_back(ending(config.stop));
  if (tables != nullptr) append(all, TableDemands(*tables).afterwards());
  return all;
}

}  // namespace driftless
