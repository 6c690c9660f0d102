// The [output] table: where results are written, how often they are measured, how often a checkpoint is written.
#pragma once

#include "driftless/core/options.hpp"

namespace driftless {

struct OutputConfig {
  std::string dir = "runs";
  std::string name;
  std::size_t every = 1;
  double save_seconds = 30.0;

  static Fields fields() {
    using S = OutputConfig;
    return {
        field("dir", &S::dir, anything, "the folder in which run directories are created"),
        field("name", &S::name, anything, "beginning of the run directory's name; the configuration's if not given"),
        field("every", &S::every, at_least_one, "measure every k-th round"),
        field("save_seconds", &S::save_seconds, nonnegative,
              "time between two checkpoints, for 'driftless resume'; 0 = after every round")};
  }
};

}  // namespace driftless
