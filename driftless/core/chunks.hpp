// Work inside one client, split into chunks whose number and content depend on the data alone. Idle threads of the pool
// that runs the client may run some of them, so the results do not depend on which thread runs a chunk.
#pragma once

#include <cstddef>
#include <functional>

namespace driftless {

using ChunkTask = std::function<void(std::size_t chunk)>;

// Has threads that can run chunks.
class ChunkRunner {
 public:
  virtual ~ChunkRunner() = default;
  virtual void run_chunks(std::size_t count, const ChunkTask& run) = 0;
};

// Sets the runner of the calling thread during its lifetime.
class ChunkRunnerScope {
 public:
  explicit ChunkRunnerScope(ChunkRunner& runner);
  ~ChunkRunnerScope();
  ChunkRunnerScope(const ChunkRunnerScope&) = delete;
  ChunkRunnerScope& operator=(const ChunkRunnerScope&) = delete;

 private:
  ChunkRunner* previous_;
};

// Runs chunk 0 … count − 1, each once, and returns when all are done: by the runner of the calling thread, if it has
// one. A chunk must not write what another chunk reads or writes.
void for_each_chunk(std::size_t count, const ChunkTask& run);

}  // namespace driftless
