// Threads for runs. One that has finished a run waits for the next one, because a new thread waits for its first turn
// where the machine is busy, for longer than a short run takes.
#pragma once

#include <functional>

namespace driftless::python {

// With the interpreter's lock held: a thread runs the work, without the lock. The work itself says when it has ended,
// as its last act, and does not throw.
class RunThread {
 public:
  explicit RunThread(std::function<void()> work);
  // Once the work has ended: the thread is free for another run.
  ~RunThread();
  RunThread(const RunThread&) = delete;
  RunThread& operator=(const RunThread&) = delete;

  // In a child of the process, which has no such thread: forgets it.
  void forget() { worker_ = nullptr; }

 private:
  class Worker;
  Worker* worker_;
};

}  // namespace driftless::python
