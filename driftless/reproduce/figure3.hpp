// The deep-learning experiment in the appendix of Jiang, Rodomanov, Stich, ICML 2024: DANE+-SGD and FedRed-SGD against
// Scaffold, Scaffnew, FedProx and FedAvg on images divided unevenly among ten clients, and central SGD for scale.
#pragma once

#include "driftless/reproduce/study_case.hpp"

namespace driftless {

struct Figure3Setup {
  std::string data = "cifar10";
  std::string model = "resnet18";
  std::optional<std::size_t> images;  // of those to train on, the first so many
  bool quick = false;                 // a part of the paper's grid, and fewer rounds to choose from it
  std::size_t rounds = 80;            // with the chosen settings
  std::size_t seeds = 1;
};

// One method, with the setting that was best in the grid.
struct Figure3Line {
  std::string method;
  std::size_t tried = 0;  // settings
  std::string setting;
  double loss = 0.0;  // f at the end; means over the seeds
  double accuracy = 0.0;
  double best_accuracy = 0.0;  // the best that was measured on the way, of the mean curve
  double spread = 0.0;         // of the accuracies at the end: most less least
  std::uint64_t exchanges = 0;
};

struct Figure3 {
  Figure3Setup setup;
  std::vector<Figure3Line> lines;
  bool complete = false;  // false: interrupted
};

// Leaves in options.out: grid.toml, best.toml, central.toml, their run directories, figure3.svg and figure3.md.
Figure3 reproduce_figure3(const Figure3Setup& setup, const StudyOptions& options);

std::string figure3_markdown(const Figure3& figure);
std::string figure3_json(const Figure3& figure);

// The settings of the grid of one method, as lines of a [[method]] table; for tests.
std::vector<std::string> figure3_grid(const std::string& method, bool quick);

}  // namespace driftless
