// Work on several threads at once; the first exception of any of them is rethrown when all have ended.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace driftless {

// work(k) for k = 0 … threads − 1, each on a thread of its own.
template <class Work>
void run_on_threads(std::size_t threads, const Work& work) {
  std::mutex guard;
  std::exception_ptr failure;
  const auto guarded = [&](std::size_t k) noexcept {
    try {
      work(k);
    } catch (...) {
      const std::scoped_lock lock(guard);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t k = 1; k < threads; ++k) others.emplace_back([&guarded, k] { guarded(k); });
    guarded(0);
  }
  if (failure) std::rethrow_exception(failure);
}

// work(k) for k = 0 … count − 1, each once, on any of the threads.
template <class Work>
void for_each_on_threads(std::size_t threads, std::size_t count, const Work& work) {
  std::atomic<std::size_t> next = 0;
  run_on_threads(std::min(threads, count), [&](std::size_t) {
    for (std::size_t k = next++; k < count; k = next++) work(k);
  });
}

}  // namespace driftless
