// Where a run is saved, so that a program that was ended can resume it. checkpoints/checkpoint_file.hpp keeps it in a
// file; a program may keep it elsewhere.
#pragma once

#include "driftless/optimize/driver.hpp"

namespace driftless {

class CheckpointStore {
 public:
  virtual ~CheckpointStore() = default;

  virtual bool exists() const = 0;
  // Puts the saved run into a method, a federation and a trace that were just made.
  virtual void restore(RunState& run) = 0;
  // Called between any two rounds, and with `interrupted` where the program asked the run to stop and may resume it
  // later.
  virtual void save(RunState& run, bool interrupted) = 0;
  // Called when the run has ended by itself: there is nothing left to resume.
  virtual void remove() = 0;
};

}  // namespace driftless
