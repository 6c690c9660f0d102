// A fixed set of threads that run numbered tasks. The calling thread is one of them. A task may split its own work into
// chunks (core/chunks.hpp): threads that have no task left run some of those.
#pragma once

#include "driftless/core/chunks.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace driftless {

class ThreadPool final : public ChunkRunner {
 public:
  explicit ThreadPool(std::size_t threads = 0);  // 0 = one per core
  ~ThreadPool() override;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t size() const { return helpers_.size() + 1; }

  using Task = std::function<void(std::size_t task, std::size_t worker)>;
  // Runs task 0 … count − 1, each once, and returns when all are done. The first exception is thrown again here.
  void for_each(std::size_t count, const Task& run);

  void run_chunks(std::size_t count, const ChunkTask& run) override;

 private:
  // Numbered tasks that any thread may take; it is on the stack of the caller, which waits for them.
  struct Job {
    Job(const Task& task, std::size_t tasks) : run(task), count(tasks) {}
    bool has_more() const { return next.load(std::memory_order_relaxed) < count; }

    const Task& run;
    std::size_t count;
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> joined{
        0};                      // helpers that work on it; increased only under the mutex, while the job is listed
    std::exception_ptr failure;  // under the mutex
  };

  void carry_out(Job& job, std::size_t worker);
  void help(std::size_t worker);
  void work(Job& job, std::size_t worker);
  Job* join_some_job();
  bool wait_for_work(std::size_t& seen);

  std::vector<std::thread> helpers_;
  bool spins_;  // for a short time before it sleeps: only where every thread has a core

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::vector<Job*> jobs_;              // the latest last: chunks before tasks
  std::atomic<std::size_t> opened_{0};  // counts jobs, for helpers that wait for the next one
  bool stopping_ = false;
};

}  // namespace driftless
