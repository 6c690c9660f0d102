#include "python/bindings/python_calls.hpp"

#include <pybind11/pybind11.h>
#include <set>

namespace driftless::python {
namespace {

// Both are read and written with the interpreter's lock held.
std::multiset<unsigned long>& threads_in_calls() {
  static std::multiset<unsigned long> threads;
  return threads;
}
std::set<unsigned long>& interrupted_threads() {
  static std::set<unsigned long> threads;
  return threads;
}

}  // namespace

PythonCall::PythonCall() { threads_in_calls().insert(PyThread_get_thread_ident()); }

// An interruption that came too late for this call must not end another one.
PythonCall::~PythonCall() {
  const unsigned long thread = PyThread_get_thread_ident();
  threads_in_calls().erase(threads_in_calls().find(thread));
  if (!threads_in_calls().contains(thread) && interrupted_threads().erase(thread) > 0)
    PyThreadState_SetAsyncExc(thread, nullptr);
}

void interrupt_python_calls() {
  for (const unsigned long thread : std::set<unsigned long>(threads_in_calls().begin(), threads_in_calls().end())) {
    interrupted_threads().insert(thread);
    PyThreadState_SetAsyncExc(thread, PyExc_KeyboardInterrupt);
  }
}

}  // namespace driftless::python
