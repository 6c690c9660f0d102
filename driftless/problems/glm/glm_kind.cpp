#include "driftless/problems/glm/glm_kind.hpp"

#include "driftless/console/log.hpp"
#include "driftless/core/printable.hpp"
#include "driftless/data/find_data.hpp"
#include "driftless/files/base_name.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/glm/cross_validation.hpp"
#include "driftless/glm/fit_report.hpp"
#include "driftless/glm/original_scale.hpp"
#include "driftless/problems/data_division.hpp"
#include "driftless/problems/glm/glm_tables.hpp"
#include "driftless/tables/counts_text.hpp"
#include "driftless/tables/fact_sums.hpp"
#include "driftless/tables/schema_file.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace driftless {
namespace {

bool has_two_classes(Family family) { return has_classes(family) && family != Family::multinomial; }

// Of one column; more are rarely meant.
constexpr std::size_t many_levels = 1000;

LabelUse label_use(Family family) { return has_two_classes(family) ? LabelUse::signed_classes : LabelUse::values; }

// "NAME=NUMBER" of a list of keys.
std::pair<std::string, double> assignment(const std::string& key, const std::string& text) {
  const std::size_t sign = text.rfind('=');
  double value = 0.0;
  if (sign != std::string::npos &&
      OptionType<double>::read(parse_value(std::string_view(text).substr(sign + 1)), value) && value >= 0.0)
    return {text.substr(0, sign), value};
  throw ConfigError({.what = "an entry is not NAME=NUMBER with a number of 0 or more",
                     .seen = key + ": \"" + text + "\"",
                     .advice = "write, for example, \"age=0\""});
}

// Makes the clients from the tables of all sites, together with the other peers.
class GlmMaking {
 public:
  GlmMaking(const GlmKeys& keys, const Schema& schema, const ProblemSetup& setup, const PeerResources& peer)
      : keys_(keys), schema_(schema), setup_(setup), peer_(peer), clients_(std::make_shared<GlmClients>()) {}

  Problem make() {
    tables_ = read_tables(setup_, keys_, schema_, has_classes(keys_.family), peer_);
    find_coding();
    make_rows();
    find_scale();
    find_penalty();
    return problem();
  }

 private:
  void find_coding() {
    preparation_ = prepare(schema_, tables_.train,
                           {.scaling = keys_.scale, .min_count = keys_.min_count, .classes = has_classes(keys_.family)},
                           peer_.transport, peer_.pool);
    preparation_.coding.schema_digest = schema_digest(schema_);
    warn_of_columns();
    const std::size_t classes = preparation_.coding.classes.size();
    if (has_two_classes(keys_.family) && classes != 2)
      throw DataError({.what = "the label has more than two classes",
                       .seen = fmt::format("column '{}': {} classes: {}", preparation_.coding.label, classes,
                                           join(preparation_.coding.classes)),
                       .advice = "use family = \"multinomial\", or give the label two levels in the schema"});
    clients_->family = {
        .family = keys_.family, .delta = keys_.delta, .tau = keys_.tau, .classes = std::max<std::size_t>(2, classes)};
    clients_->coding = preparation_.coding;
    clients_->intercept = keys_.intercept;
    if (clients_->coding.columns.empty() && !keys_.intercept)
      throw DataError({.what = "no column is left that could explain the label",
                       .seen = join(preparation_.left_out) + ": one value at all sites, or none",
                       .advice = "give other columns a role in the schema, or set intercept = true"});
  }

  void warn_of_columns() const {
    for (const std::string& column : preparation_.left_out)
      log_warning("column '" + printable(column) +
                  "' has one value at all sites, up to rounding, or none: it is left out");
    for (const CodedColumn& column : preparation_.coding.columns)
      if (column.role == ColumnRole::categorical && column.levels.size() > many_levels)
        log_warning(
            fmt::format("column '{}' has {} levels, each with a coefficient: make it \"id\" or \"ignored\" if it "
                        "names rows, or merge rare levels by problem.min_count",
                        printable(column.name), column.levels.size()));
  }

  void make_rows() {
    const std::size_t hosted = tables_.train.size();
    const std::vector<double> class_weight = class_weights();
    clients_->hosted.resize(hosted);
    peer_.pool.for_each(hosted, [&](std::size_t k, std::size_t) {
      Design train =
          make_design(*tables_.train[k].table, tables_.train[k].rows, clients_->coding, label_use(keys_.family));
      std::vector<double> weight = train.rows.weight;
      if (weight.empty()) weight.assign(train.rows.rows(), 1.0);
      if (!class_weight.empty()) train.rows.weight = weighted(weight, train.rows.label, class_weight);
      require_labels(*tables_.train[k].table, train);
      const auto client = std::make_shared<GlmClient>(std::move(train.rows), clients_->family);
      client->sample_weight = std::move(weight);
      client->counts = tables_.counts[k];
      client->counts.add_cells(train.counts);
      if (const ClientTable& rows = tables_.test[k]; !rows.rows.empty()) {
        Design test = make_design(*rows.table, rows.rows, clients_->coding, label_use(keys_.family));
        require_labels(*rows.table, test);
        client->counts.add_cells(test.counts);
        client->test.emplace(std::move(test.rows), clients_->family);
      }
      clients_->hosted[k] = client;
      tables_.release_cells(k);
    });
    log_counts();
    for (const Table& table : tables_.tables)
      data_.push_back({.name = base_name(table.name), .digest = table.digest, .rows = table.rows});
    tables_.tables.clear();  // the clients have what they need of them
  }

  void require_labels(const Table& table, const Design& design) const {
    const auto wrong =
        std::ranges::find_if(design.rows.label, [&](double label) { return !is_label(clients_->family, label); });
    if (wrong == design.rows.label.end()) return;
    const std::uint32_t row = design.kept[static_cast<std::size_t>(wrong - design.rows.label.begin())];
    throw DataError(
        {.what = "a label does not suit the family",
         .seen = fmt::format("{}: column '{}', row {}: {}", table.name, printable(clients_->coding.label), row + 1,
                             number(*wrong)),
         .advice = fmt::format("labels of {} are {}", enum_name(keys_.family), allowed_labels(clients_->family))});
  }

  // What was done about rows and cells of the tables hosted here that are not as the schema wants them.
  void log_counts() const {
    DesignCounts all;
    for (const std::shared_ptr<GlmClient>& client : clients_->hosted) all.add(client->counts);
    if (all.rows_read > all.rows_used() || all.cells_imputed + all.cells_unseen > 0) log_info(counts_text(all, "used"));
  }

  // Of each class; empty: 1.
  std::vector<double> class_weights() const {
    const std::vector<std::string>& classes = clients_->coding.classes;
    std::vector<double> weights;
    if (keys_.class_weights.empty()) return weights;
    if (keys_.class_weights == std::vector<std::string>{"balanced"}) {
      for (const double share : preparation_.class_share)
        weights.push_back(share > 0.0 ? 1.0 / (static_cast<double>(classes.size()) * share) : 0.0);
      return weights;
    }
    weights.assign(classes.size(), 1.0);
    for (const std::string& text : keys_.class_weights) {
      const auto [name, value] = assignment("class_weights", text);
      const auto found = std::ranges::find(classes, name);
      if (found == classes.end())
        throw ConfigError({.what = "'class_weights' names a class that no row has",
                           .seen = text,
                           .advice = "the classes are " + join(classes)});
      weights[static_cast<std::size_t>(found - classes.begin())] = value;
    }
    return weights;
  }

  std::vector<double> weighted(const std::vector<double>& weight, const std::vector<double>& label,
                               const std::vector<double>& class_weight) const {
    std::vector<double> product(weight.size());
    for (std::size_t j = 0; j < weight.size(); ++j) {
      const double index = has_two_classes(keys_.family) ? 0.5 * (label[j] + 1.0) : label[j];
      product[j] = weight[j] * class_weight[static_cast<std::size_t>(index)];
    }
    return product;
  }

  void find_scale() {
    FactSums sums(peer_.transport, peer_.pool);
    const Vector mean = sums.mean(2, [&](std::size_t slot, VecOut numbers) {
      const GlmStore& rows = clients_->hosted[slot]->train;
      numbers[0] = static_cast<double>(rows.rows());
      numbers[1] = 0.0;
      for (const double weight : rows.weight()) numbers[1] += weight;
    });
    if (!(mean[1] > 0.0))
      throw DataError({.what = "the weights of all rows are zero",
                       .seen = "column '" + clients_->coding.weight + "'",
                       .advice = "give positive weights"});
    if (!std::isfinite(mean[1]) || !std::isfinite(1.0 / mean[1]))
      throw DataError(
          {.what = "the sum of the weights of all rows is out of the range of double precision",
           .seen = "column '" + printable(clients_->coding.weight) + "': mean over clients " + number(mean[1]),
           .advice = "divide all weights by the same number"});
    const std::size_t present = peer_.transport.layout().clients - peer_.transport.agreement().absent.size();
    rows_ = static_cast<std::size_t>(std::llround(mean[0] * static_cast<double>(present)));
    clients_->scale = 1.0 / mean[1];
    preparation_.exchanges += sums.exchanges();
  }

  void find_penalty() {
    clients_->penalty_factor = penalty_factors();
    switch (keys_.l2.rule) {
      case GlmPenalty::Rule::number: clients_->l2 = keys_.l2.value; return;
      case GlmPenalty::Rule::per_row: clients_->l2 = 1.0 / static_cast<double>(rows_); return;
      case GlmPenalty::Rule::cross_validation: break;
    }
    log_info(fmt::format("cross-validation: {} folds, {} values of l2", keys_.folds, keys_.path_length));
    path_ = cross_validate(*clients_,
                           {.folds = keys_.folds,
                            .length = keys_.path_length,
                            .ratio = keys_.path_ratio,
                            .rule = keys_.path_rule,
                            .seed = setup_.seed},
                           peer_.transport, peer_.pool, peer_.stop_token);
    if (path_->interrupted) return;
    clients_->l2 = path_->l2();
    const bool at_end = path_->least + 1 == path_->path.size() || path_->least == 0;
    log_info(fmt::format("cross-validation: l2 = {:.4g} ({} exchanges)", path_->l2(), path_->exchanges));
    if (at_end) log_warning("the least loss is at an end of the path of l2; change path_ratio or path_length");
  }

  Vector penalty_factors() const {
    const Coding& coding = clients_->coding;
    Vector factors = Vector::Ones(static_cast<Index>(coding.variables()) + (keys_.intercept ? 1 : 0));
    if (keys_.intercept) factors[factors.size() - 1] = 0.0;
    for (const std::string& text : keys_.penalty_factors) {
      const auto [name, value] = assignment("penalty_factors", text);
      Index first = 0;
      bool found = false;
      for (const CodedColumn& column : coding.columns) {
        const auto count = static_cast<Index>(column.variables());
        if (column.name == name) factors.segment(first, count).setConstant(value);
        found = found || column.name == name;
        first += count;
      }
      const SchemaColumn* column = schema_.find(name);
      if (!found && (column == nullptr || !column->is_variable()))
        throw ConfigError({.what = "'penalty_factors' names no column with a coefficient",
                           .seen = text,
                           .advice = "use the name of a numeric, categorical or ordinal column of the schema"});
    }
    return factors;
  }

  Problem problem() {
    Problem made;
    made.clients = clients_->objectives();
    made.start = Vector::Zero(clients_->dim());
    made.hessians = {.constant = keys_.family == Family::least_squares, .growth_from_zero = {}};
    made.data = std::move(data_);
    made.facts = {.data = tables_.name, .rows = rows_, .split = tables_.division};
    made.split_manifest = std::move(tables_.split_manifest);
    made.summary = fmt::format(
        "{} regression on {}: {} rows, {} variables, {} clients ({}), l2 = {:.4g}; prepared in {} exchanges",
        enum_name(keys_.family), tables_.name, rows_, made.dim(), setup_.clients(), tables_.division, clients_->l2,
        preparation_.exchanges);
    // Where every coefficient has the same penalty the Hessian is at least that.
    if (clients_->penalty_factor.size() > 0 &&
        clients_->penalty_factor.minCoeff() == clients_->penalty_factor.maxCoeff())
      made.l2 = clients_->l2 * clients_->penalty_factor[0];
    made.describe_fit = report_function();
    return made;
  }

  // Where every client has a file of its own in this configuration.
  std::vector<std::string> file_names() const {
    std::vector<std::string> names;
    for (const std::string& file : setup_.federation.files) names.push_back(base_name(file));
    return names;
  }

  FitDescription report_function() const {
    return
        [clients = clients_, path = path_, rule = keys_.path_rule,
         options = FitReportOptions{.rows = rows_,
                                    .tested = keys_.test > 0.0 || !keys_.test_files.empty(),
                                    .local_models = keys_.local_models,
                                    .min_rows = keys_.min_rows,
                                    .own_measures = peer_.own.own_measures,
                                    .standard_errors = keys_.standard_errors,
                                    .names = file_names()}](const Vector& x, Transport& transport, ThreadPool& pool) {
          FitReport report = report_fit(*clients, options, x, transport, pool);
          if (path) report.files.emplace_back("penalty_path.json", penalty_path_json(*path, rule));
          return report;
        };
  }

  const GlmKeys& keys_;
  const Schema& schema_;
  const ProblemSetup& setup_;
  const PeerResources& peer_;
  std::shared_ptr<GlmClients> clients_;
  GlmTables tables_;
  Preparation preparation_;
  std::vector<DataSource> data_;
  std::size_t rows_ = 0;  // of all clients, fitted
  std::optional<CrossValidation> path_;
};

class GlmProblemSpec final : public ProblemSpec {
 public:
  explicit GlmProblemSpec(GlmSetup setup) : setup_(std::move(setup)) {}

  // With the text of the schema, so that config.toml is complete and every site checks the same one.
  std::vector<std::pair<std::string, std::string>> echo() const override { return echo_options(setup_.keys); }

  ReferenceSource reference_source() const override { return ReferenceSource::solver; }

  std::shared_ptr<const ProblemSpec> with_absolute_paths(const ConfigTable& source) const override {
    GlmKeys keys = setup_.keys;
    if (!keys.data.empty() && keys.data != "sites")
      keys.data = located(location_of(source, "data"), [&] { return absolute_path(find_data(keys.data)); });
    for (std::string& file : keys.test_files)
      file = located(location_of(source, "test_files"), [&] { return absolute_path(find_data(file)); });
    return std::make_shared<GlmProblemSpec>(GlmSetup{std::move(keys), setup_.schema});
  }

  const GlmSetup* tables() const override { return &setup_; }
  bool clients_bring_files() const override { return true; }
  std::optional<double> usual_grad_norm() const override { return 1e-10; }

  Problem make(const ProblemSetup& setup, const PeerResources& peer) const override {
    return GlmMaking(setup_.keys, setup_.schema, setup, peer).make();
  }

 private:
  GlmSetup setup_;
};

void require_known_rows(const GlmKeys& keys, const ConfigTable& table, const FederationConfig& federation) {
  if (keys.data.empty() && federation.files.empty())
    throw ConfigError({.what = "'data' is required and has no default (a CSV file, or \"sites\")",
                       .seen = table.location + ": [problem]",
                       .advice = R"(give data = "file.csv", or federation.files)"});
  if (keys.test_files.empty()) return;
  if (keys.test > 0.0)
    reject_key(table, "test_files", "test rows come from 'test' or from 'test_files', not from both",
               "remove one of them");
  if (keys.test_files.size() != federation.files.size())
    reject_key(table, "test_files", "there must be one test file for each file of the federation",
               fmt::format("give {} of them", federation.files.size()));
}

Schema schema_of(GlmKeys& keys, const ConfigTable& table) {
  if (keys.schema.empty())
    throw ConfigError({.what = "'schema' is required and has no default (a schema file)",
                       .seen = table.location + ": [problem]",
                       .advice = "let 'driftless schema FILE.csv' propose one"});
  const bool is_text = keys.schema.find('\n') != std::string::npos;
  Schema schema = is_text ? parse_schema(keys.schema, "the schema of the configuration")
                          : located(location_of(table, "schema"), [&] { return read_schema(keys.schema); });
  keys.schema = schema_text(schema);
  return schema;
}

std::shared_ptr<const ProblemSpec> read_glm(const ConfigTable& table, FederationConfig& federation,
                                            ProblemConfig& problem) {
  const bool from_files = !federation.files.empty();
  if (from_files) match_files(table, federation);
  federation.clients = federation.required_clients();
  GlmKeys keys;
  read_problem_table(table, problem, StartPoint{.entry = 0.0, .file = {}}, keys);
  require_known_rows(keys, table, federation);
  const bool from_sites = keys.data == "sites";
  if (from_sites) require_no_split(federation);
  // Finding the optimum beforehand would fit the model twice.
  if (table.find("reference") == nullptr) problem.reference = ReferenceChoice::none;
  if (!federation.split && !from_files && !from_sites) federation.split = Split::iid;
  Schema schema = schema_of(keys, table);
  return std::make_shared<GlmProblemSpec>(GlmSetup{std::move(keys), std::move(schema)});
}

}  // namespace

ProblemKind glm_kind() { return {.name = "glm", .read = read_glm}; }

}  // namespace driftless
