#include "driftless/checkpoints/run_state.hpp"

namespace driftless {
namespace {

template <class Archive>
void visit_run(Archive& archive, RoundBorder& border) {
  archive.section("run");
  archive.vector("x", border.x);
  archive.number("seconds", border.seconds);
  border.trace.visit_state(archive);
  archive.section("federation");
  border.fed.visit_state(archive);
  archive.section("method");
  border.method.visit_state(archive);
}

}  // namespace

void write_run(StateWriter& writer, RoundBorder& border) { visit_run(writer, border); }

void read_run(StateReader& reader, RoundBorder& border) {
  const Index dim = border.x.size();
  visit_run(reader, border);
  reader.finish();
  if (border.x.size() != dim)
    reader.reject("the state was saved with another problem",
                  std::to_string(border.x.size()) + " variables; here are " + std::to_string(dim));
}

}  // namespace driftless
