// What the targets share: the input as text, what may come out, and what must hold. Everything else that leaves a
// target ends the program, and libFuzzer keeps the input.
#pragma once

#include "driftless/core/error.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace driftless::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

template <class Allowed, class Work>
void may_throw(Work&& work) {
  try {
    work();
  } catch (const Allowed&) { return; }
}

inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace driftless::fuzz
