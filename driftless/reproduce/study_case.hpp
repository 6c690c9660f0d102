// One problem of a study: a configuration that anybody can run again, its results, and the curves they make.
#pragma once

#include "driftless/experiments/experiment.hpp"
#include "driftless/report/figure.hpp"

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace driftless {

struct StudyOptions {
  std::filesystem::path out;  // a folder, new or empty
  bool progress = false;
  StopToken stop_token = {};
  ExitCodeMap exit_code = {};  // for run.json of each experiment
};

// Methods that differ only in their seed, as one.
struct Variant {
  std::string label;  // without the number of the seed
  std::vector<const MethodOutcome*> runs;
};
// A label that ends in -1, -2, … belongs to the variant of what stands before it.
std::vector<Variant> variants_of(std::span<const MethodOutcome> outcomes);

// What a variant spent until the yardstick (gap or gradient norm) had fallen to this part of its first value; means
// over the seeds, negative where a seed did not reach the target.
struct Spent {
  double rounds = -1.0;
  double exchanges = -1.0;
  double gradients = -1.0;

  bool reached() const { return rounds >= 0.0; }
};
Spent spent_until(const Variant& variant, double part);

// Writes NAME.toml, runs it into the folder NAME, and returns what came of it.
Experiment run_case(const std::string& name, const std::string& config, const StudyOptions& options);

// The yardstick, as a part of its first value, against rounds, exchanges and gradients: three panels. Seeds are drawn
// as their mean with a band from least to most. Curves end below `floor`.
std::vector<Panel> progress_panels(const std::string& title, const std::vector<Variant>& variants, double floor);

}  // namespace driftless
