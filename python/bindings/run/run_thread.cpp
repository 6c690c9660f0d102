#include "python/bindings/run/run_thread.hpp"

#include <condition_variable>
#include <mutex>
#include <pybind11/pybind11.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace driftless::python {

namespace py = pybind11;

// Never deleted: at the end of the program its thread still waits.
class RunThread::Worker {
 public:
  Worker() {
    std::thread([this] { loop(); }).detach();
  }

  void start(std::function<void()> work) {
    const std::scoped_lock lock(mutex_);
    work_ = std::move(work);
    changed_.notify_one();
  }

  // Those without work, of this process: a child has no threads of its parent. Used with the interpreter's lock held.
  static std::vector<Worker*>& idle() {
    static std::vector<Worker*> workers;
    static pid_t process = ::getpid();
    if (std::exchange(process, ::getpid()) != ::getpid()) workers.clear();
    return workers;
  }

 private:
  void loop() {
    // The state that Python keeps for a thread is made once, and not with every call.
    const py::gil_scoped_acquire lock;
    const py::gil_scoped_release unlocked;
    while (true) next_work()();
  }

  std::function<void()> next_work() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return work_ != nullptr; });
    return std::exchange(work_, nullptr);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> work_;
};

RunThread::RunThread(std::function<void()> work) {
  std::vector<Worker*>& idle = Worker::idle();
  if (idle.empty()) worker_ = new Worker;  // NOLINT(cppcoreguidelines-owning-memory): lives as long as the program
  else {
    worker_ = idle.back();
    idle.pop_back();
  }
  worker_->start(std::move(work));
}

RunThread::~RunThread() {
  if (worker_ != nullptr) Worker::idle().push_back(worker_);
}

}  // namespace driftless::python
