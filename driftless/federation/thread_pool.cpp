#include "driftless/federation/thread_pool.hpp"

#include <algorithm>
#include <chrono>

namespace driftless {
namespace {

// The server does little work between two passes over the data, so waking a thread up costs more than it saves.
constexpr std::chrono::microseconds longest_spin{50};

template <class Condition>
bool spin_until(const Condition& holds) {
  const auto end = std::chrono::steady_clock::now() + longest_spin;
  for (;;) {
    for (int look = 0; look < 32; ++look) {
      if (holds()) return true;
#if defined(__x86_64__) || defined(__i386__)
      __builtin_ia32_pause();
#endif
    }
    if (std::chrono::steady_clock::now() >= end) return false;
  }
}

// The index of the calling thread in its pool.
thread_local std::size_t worker_here = 0;

}  // namespace

ThreadPool::ThreadPool(std::size_t threads) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  if (threads == 0) threads = cores;
  spins_ = threads <= cores;
  helpers_.reserve(threads - 1);
  for (std::size_t worker = 1; worker < threads; ++worker) helpers_.emplace_back([this, worker] { help(worker); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    ++opened_;
  }
  wake_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void ThreadPool::for_each(std::size_t count, const Task& run) {
  const ChunkRunnerScope scope(*this);
  if (count <= 1 || helpers_.empty()) {
    for (std::size_t task = 0; task < count; ++task) run(task, 0);
    return;
  }
  Job job(run, count);
  carry_out(job, 0);
}

void ThreadPool::run_chunks(std::size_t count, const ChunkTask& run) {
  if (helpers_.empty()) {
    for (std::size_t chunk = 0; chunk < count; ++chunk) run(chunk);
    return;
  }
  const Task task = [&run](std::size_t chunk, std::size_t) { run(chunk); };
  Job job(task, count);
  carry_out(job, worker_here);
}

void ThreadPool::carry_out(Job& job, std::size_t worker) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(&job);
    ++opened_;
  }
  wake_.notify_all();
  work(job, worker);
  {
    const std::lock_guard lock(mutex_);
    std::erase(jobs_, &job);  // helpers that have not joined by now no longer see this job
  }
  const auto alone = [&] { return job.joined.load(std::memory_order_acquire) == 0; };
  if (!spins_ || !spin_until(alone)) {
    std::unique_lock lock(mutex_);
    done_.wait(lock, alone);
  }
  const std::lock_guard lock(mutex_);  // the last helper has released the job
  if (job.failure) std::rethrow_exception(job.failure);
}

void ThreadPool::help(std::size_t worker) {
  worker_here = worker;
  const ChunkRunnerScope scope(*this);
  std::size_t seen = 0;
  while (wait_for_work(seen))
    while (Job* job = join_some_job()) {
      work(*job, worker);
      const std::lock_guard lock(mutex_);
      if (--job->joined == 0) done_.notify_all();
    }
}

ThreadPool::Job* ThreadPool::join_some_job() {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(jobs_.rbegin(), jobs_.rend(), [](const Job* job) { return job->has_more(); });
  if (found == jobs_.rend()) return nullptr;
  ++(*found)->joined;
  return *found;
}

// False when the pool is being destroyed.
bool ThreadPool::wait_for_work(std::size_t& seen) {
  const auto something_new = [&] { return opened_.load(std::memory_order_acquire) != seen; };
  const bool came = spins_ && spin_until(something_new);
  std::unique_lock lock(mutex_);
  if (!came) wake_.wait(lock, something_new);
  seen = opened_;
  return !stopping_;
}

void ThreadPool::work(Job& job, std::size_t worker) {
  try {
    for (std::size_t task = job.next++; task < job.count; task = job.next++) job.run(task, worker);
  } catch (...) {
    job.next = job.count;  // no task is left for the other threads
    const std::lock_guard lock(mutex_);
    if (!job.failure) job.failure = std::current_exception();
  }
}

}  // namespace driftless
