// Ends a round early: every pass over a client's data asks here whether the round should continue.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <utility>

namespace driftless {

// Thrown out of a round that is abandoned. Its effects are void; only the loop that armed the guard catches it.
struct RoundAbandoned : std::exception {
  const char* what() const noexcept override { return "a round was abandoned"; }
};

class WorkGuard {
 public:
  struct Limits {
    double patience = 0.5;  // seconds until `over` is asked for the first time
    std::uint64_t most_gradients = std::numeric_limits<std::uint64_t>::max();  // of one client, since the start
    // Should the round end? Called by one thread at a time, with whether a client has passed `most_gradients`.
    std::function<bool(bool too_much_work)> over = {};
  };

  WorkGuard() = default;
  WorkGuard(const WorkGuard&) = delete;
  WorkGuard& operator=(const WorkGuard&) = delete;

  // Between rounds only.
  void arm(Limits limits) {
    limits_ = std::move(limits);
    next_ = now() + ticks(limits_.patience);
    too_much_work_ = abandoned_ = false;
    armed_ = true;
  }
  void disarm() { armed_ = abandoned_ = false; }
  bool abandoned() const { return abandoned_; }  // the round that is being watched

  // By any thread, before a pass: with the gradients of the client so far. RoundAbandoned where the round should end.
  void check(std::uint64_t gradients) {
    if (!armed_) return;
    const bool passes_limit = gradients > limits_.most_gradients && !too_much_work_.load(std::memory_order_relaxed);
    const std::int64_t time = now();
    if (passes_limit || time >= next_.load(std::memory_order_relaxed)) ask(time, passes_limit);
  }

 private:
  static constexpr double between_questions = 0.05;  // seconds

  // Passes over small data take less than a microsecond, so the clock must be cheap rather than fine.
  static std::int64_t now() {
#ifdef CLOCK_MONOTONIC_COARSE
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
#else
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
#endif
  }
  static std::int64_t ticks(double seconds) { return static_cast<std::int64_t>(1e9 * seconds); }

  void ask(std::int64_t time, bool passes_limit) {
    const std::scoped_lock lock(mutex_);
    if (passes_limit) too_much_work_ = true;
    else if (time < next_) return;  // another thread has just asked
    if (!abandoned_ && limits_.over && limits_.over(too_much_work_)) {
      abandoned_ = true;
      next_ = 0;  // every other thread asks with its next pass
    }
    if (abandoned_) throw RoundAbandoned();
    if (limits_.patience > 0.0) next_ = time + ticks(between_questions);
  }

  Limits limits_;
  bool armed_ = false;
  std::atomic<std::int64_t> next_ = 0;
  std::mutex mutex_;
  std::atomic<bool> too_much_work_ = false;
  std::atomic<bool> abandoned_ = false;
};

// The guard as a local solve sees it.
struct PassWatch {
  WorkGuard& guard;
  std::uint64_t before;  // gradients of the client before this solve

  void at_pass(std::uint64_t passes) const { guard.check(before + passes); }
};

}  // namespace driftless
