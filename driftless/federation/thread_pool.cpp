#include "driftless/federation/thread_pool.hpp"

#include <algorithm>

namespace driftless {

ThreadPool::ThreadPool(std::size_t threads) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  helpers_.reserve(threads - 1);
  for (std::size_t worker = 1; worker < threads; ++worker) helpers_.emplace_back([this, worker] { help(worker); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void ThreadPool::for_each(std::size_t count, const Task& run) {
  if (count <= 1 || helpers_.empty()) {
    for (std::size_t task = 0; task < count; ++task) run(task, 0);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    run_ = &run;
    count_ = count;
    next_ = 0;
    failure_ = nullptr;
    open_ = true;
    ++generation_;
  }
  wake_.notify_all();
  work(0);
  std::unique_lock lock(mutex_);
  open_ = false;
  done_.wait(lock, [this] { return joined_ == 0; });
  if (failure_) std::rethrow_exception(failure_);
}

void ThreadPool::help(std::size_t worker) {
  std::size_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stopping_ || generation_ != seen; });
      if (stopping_) return;
      seen = generation_;
      if (!open_) continue;
      ++joined_;
    }
    work(worker);
    const std::lock_guard lock(mutex_);
    if (--joined_ == 0) done_.notify_one();
  }
}

void ThreadPool::work(std::size_t worker) {
  try {
    for (std::size_t task = next_++; task < count_; task = next_++) (*run_)(task, worker);
  } catch (...) {
    next_ = count_;  // the others find nothing left to do
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
}

}  // namespace driftless
