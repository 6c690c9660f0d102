// What the functions for experiments share: the configuration they read, and the thread that serves Python meanwhile.
#pragma once

#include "driftless/experiments/run_config.hpp"

#include "python/bindings/run/caller_thread.hpp"

#include <filesystem>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace driftless::python {

namespace py = pybind11;

// A TOML file with assignments "key=value" on top of it.
struct ConfigSource {
  std::filesystem::path file;
  std::vector<std::string> overrides;

  RunConfig read(MethodTables methods = MethodTables::or_auto) const { return read_config(file, overrides, methods); }
};

// work(caller) in a thread of its own, without the interpreter's lock; see CallerThread.
template <class Work>
void serve(const py::object& stop_token, const Work& work) {
  const Caller caller(new CallerThread(stop_token));
  caller->serve([&] { work(*caller); });
}

inline StopToken token_of(const CallerThread& caller) {
  return [&caller] { return caller.signal(); };
}

}  // namespace driftless::python
