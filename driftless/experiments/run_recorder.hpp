// Writes the results of a run: the run directory with run.json, and the files of each method when it has ended. Where
// the directory of another peer is enough, it only keeps the record.
#pragma once

#include "driftless/checkpoints/state_file.hpp"
#include "driftless/experiments/experiment_options.hpp"
#include "driftless/experiments/run_config.hpp"
#include "driftless/problems/problem_constants.hpp"
#include "driftless/results/directory_lock.hpp"
#include "driftless/results/result_writer.hpp"
#include "driftless/results/run_directory.hpp"

namespace driftless {

class RunRecorder {
 public:
  // Opens the run directory. `problem` may still be empty; it is read from `start` on.
  RunRecorder(const RunConfig& config, const ExperimentOptions& options, const Problem& problem, Transport& transport,
              std::size_t threads);

  // Computes the digest of the run. DataError where a resumed directory belongs to another run.
  void identify(const RunConfig& config);
  // The files that precede the methods. From here on the run counts as begun.
  void start(const RunConfig& config, const std::optional<ProblemConstants>& constants);
  void discard() const noexcept;  // for a run that never began

  // Of a resumed run: whether this method was finished before. If so, its outcome becomes part of the record.
  const std::filesystem::path& directory() const { return record_.directory; }
  bool take_finished(const MethodConfig& method);
  std::filesystem::path method_folder(const std::string& label) const;  // empty where nothing is written
  StateOwner owner_of(const std::string& label) const;                  // of the checkpoints of a method
  void sync() const { directory_->sync(); }                             // before the first checkpoint
  void add(MethodOutcome outcome, const DriveResult& result, const std::optional<ProblemConstants>& constants);
  // Theorems that bound expectations have their verdicts once all seeds have run.
  void judge_theorems(const std::optional<ProblemConstants>& constants);

  std::optional<ErrorKind> failure() const;  // of the methods
  void finish(std::optional<ErrorKind> failure);
  RunRecord take_record() { return std::move(record_); }

 private:
  Durability durability() const;
  void write(const std::string& name, const std::string& text, Durability durability) const;
  void write_record() const;
  void write_theorem_check(const MethodOutcome& outcome, const std::optional<ProblemConstants>& constants) const;
  void make_lasting(const MethodOutcome& outcome) const;

  const ExperimentOptions& options_;
  const Problem& problem_;
  Transport& transport_;
  std::optional<RunDirectory> directory_;
  std::optional<DirectoryLock> lock_;
  RunRecord record_;
};

}  // namespace driftless
