// A run has a thread of its own. The thread that called it serves it meanwhile: it looks for signals, which Python
// handles in its main thread alone, asks the caller's stop token, and runs the callbacks, so that these see the thread
// they were made for.
#pragma once

#include "driftless/core/stop_token.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <pybind11/pybind11.h>
#include <unistd.h>

namespace driftless::python {

namespace py = pybind11;

class CallerThread {
 public:
  // `stop_token`: None, or an object with is_set(), as threading.Event.
  explicit CallerThread(py::object stop_token) : stop_token_(std::move(stop_token)) {}

  // By the caller, with the interpreter's lock held: returns when the work has ended, or throws what it threw. A signal
  // whose Python handler raises an error stops the work, and the error is thrown once it has ended.
  void serve(const std::function<void()>& work);

  // By the thread of the run, without the interpreter's lock: the caller runs this, with the lock.
  void call(const std::function<void()>& request);

  // By any thread: `interrupted` once the run should end.
  StopSignal signal() const { return stop_ ? StopSignal::interrupted : StopSignal::none; }

 private:
  enum class Event { time_passed, request, done };
  Event wait();  // until there is something to do, or a short time has passed
  void answer_request();
  void look_for_signals();
  void look_at_token();
  void keep_error(std::exception_ptr error);

  py::object stop_token_;
  std::atomic<bool> stop_ = false;
  std::exception_ptr error_;                                          // of a signal or of the token; the first one
  std::optional<std::chrono::steady_clock::time_point> interrupted_;  // when calls were interrupted last

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* request_ = nullptr;
  std::exception_ptr request_error_;
  bool done_ = false;
};

// In a child of the process the thread of the run does not exist, and what it waited for cannot be taken apart.
struct LeakInChild {
  pid_t process = ::getpid();
  void operator()(CallerThread* caller) const {
    if (::getpid() == process) delete caller;
  }
};
using Caller = std::unique_ptr<CallerThread, LeakInChild>;

}  // namespace driftless::python
