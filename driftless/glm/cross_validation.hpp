// The penalty of a generalised linear model by K-fold cross-validation over all clients: every client divides its own
// rows into K folds; for each fold the model is fitted to the other rows of all clients along a falling path of l2,
// each fit from the point of the one before, and judged by its loss on the fold.
#pragma once

#include "driftless/core/stop_token.hpp"
#include "driftless/glm/glm_clients.hpp"

#include <string>
#include <vector>

namespace driftless {

inline constexpr std::size_t most_rounds_of_a_fit = 500;

struct CrossValidationOptions {
  std::size_t folds = 5;
  std::size_t length = 25;  // values of l2 on the path
  double ratio = 1e-6;      // of the last one to the first
  PenaltyRule rule = PenaltyRule::one_error;
  std::uint64_t seed = 1;
};

struct PenaltyPoint {
  double l2 = 0.0;
  double loss = 0.0;   // mean over the folds of the mean loss on each
  double error = 0.0;  // one standard error of that mean
};

struct CrossValidation {
  std::vector<PenaltyPoint> path;  // l2 falls
  std::size_t least = 0;           // index of the least loss
  std::size_t chosen = 0;
  std::size_t folds = 0;
  std::size_t exchanges = 0;  // that it took
  bool interrupted = false;   // the path is not complete

  double l2() const { return path.at(chosen).l2; }
};

// The folds of the rows of one client: each class is divided evenly, and rows without classes at random.
std::vector<std::size_t> fold_of_rows(std::span<const double> label, bool classes, std::size_t folds,
                                      std::uint64_t seed, ClientId client);

// Collective.
CrossValidation cross_validate(const GlmClients& clients, const CrossValidationOptions& options, Transport& transport,
                               ThreadPool& pool, const StopToken& stop_token);

std::string penalty_path_json(const CrossValidation& found, PenaltyRule rule);

}  // namespace driftless
