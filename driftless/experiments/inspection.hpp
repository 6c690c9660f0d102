// `driftless inspect`: the constants of a federation at a point and along a run, global bounds on them, the predictions
// of the methods' theorems, and what short trials of the leading methods found.
#pragma once

#include "driftless/experiments/method_advice.hpp"
#include "driftless/experiments/run_config.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/theory/federated_constants.hpp"
#include "driftless/theory/predictions.hpp"
#include "driftless/theory/secants.hpp"

#include <functional>
#include <optional>
#include <string>

namespace driftless {

// NOLINTBEGIN(readability-identifier-naming): the letters of the papers
// Bounds that hold at every point; none where no bound is known.
struct GlobalBounds {
  std::optional<double> L_upper;
  std::optional<double> L_f_upper;
  std::optional<double> mu_lower;
  std::optional<double> delta_A_upper;
  std::optional<double> delta_B_upper;
  double L_lower = 0.0;
  double mu_upper = 0.0;
  double delta_A_lower = 0.0;
  double delta_B_lower = 0.0;
};
// NOLINTEND(readability-identifier-naming)

struct InspectionOptions {
  std::string at = "zero";  // zero | optimum | the path of a .npy file
  std::string along;        // a method; empty: none
  std::string out;          // a folder for constants.json, predictions.json and trials.json; empty: none
  bool progress = false;
  StopToken stop_token = {};       // where there are several peers, that of rank 0 decides
  Transport* transport = nullptr;  // to the other peers; null: this process hosts every client
  SiteData own = {};               // what this peer contributes
};

struct Inspection {
  std::string problem;        // one line
  std::string problem_facts;  // problem_json() as text
  std::string at;
  bool exact = false;  // the constants are known without measuring, and hold everywhere
  double tolerance = 0.0;
  FederatedConstants measured;
  Constants constants;  // exact where known, otherwise those measured
  GlobalBounds bounds;
  std::string along;
  std::optional<SecantBounds> secants;
  std::optional<Predictions> predictions;  // none where the optimum is not known
  double target = 0.0;
  std::optional<MethodAdvice> advice;  // none where trials are switched off
  std::string directory;
  bool interrupted = false;  // then the results are incomplete, and nothing is written
};

// Collective. ConfigError where the point is not available; DataError where its file does not fit the problem.
Inspection inspect(const RunConfig& config, const InspectionOptions& options);

std::string inspection_text(const Inspection& inspection);
std::string constants_file(const Inspection& inspection);    // constants.json
std::string predictions_file(const Inspection& inspection);  // predictions.json
std::string inspection_json(const Inspection& inspection);   // both, for standard output

}  // namespace driftless
