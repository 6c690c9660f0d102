// A checkpoint in one file: the state of the run and the rows of its trace. The file appears whole or not at all, so a
// program that is killed at any moment finds the last one that was complete, and a run that is resumed from it gives
// the bits that it would have given without the interruption.
#pragma once

#include "driftless/optimize/checkpoint_store.hpp"

#include <chrono>
#include <filesystem>

namespace driftless {

class CheckpointFile final : public CheckpointStore {
 public:
  // Saves at most once in so many seconds, and always where the run is interrupted; 0: after every round.
  explicit CheckpointFile(std::filesystem::path file, double seconds = 60.0);

  bool exists() const override;
  // DataError where the file is damaged or belongs to another run: other clients, another seed, other options.
  void restore(RunState& run) override;
  void save(RunState& run, bool interrupted) override;
  void remove() override;

 private:
  using Clock = std::chrono::steady_clock;

  std::filesystem::path file_;
  std::chrono::duration<double> pause_;
  Clock::time_point saved_ = Clock::now();
};

}  // namespace driftless
