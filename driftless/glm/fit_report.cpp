#include "driftless/glm/fit_report.hpp"

#include "driftless/core/text.hpp"
#include "driftless/glm/evaluation.hpp"
#include "driftless/glm/inference.hpp"
#include "driftless/glm/model_file.hpp"
#include "driftless/glm/original_scale.hpp"
#include "driftless/glm/site_sums.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

// Standard errors need matrices of all coefficients from every site.
constexpr Index most_coefficients = 2000;

std::vector<std::string> site_names(std::size_t clients) {
  std::vector<std::string> names;
  for (std::size_t client = 0; client < clients; ++client) names.push_back(fmt::format("client {}", client));
  return names;
}

class FitReporter {
 public:
  FitReporter(const GlmClients& clients, const FitReportOptions& options, const Vector& x, Transport& transport,
              ThreadPool& pool)
      : clients_(clients),
        options_(options),
        x_(x),
        width_(evaluation_width(clients.family)),
        objectives_(clients.objectives()),
        fed_(objectives_, clients.dim(), transport, pool, 1) {}

  FitReport run() {
    FitReport report;
    report.files.emplace_back("model.json", model_json(model()));
    evaluate();
    warn_of_labels(report.warnings);
    if (options_.standard_errors && clients_.dim() <= most_coefficients) {
      const Inference inference = infer();
      report.files.emplace_back("inference.json", inference_json(inference));
      report.warnings.insert(report.warnings.end(), inference.warnings.begin(), inference.warnings.end());
    }
    report.files.emplace_back("evaluation.json", evaluation_.dump(2) + "\n");
    report.summary = summary_.dump();
    report.text = std::move(text_);
    return report;
  }

 private:
  GlmModel model() const {
    return {.family = clients_.family,
            .coding = clients_.coding,
            .intercept = clients_.intercept,
            .l2 = clients_.l2,
            .rows = options_.rows,
            .coefficients = x_};
  }

  // The sums of the predictions of a model with the parameters x for rows of one client.
  void add_rows(const GlmStore& rows, const Vector& x, std::span<const double> weight, std::span<double> sums) const {
    std::vector<double> eta(rows.rows() * clients_.family.predictions());
    rows.predictions(x, clients_.intercept, eta);
    add_evaluation(clients_.family, eta, rows.label(), weight, sums);
  }
  void add_fitted(std::size_t slot, std::span<double> sums) const {
    const GlmClient& client = *clients_.hosted[slot];
    add_rows(client.train, x_, client.sample_weight, sums);
  }
  void add_tested(std::size_t slot, const Vector& x, std::span<double> sums) const {
    const GlmClient& client = *clients_.hosted[slot];
    if (client.test) add_rows(*client.test, x, client.test->weight(), sums);
  }

  Evaluation named(std::span<const double> sums) const {
    Evaluation evaluation = evaluation_of(clients_.family, sums);
    evaluation.classes = clients_.coding.classes;
    return evaluation;
  }

  void evaluate() {
    const std::vector<double> sums = sum_over_sites(fed_, 3 * width_, [&](std::size_t slot, std::span<double> numbers) {
      std::ranges::fill(numbers, 0.0);
      add_fitted(slot, numbers.first(width_));
      add_tested(slot, x_, numbers.subspan(width_, width_));
      const GlmClient& client = *clients_.hosted[slot];
      if (std::ranges::equal(client.sample_weight, client.train.weight()))
        std::ranges::copy(numbers.first(width_), numbers.last(width_).begin());
      else add_rows(client.train, x_, client.train.weight(), numbers.last(width_));
    });
    fitted_ = evaluation_of(clients_.family, std::span(sums).last(width_));
    evaluation_ = {{"schema_version", 1}};
    add_pooled("train", "Fitted rows of all clients", named(std::span(sums).first(width_)));
    if (options_.tested) add_pooled("test", "Test rows of all clients", named(std::span(sums).subspan(width_, width_)));
    if (clients_.hosted.size() == 1 && fed_.clients() == 1) return;
    add_sites("sites",
              options_.tested ? "The model of all, on the test rows of each client"
                              : "The model of all, on the fitted rows of each client",
              [&](std::size_t slot, std::span<double> numbers) {
                if (options_.tested) add_tested(slot, x_, numbers);
                else add_fitted(slot, numbers);
              });
    if (options_.tested && options_.local_models) add_local_models();
  }

  void warn_of_labels(std::vector<std::string>& warnings) const {
    if (!has_classes(clients_.family.family) && !(fitted_.r_squared.error < 1.0))
      warnings.emplace_back("All labels are equal, or nearly so: nothing is left to explain.");
    else if (predicts_all(fitted_) && !clients_.coding.columns.empty())
      warnings.push_back("Every fitted label is predicted without an error by " + columns_in_use() +
                         ": is one of these columns a copy of the label, or known only after it?");
  }

  // Up to rounding, or for classes with probabilities that no labels of chance have.
  static bool predicts_all(const Evaluation& fitted) {
    constexpr double least_loss = 1e-6;
    if (has_classes(fitted.family.family)) return fitted.loss < least_loss && fitted.accuracy == 1.0;
    return 1.0 - fitted.r_squared.value < 1e-12 + fitted.r_squared.error;
  }

  // Those whose variables have coefficients that are more than rounding.
  std::string columns_in_use() const {
    constexpr double rounding = 1e-6;
    constexpr std::size_t most = 8;
    std::vector<double> largest;
    Index first = 0;
    for (const CodedColumn& column : clients_.coding.columns) {
      const auto count = static_cast<Index>(column.variables());
      double& own = largest.emplace_back(0.0);
      for (Index block = 0; block < x_.size(); block += static_cast<Index>(model().width()))
        own = std::max(own, x_.segment(block + first, count).lpNorm<Eigen::Infinity>());
      first += count;
    }
    std::vector<std::string> names;
    for (std::size_t c = 0; c < largest.size(); ++c)
      if (largest[c] > rounding * std::ranges::max(largest))
        names.push_back("'" + clients_.coding.columns[c].name + "'");
    const std::size_t more = names.size() > most ? names.size() - most : 0;
    names.resize(names.size() - more);
    return join(names) + (more > 0 ? fmt::format(" and {} more", more) : "");
  }

  Inference infer() {
    const bool several = fed_.clients() > 1;
    RowMean mean = fed_.mean_rows({fed_.everyone(), fed_.everyone()}, {.matrices = several ? 3U : 2U}, {},
                                  [&](Client& i, Row& row) { write_matrices(i.slot(), several, row); });
    const auto sites = static_cast<double>(fed_.clients() - fed_.transport().agreement().absent.size());
    InferenceSums sums;
    sums.information = sites * mean.matrix(0);
    sums.row_scores = sites * mean.matrix(1);
    if (several) sums.site_scores = sites * mean.matrix(2);
    sums.sites = static_cast<std::size_t>(sites);
    // The fit minimises the mean over rows; the sums are over rows.
    sums.penalty = sites / clients_.scale * clients_.l2 * clients_.penalty_factor;
    return make_inference(model(), fitted_, sums);
  }

  void write_matrices(std::size_t slot, bool several, Row& row) const {
    const GlmStore& rows = clients_.hosted[slot]->train;
    for (std::size_t k = 0; k < (several ? 3U : 2U); ++k) row.matrix(k).setZero();
    rows.add_information(x_, clients_.intercept, rows.weight(), row.matrix(0));
    rows.add_score_products(x_, clients_.intercept, rows.weight(), row.matrix(1));
    if (!several) return;
    GlmOptions options = clients_.options(0.0);
    options.scale = 1.0;
    Vector g(clients_.dim());
    rows.client(options)->gradient(x_, g);
    auto products = row.matrix(2);
    for (Index k = 0; k < g.size(); ++k) products.segment(triangle_size(k), k + 1) = g[k] * g.head(k + 1);
  }

  void add_pooled(const char* key, const char* title, const Evaluation& evaluation) {
    evaluation_[key] = evaluation_object(evaluation);
    summary_[key] = evaluation_[key];
    // The curves stay in evaluation.json.
    for (const char* curve : {"roc", "calibration"}) summary_[key].erase(curve);
    text_ += fmt::format("\n{}\n\n{}", title, evaluation_text(evaluation));
  }

  // A site with few rows keeps its numbers to itself, and so does one that does not agree to show them.
  void add_sites(const char* key, const char* title, const SiteNumbers& write) {
    if (fed_.transport().summation() == Summation::fixed) return;  // nothing tells one site from another
    const std::vector<double> sums = numbers_of_sites(fed_, width_, [&](std::size_t slot, std::span<double> numbers) {
      write(slot, numbers);
      const bool shown = options_.own_measures && evaluation_of(clients_.family, numbers).rows >= options_.min_rows;
      if (!shown) std::ranges::fill(numbers, 0.0);
    });
    std::vector<SiteEvaluation> sites =
        site_evaluations(clients_.family, site_names(fed_.clients()), sums, options_.min_rows);
    evaluation_[key] = site_evaluations_object(sites);
    if (!options_.names.empty())
      for (std::size_t i = 0; i < sites.size(); ++i) sites[i].site = options_.names[i];
    text_ += fmt::format("\n{}\n\n{}", title, site_evaluations_text(sites));
  }

  void add_local_models() {
    add_sites("local", "Models that each client fits to its own rows alone, on its test rows",
              [&](std::size_t slot, std::span<double> numbers) { add_tested(slot, local_model(slot), numbers); });
  }

  Vector local_model(std::size_t slot) const {
    const GlmStore& rows = clients_.hosted[slot]->train;
    double weight = 0.0;
    for (const double one : rows.weight()) weight += one;
    GlmOptions options = clients_.options(clients_.l2);
    options.scale = 1.0 / weight;
    Workspace scratch(clients_.dim());
    BatchSampler no_batches(0, 0);
    SolveContext context{scratch, no_batches};
    Vector x = Vector::Zero(clients_.dim());
    rows.client(options)->minimize(Subproblem{}, x, NewtonCg{}, context);
    return x;
  }

  const GlmClients& clients_;
  const FitReportOptions& options_;
  const Vector& x_;
  std::size_t width_;
  ClientObjectives objectives_;
  Federation fed_;
  Evaluation fitted_;  // with the weights of the fit, class weights among them
  Json evaluation_;
  Json summary_ = Json::object();
  std::string text_;
};

}  // namespace

FitReport report_fit(const GlmClients& clients, const FitReportOptions& options, const Vector& x, Transport& transport,
                     ThreadPool& pool) {
  return FitReporter(clients, options, x, transport, pool).run();
}

}  // namespace driftless
