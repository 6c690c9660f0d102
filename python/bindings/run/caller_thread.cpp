#include "python/bindings/run/caller_thread.hpp"

#include "driftless/core/error.hpp"

#include "python/bindings/run/run_thread.hpp"

#include <chrono>
#include <unistd.h>

namespace driftless::python {
namespace {

constexpr std::chrono::milliseconds between_looks(20);
constexpr std::chrono::milliseconds between_interruptions(500);

}  // namespace

void CallerThread::serve(const std::function<void()>& work) {
  const pid_t process = ::getpid();
  std::exception_ptr failure;
  RunThread run([&] {
    try {
      work();
    } catch (...) { failure = std::current_exception(); }
    const std::scoped_lock lock(mutex_);
    done_ = true;
    changed_.notify_all();
  });
  while (true) {
    const Event event = wait();
    if (event == Event::request) answer_request();
    else if (event == Event::done) break;
    // In a child of this process there is no thread of the run: it would be waited for in vain.
    if (::getpid() != process) {
      run.forget();
      throw ConfigError({.what = "a process was forked inside a callback of a run and cannot continue it",
                         .seen = "process " + std::to_string(::getpid()) + ", a child of " + std::to_string(process),
                         .advice = "fork before or after driftless.minimize, or start processes by multiprocessing's "
                                   "method 'spawn'"});
    }
    look_for_signals();
    look_at_token();
  }
  if (error_) std::rethrow_exception(error_);
  if (failure) std::rethrow_exception(failure);
}

CallerThread::Event CallerThread::wait() {
  const py::gil_scoped_release unlocked;
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, between_looks, [&] { return done_ || request_ != nullptr; });
  if (request_ != nullptr) return Event::request;
  return done_ ? Event::done : Event::time_passed;
}

void CallerThread::answer_request() {
  try {
    (*request_)();
  } catch (...) { request_error_ = std::current_exception(); }
  const std::scoped_lock lock(mutex_);
  request_ = nullptr;
  changed_.notify_all();
}

void CallerThread::call(const std::function<void()>& request) {
  std::unique_lock lock(mutex_);
  request_error_ = nullptr;
  request_ = &request;
  changed_.notify_all();
  changed_.wait(lock, [&] { return request_ == nullptr; });
  if (request_error_) std::rethrow_exception(std::exchange(request_error_, nullptr));
}

void CallerThread::keep_error(std::exception_ptr error) {
  if (!error_) error_ = std::move(error);
  stop_ = true;
}

// A call that begins after the signal is interrupted where it has not ended in a while: what ends a run properly, such
// as the last measurement, is short.
void CallerThread::look_for_signals() {
  const bool signalled = PyErr_CheckSignals() != 0;
  if (signalled) keep_error(std::make_exception_ptr(py::error_already_set()));
  const auto now = std::chrono::steady_clock::now();
  if (!signalled && (!interrupted_ || now - *interrupted_ < between_interruptions)) return;
  interrupted_ = now;
  // One list of calls for all compiled modules.
  py::module_::import("driftless._core").attr("interrupt_python_calls")();
}

void CallerThread::look_at_token() {
  if (stop_ || stop_token_.is_none()) return;
  try {
    if (py::bool_(stop_token_.attr("is_set")())) stop_ = true;
  } catch (const py::error_already_set&) { keep_error(std::current_exception()); }
}

}  // namespace driftless::python
