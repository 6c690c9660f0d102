// Federation and Client as Python methods see them. Python may keep a handle for as long as it likes, but what it
// stands for is there during a call alone: afterwards a handle is empty.
#pragma once

#include "driftless/federation/federation.hpp"

#include <pybind11/pybind11.h>

namespace driftless::python {

namespace py = pybind11;

template <class T>
class Handle {
 public:
  explicit Handle(T& target) : target_(&target) {}

  void clear() { target_ = nullptr; }
  // ConfigError where the call is over.
  T& get(const char* what) const {
    if (target_ != nullptr) return *target_;
    throw ConfigError({.what = std::string("a ") + what + " was used after the call that it was made for",
                       .seen = std::string("a kept ") + what,
                       .advice = std::string("use the ") + what + " inside of that call alone"});
  }

 private:
  T* target_;
};

// A client with the number of its variables.
struct SizedClient {
  Client& client;
  Index dim;
};

using FederationHandle = Handle<Federation>;
using ClientHandle = Handle<SizedClient>;

// use(handle as a Python object), with the interpreter's lock held; empties the handle at the end.
template <class T, class Use>
decltype(auto) with_handle(T& target, const Use& use) {
  const auto handle = std::make_shared<Handle<T>>(target);
  struct Clear {
    Handle<T>& handle;
    ~Clear() { handle.clear(); }
  } const clear{*handle};
  return use(py::cast(handle));
}

}  // namespace driftless::python
