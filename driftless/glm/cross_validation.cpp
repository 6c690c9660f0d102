#include "driftless/glm/cross_validation.hpp"

#include "driftless/core/random.hpp"
#include "driftless/methods/catalog.hpp"
#include "driftless/optimize/driver.hpp"
#include "driftless/tables/fact_sums.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

// A fit on the path need not be better than the differences of losses that decide.
constexpr double relative_tolerance = 1e-7;

// The rows of one fold at one client, as weights of all rows of the client.
std::vector<double> weights_where(const GlmStore& rows, const std::vector<std::size_t>& fold,
                                  const std::function<bool(std::size_t fold)>& takes_part) {
  std::vector<double> weight(rows.weight().begin(), rows.weight().end());
  for (std::size_t j = 0; j < weight.size(); ++j)
    if (!takes_part(fold[j])) weight[j] = 0.0;
  return weight;
}

// Counts and amounts, whose loss and its gradient have the scale of the labels.
bool has_scale(Family family) {
  return family == Family::least_squares || family == Family::poisson || family == Family::gamma;
}

// The least that a prediction can make of the loss.
double least_loss(const FamilyOptions& options, double label) {
  const bool logarithmic = options.family == Family::poisson || options.family == Family::gamma;
  return logarithmic && label > 0.0 ? loss(options, std::log(label), label) : 0.0;
}

class PathSearch {
 public:
  PathSearch(const GlmClients& clients, const CrossValidationOptions& options, Transport& transport, ThreadPool& pool,
             const StopToken& stop_token)
      : clients_(clients), options_(options), transport_(transport), pool_(pool), stop_token_(stop_token) {
    const std::vector<ClientId>& ids = transport.layout().hosted;
    for (std::size_t slot = 0; slot < ids.size(); ++slot)
      folds_.push_back(fold_of_rows(clients.hosted[slot]->train.label(), !clients.coding.classes.empty(), options.folds,
                                    options.seed, ids[slot]));
  }

  CrossValidation run() {
    found_.folds = options_.folds;
    find_weights();
    begin_path();
    std::vector<std::vector<double>> losses;  // of each fold along the path
    for (std::size_t fold = 0; fold < options_.folds && !found_.interrupted; ++fold) losses.push_back(fit_path(fold));
    if (!found_.interrupted) judge(losses);
    return std::move(found_);
  }

 private:
  // The mean weight of the clients' rows in each fold, and the sum of their least losses. Every client may have few
  // rows, but no fold may be empty.
  void find_weights() {
    FactSums sums(transport_, pool_);
    const auto folds = static_cast<Index>(options_.folds);
    const Vector facts = sums.mean(2 * options_.folds, [&](std::size_t slot, VecOut numbers) {
      numbers.setZero();
      const GlmStore& rows = clients_.hosted[slot]->train;
      for (std::size_t j = 0; j < rows.rows(); ++j) {
        const auto fold = static_cast<Index>(folds_[slot][j]);
        numbers[fold] += rows.weight()[j];
        numbers[folds + fold] += rows.weight()[j] * least_loss(clients_.family, rows.label()[j]);
      }
    });
    weight_ = facts.head(folds);
    least_ = facts.tail(folds).cwiseQuotient(weight_);
    found_.exchanges += sums.exchanges();
    if (weight_.minCoeff() > 0.0) return;
    throw ConfigError({.what = "a fold of the cross-validation has no row at any client",
                       .seen = "folds = " + std::to_string(options_.folds),
                       .advice = "use fewer folds"});
  }

  // Falls from a value at which hardly anything but the intercept is left.
  void begin_path() {
    const auto everything = [](std::size_t) { return true; };
    const ClientObjectives own = objectives(1.0 / weight_.sum(), 0.0, everything);
    Federation fed(own, clients_.dim(), transport_, pool_, 1);
    const Slope start = look(fed, Vector::Zero(clients_.dim()));
    unit_ = start.g.norm();
    double largest = start.g.lpNorm<Eigen::Infinity>();
    if (has_scale(clients_.family.family)) {
      const double heavy = 1e6 * std::max(1.0, largest);
      const Slope flat =
          look(fed, fit(objectives(1.0 / weight_.sum(), heavy, everything), Vector::Zero(clients_.dim())));
      largest = flat.g.lpNorm<Eigen::Infinity>();
      // ‖y − ȳ‖ of the rows, by which gradients of least squares are correlations.
      if (clients_.family.family == Family::least_squares) largest /= std::sqrt(2.0 * flat.f);
    }
    found_.exchanges += fed.ledger().exchanges;
    const double first = 10.0 * (largest > 1e-8 ? largest : 1e-8);
    for (std::size_t k = 0; k < options_.length; ++k)
      found_.path.push_back(
          {.l2 = first * std::pow(options_.ratio, static_cast<double>(k) / static_cast<double>(options_.length - 1))});
  }

  struct Slope {
    double f;
    Vector g;
  };
  Slope look(Federation& fed, const Vector& x) const {
    RowMean mean = fed.mean_rows({fed.everyone(), fed.everyone()}, {.vectors = 1, .scalars = 1}, {},
                                 [&](Client& i, Row& row) { row.scalars()[0] = i.value_gradient(x, row.vector()); });
    return {mean.scalar(0), mean.vector()};
  }

  ClientObjectives objectives(double scale, double l2, const std::function<bool(std::size_t)>& takes_part) const {
    GlmOptions options = clients_.options(l2);
    options.scale = scale;
    ClientObjectives all;
    for (std::size_t slot = 0; slot < clients_.hosted.size(); ++slot) {
      const GlmStore& rows = clients_.hosted[slot]->train;
      all.push_back(rows.client(options, weights_where(rows, folds_[slot], takes_part)));
    }
    return all;
  }

  std::vector<double> fit_path(std::size_t fold) {
    const double held_out_weight = weight_[static_cast<Index>(fold)];
    const auto held_out = [&](std::size_t row_fold) { return row_fold == fold; };
    const auto fitted = [&](std::size_t row_fold) { return row_fold != fold; };
    const ClientObjectives judges = objectives(1.0 / held_out_weight, 0.0, held_out);
    Federation judge(judges, clients_.dim(), transport_, pool_, 1, stop_token_);
    Vector x = Vector::Zero(clients_.dim());
    std::vector<double> losses;
    for (const PenaltyPoint& point : found_.path) {
      const ClientObjectives own = objectives(1.0 / (weight_.sum() - held_out_weight), point.l2, fitted);
      x = fit(own, std::move(x));
      if (found_.interrupted) return losses;
      losses.push_back(judge.mean_scalars({judge.everyone(), judge.everyone()}, 1,
                                          [&](Client& i, VecOut value) { value[0] = i.value(x); })[0]);
    }
    found_.exchanges += judge.ledger().exchanges;
    return losses;
  }

  Vector fit(const ClientObjectives& objectives, Vector x) {
    Federation fed(objectives, clients_.dim(), transport_, pool_, 1, stop_token_);
    const std::unique_ptr<Method> method = find_method("auto").make({});
    Trace trace;
    const StopConditions stop{.rounds = most_rounds_of_a_fit, .grad_norm = relative_tolerance * unit_};
    const DriveResult result = drive(*method, fed, std::move(x), {.stop = stop}, trace);
    found_.exchanges += fed.ledger().exchanges;
    found_.interrupted = result.reason == StopReason::interrupted;
    return result.x;
  }

  // What no model can change differs between folds, and is no part of the error.
  void judge(const std::vector<std::vector<double>>& losses) {
    const auto count = static_cast<double>(losses.size());
    const double inevitable = least_.mean();
    for (std::size_t k = 0; k < found_.path.size(); ++k) {
      PenaltyPoint& point = found_.path[k];
      for (const std::vector<double>& fold : losses) point.loss += fold[k] / count;
      double squares = 0.0;
      for (std::size_t fold = 0; fold < losses.size(); ++fold) {
        const double miss = (losses[fold][k] - least_[static_cast<Index>(fold)]) - (point.loss - inevitable);
        squares += miss * miss;
      }
      point.error = std::sqrt(squares / (count - 1.0) / count);
    }
    const auto better = [](double a, double b) { return std::isfinite(a) && !(b <= a); };
    for (std::size_t k = 0; k < found_.path.size(); ++k)
      if (better(found_.path[k].loss, found_.path[found_.least].loss)) found_.least = k;
    found_.chosen = found_.least;
    if (options_.rule == PenaltyRule::minimum) return;
    const PenaltyPoint& least = found_.path[found_.least];
    while (found_.chosen > 0 && found_.path[found_.chosen - 1].loss <= least.loss + least.error) --found_.chosen;
  }

  const GlmClients& clients_;
  const CrossValidationOptions& options_;
  Transport& transport_;
  ThreadPool& pool_;
  const StopToken& stop_token_;
  std::vector<std::vector<std::size_t>> folds_;  // of the rows of each hosted client
  Vector weight_;                                // mean over clients of the weight in each fold
  Vector least_;                                 // of the mean loss of each fold
  double unit_ = 1.0;                            // ‖∇f‖ at zero
  CrossValidation found_;
};

}  // namespace

std::vector<std::size_t> fold_of_rows(std::span<const double> label, bool classes, std::size_t folds,
                                      std::uint64_t seed, ClientId client) {
  std::map<double, std::vector<std::size_t>> groups;
  for (std::size_t j = 0; j < label.size(); ++j) groups[classes ? label[j] : 0.0].push_back(j);
  Stream chance(seed, Purpose::folds, client);
  std::vector<std::size_t> fold(label.size());
  // Clients with few rows begin with different folds, or the last folds would be small.
  std::size_t next = chance.index(folds);
  for (auto& [value, rows] : groups) {
    chance.shuffle(std::span(rows));
    for (const std::size_t row : rows) fold[row] = next++ % folds;
  }
  return fold;
}

CrossValidation cross_validate(const GlmClients& clients, const CrossValidationOptions& options, Transport& transport,
                               ThreadPool& pool, const StopToken& stop_token) {
  return PathSearch(clients, options, transport, pool, stop_token).run();
}

std::string penalty_path_json(const CrossValidation& found, PenaltyRule rule) {
  using Json = nlohmann::ordered_json;
  Json path = Json::array();
  for (const PenaltyPoint& point : found.path)
    path.push_back({{"l2", point.l2}, {"loss", point.loss}, {"standard_error", point.error}});
  return Json{{"schema_version", 1},          {"folds", found.folds},   {"rule", enum_name(rule)},
              {"least", found.least},         {"chosen", found.chosen}, {"l2", found.l2()},
              {"exchanges", found.exchanges}, {"path", std::move(path)}}
             .dump(2) +
         "\n";
}

}  // namespace driftless
