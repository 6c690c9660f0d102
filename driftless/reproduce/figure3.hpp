// The deep-learning experiment in the appendix of Jiang, Rodomanov, Stich, ICML 2024: DANE+-SGD and FedRed-SGD against
// Scaffold, Scaffnew, FedProx and FedAvg on images divided unevenly among ten clients, and central SGD for scale. It
// takes hours of a GPU, so it is a study that stops after a given time and continues when it is called again.
#pragma once

#include "driftless/core/stop_token.hpp"
#include "driftless/reproduce/figure3_race.hpp"

#include <filesystem>
#include <functional>

namespace driftless {

struct Figure3Options {
  std::filesystem::path out;           // a folder: new, empty, or that of the same study
  Figure3Grid grid = {};               // the settings that this call may try
  std::optional<double> seconds = {};  // no trial begins that would not end within them
  bool progress = false;
  StopToken stop_token = {};
  std::function<void(const Figure3Result&)> on_trial = {};
};

// One method at its best setting with all rounds; means over the seeds that have run.
struct Figure3Line {
  std::string method;
  Figure3Setting setting;
  bool chosen = false;  // false: the race is not over, this is the best so far
  std::size_t seeds = 0;
  double loss = 0.0;           // f at the end
  double accuracy = 0.0;       // of the test images
  double best_accuracy = 0.0;  // the best that was measured on the way, of the mean curve
  double spread = 0.0;         // of the accuracies at the end: most less least
  std::uint64_t exchanges = 0;
};

struct Figure3 {
  Figure3Setup setup;
  std::vector<Figure3Race> races;  // by method
  std::vector<Figure3Line> lines;
  std::vector<Figure3Result> results;

  std::size_t seen() const;  // settings, without those of central SGD
  std::size_t grid() const;
  std::size_t pending() const;  // trials of the next stages, as far as they are known
  bool complete() const { return pending() == 0; }
};

// Leaves in options.out: study.jsonl, from which the same call continues, figure3.svg, figure3.md, figure3.json.
Figure3 reproduce_figure3(const Figure3Setup& setup, const Figure3Options& options);

// What follows from finished trials.
Figure3 figure3_of(const Figure3Setup& setup, const Figure3Grid& grid, std::vector<Figure3Result> results);

std::string figure3_markdown(const Figure3& figure);
std::string figure3_json(const Figure3& figure);
std::string figure3_svg(const Figure3& figure);

}  // namespace driftless
