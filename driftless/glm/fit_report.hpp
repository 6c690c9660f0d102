// What is said of a fitted generalised linear model: the model for later use, how good its predictions are for all
// sites together and for each, and the accuracy of its coefficients.
#pragma once

#include "driftless/core/stop_token.hpp"
#include "driftless/glm/cross_validation.hpp"
#include "driftless/glm/glm_clients.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace driftless {

struct FitReportOptions {
  std::size_t rows = 0;  // of all clients, fitted
  bool tested = false;   // whether clients have test rows
  bool local_models = true;
  std::size_t min_rows = 10;
  bool own_measures = true;             // whether those of the clients hosted here leave this peer
  bool standard_errors = true;          // whether matrices of all coefficients are summed
  std::vector<std::string> names = {};  // of the clients in texts; empty: "client 0" and so on
};

struct FitReport {
  std::vector<std::pair<std::string, std::string>> files;  // name and content
  std::string summary;                                     // a JSON object, for summary.json
  std::string text;                                        // for people
  std::vector<std::string> warnings;                       // what makes the model useless, or its errors
};

// Collective. The files are model.json, evaluation.json and, where the number of coefficients allows for matrices,
// inference.json.
FitReport report_fit(const GlmClients& clients, const FitReportOptions& options, const Vector& x, Transport& transport,
                     ThreadPool& pool);

}  // namespace driftless
