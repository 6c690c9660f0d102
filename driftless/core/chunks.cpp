#include "driftless/core/chunks.hpp"

#include <utility>

namespace driftless {
namespace {

thread_local ChunkRunner* current_runner = nullptr;

}  // namespace

ChunkRunnerScope::ChunkRunnerScope(ChunkRunner& runner) : previous_(std::exchange(current_runner, &runner)) {}
ChunkRunnerScope::~ChunkRunnerScope() { current_runner = previous_; }

void for_each_chunk(std::size_t count, const ChunkTask& run) {
  if (count > 1 && current_runner != nullptr) {
    current_runner->run_chunks(count, run);
    return;
  }
  for (std::size_t chunk = 0; chunk < count; ++chunk) run(chunk);
}

}  // namespace driftless
