#include "driftless/checkpoints/run_state.hpp"

namespace driftless {
namespace {

template <class Archive>
void visit_run(Archive& archive, RunState& run) {
  archive.section("run");
  archive.vector("x", run.x);
  archive.number("seconds", run.seconds);
  run.trace.visit_state(archive);
  archive.section("federation");
  run.fed.visit_state(archive);
  archive.section("method");
  run.method.visit_state(archive);
}

}  // namespace

void write_run(StateWriter& writer, RunState& run) { visit_run(writer, run); }

void read_run(StateReader& reader, RunState& run) {
  const Index dim = run.x.size();
  visit_run(reader, run);
  reader.finish();
  if (run.x.size() != dim)
    reader.reject("the checkpoint belongs to another problem",
                  std::to_string(run.x.size()) + " variables; here are " + std::to_string(dim));
}

}  // namespace driftless
