// A fixed set of threads that work through numbered tasks. The caller is one of them.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace driftless {

class ThreadPool {
 public:
  explicit ThreadPool(std::size_t threads = 0);  // 0 = one per core
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t size() const { return helpers_.size() + 1; }

  using Task = std::function<void(std::size_t task, std::size_t worker)>;
  // Runs task 0 … count − 1, each once, and returns when all are done. The first exception is thrown again here.
  void for_each(std::size_t count, const Task& run);

 private:
  void help(std::size_t worker);
  void work(std::size_t worker);

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::size_t generation_ = 0;  // number of the current job
  bool open_ = false;           // it may still be joined: a helper that wakes up too late is not waited for
  std::size_t joined_ = 0;      // helpers working on it
  bool stopping_ = false;
  const Task* run_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_{0};
  std::exception_ptr failure_;
  std::vector<std::thread> helpers_;
};

}  // namespace driftless
