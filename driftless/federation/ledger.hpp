// The cost of communication so far, in the four units of the literature. One vector is one d-vector in one direction
// for one client. Only Federation writes it.
#pragma once

#include <cstdint>

namespace driftless {

struct Ledger {
  std::uint64_t rounds = 0;        // outer iterations, with any number of exchanges each
  std::uint64_t exchanges = 0;     // synchronous round trips
  std::uint64_t vectors_up = 0;    // clients → server
  std::uint64_t vectors_down = 0;  // server → clients
  std::uint64_t bytes_up = 0;      // of vectors alone
  std::uint64_t bytes_down = 0;
  std::uint64_t scalars_up = 0;  // single numbers: values of a line search, norms
  std::uint64_t scalars_down = 0;

  std::uint64_t messages() const { return vectors_up + vectors_down; }
  std::uint64_t bytes() const { return bytes_up + bytes_down; }
};

}  // namespace driftless
