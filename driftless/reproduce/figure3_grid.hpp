// The settings of figure 3: which methods, which learning rates, local steps and λ, and the configuration of a trial.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace driftless {

// What a study of figure 3 is about. A folder holds one study.
struct Figure3Setup {
  std::string data = "cifar10";
  std::string model = "resnet18";
  std::optional<std::size_t> images;  // of those to train on, the first so many
  std::size_t rounds = 80;            // of the settings that are still in the race at the end
  std::size_t seeds = 3;              // of the chosen setting of each method

  bool operator==(const Figure3Setup&) const = default;
};

// One point of the grid. Local steps are K, or p = 1/K for methods that toss coins.
struct Figure3Setting {
  double rate = 0.0;  // 1/η
  std::size_t local_steps = 0;
  std::optional<double> lambda = {};  // where the method has one

  bool operator==(const Figure3Setting&) const = default;
};
std::string to_text(const Figure3Setting& setting);  // "rate 0.1, K 10, λ 1"

// A part of the paper's grid. The default is the whole.
struct Figure3Grid {
  std::vector<double> rates{0.01, 0.02, 0.05, 0.1};
  std::vector<std::size_t> local_steps{10, 20};
  std::vector<double> lambdas{1e-3, 1e-2, 1e-1, 1.0, 10.0};
  std::vector<std::string> methods{"fedavg", "fedprox", "scaffold", "scaffnew", "dane+-sgd", "fedred-sgd", central};

  static constexpr const char* central = "central";  // SGD by one client with all images

  // ConfigError where a value or a method is not in the paper's grid.
  void check() const;
  // Central SGD takes as many steps as one client with the first number of local steps of the paper's grid.
  std::vector<Figure3Setting> settings_of(const std::string& method) const;
};

// One run: always from the start, and deterministic.
struct Figure3Trial {
  std::string method;
  Figure3Setting setting;
  std::size_t seed = 1;
  std::size_t rounds = 0;

  bool operator==(const Figure3Trial&) const = default;
};

// A configuration that anybody can run again. Trials of at most 20 rounds are measured at their end alone, longer ones
// nine times: each measurement is a pass over all images.
std::string trial_config(const Figure3Setup& setup, const Figure3Trial& trial);
// The lines of the [[method]] table.
std::string method_lines(const std::string& method, const Figure3Setting& setting);

}  // namespace driftless
