#include "driftless/checkpoints/checkpoint_file.hpp"

#include "driftless/checkpoints/run_state.hpp"
#include "driftless/core/error.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/files/output_file.hpp"

#include <bit>
#include <utility>

namespace driftless {
namespace {

StateOwner owner_of(RunState& run) {
  const Layout& layout = run.fed.transport().layout();
  return {.config_digest = "checkpoint file", .clients = layout.clients, .hosted = layout.hosted, .label = {}};
}

// What a run must have in common with the one that was saved.
struct RunKey {
  std::uint64_t seed = 0;
  std::string options;

  template <class Archive>
  void visit(Archive& archive) {
    archive.section("key");
    archive.count("seed", seed);
    archive.text("options", options);
  }
};

RunKey key_of(RunState& run) { return {.seed = run.fed.seed(), .options = run.method.options_text()}; }

// One entry per row; a count is written as the double with the same 64 bits.
template <class Archive, class T>
void visit_column(Archive& archive, const char* name, std::vector<TraceRow>& rows, T TraceRow::* member) {
  Vector column(static_cast<Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) column[static_cast<Index>(k)] = std::bit_cast<double>(rows[k].*member);
  archive.vector(name, column);
  rows.resize(static_cast<std::size_t>(column.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k].*member = std::bit_cast<T>(column[static_cast<Index>(k)]);
}

// A column that either all rows have or none.
template <class Archive>
void visit_optional(Archive& archive, const char* name, std::vector<TraceRow>& rows,
                    std::optional<double> TraceRow::* member) {
  const bool known = !rows.empty() && (rows.front().*member).has_value();
  Vector column(known ? static_cast<Index>(rows.size()) : 0);
  for (Index k = 0; k < column.size(); ++k) column[k] = *(rows[static_cast<std::size_t>(k)].*member);
  archive.vector(name, column);
  for (std::size_t k = 0; k < rows.size() && column.size() == static_cast<Index>(rows.size()); ++k)
    rows[k].*member = column[static_cast<Index>(k)];
}

template <class Archive>
void visit_rows(Archive& archive, std::vector<TraceRow>& rows) {
  archive.section("rows");
  visit_column(archive, "round", rows, &TraceRow::round);
  visit_column(archive, "exchanges", rows, &TraceRow::exchanges);
  visit_column(archive, "messages", rows, &TraceRow::messages);
  visit_column(archive, "bytes_up", rows, &TraceRow::bytes_up);
  visit_column(archive, "bytes_down", rows, &TraceRow::bytes_down);
  visit_column(archive, "local_steps", rows, &TraceRow::local_steps);
  visit_column(archive, "grad_evals", rows, &TraceRow::grad_evals);
  visit_column(archive, "wall_s", rows, &TraceRow::wall_s);
  visit_column(archive, "f", rows, &TraceRow::f);
  visit_column(archive, "grad_norm", rows, &TraceRow::grad_norm);
  visit_optional(archive, "f_gap", rows, &TraceRow::f_gap);
  visit_optional(archive, "dist", rows, &TraceRow::dist);
  visit_optional(archive, "test_loss", rows, &TraceRow::test_loss);
  visit_optional(archive, "test_accuracy", rows, &TraceRow::test_accuracy);
}

}  // namespace

CheckpointFile::CheckpointFile(std::filesystem::path file, double seconds) : file_(std::move(file)), pause_(seconds) {}

bool CheckpointFile::exists() const {
  std::error_code ignored;
  return std::filesystem::exists(file_, ignored);
}

void CheckpointFile::save(RunState& run, bool interrupted) {
  if (!interrupted && Clock::now() - saved_ < pause_) return;
  StateWriter writer(owner_of(run));
  key_of(run).visit(writer);
  std::vector<TraceRow> rows = run.trace.rows();
  visit_rows(writer, rows);
  write_run(writer, run);
  write_output_file(file_, writer.finish(), Durability::synced);
  saved_ = Clock::now();
}

void CheckpointFile::restore(RunState& run) {
  StateReader reader(read_input_file(file_), file_.string(), owner_of(run));
  RunKey saved;
  saved.visit(reader);
  const RunKey here = key_of(run);
  if (saved.seed != here.seed)
    reader.reject("the checkpoint belongs to a run with another seed",
                  "seed " + std::to_string(saved.seed) + ", not " + std::to_string(here.seed));
  if (saved.options != here.options)
    reader.reject("the checkpoint belongs to a method with other options",
                  "saved with\n" + saved.options + "  and used with\n" + here.options);
  std::vector<TraceRow> rows;
  visit_rows(reader, rows);
  if (rows.empty()) reader.reject("the checkpoint is damaged", "it has no rows");
  read_run(reader, run);
  run.trace.restore(std::move(rows));
}

void CheckpointFile::remove() {
  std::error_code error;
  std::filesystem::remove(file_, error);
  if (error)
    throw DataError({.what = "the checkpoint of a finished run cannot be removed",
                     .seen = file_.string() + ": " + error.message(),
                     .advice = "make sure that its folder may be written to"});
}

}  // namespace driftless
