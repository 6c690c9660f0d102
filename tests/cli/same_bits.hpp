// Configurations that run every method, and the results that must be the same for every way to run them.
#pragma once

#include "driftless/methods/catalog.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace driftless {

std::vector<std::string> all_method_names();

// Seven clients; a table [[method]] with the settings of the catalogue's example and output = "best" for each.
std::string quadratic_config(const std::vector<std::string>& methods);
// Six clients with minibatches and Newton steps, under the labels fedred-sgd and dane+.
std::string logistic_config();

// The quadratics with the methods that take a robust mean and this line in [federation].
std::string robust_config(const std::string& line);
std::vector<std::string> robust_method_names();

// model.npy, output.npy and metrics.csv of one method: everything but times.
std::string fingerprint(const std::filesystem::path& run, const std::string& label);

}  // namespace driftless
