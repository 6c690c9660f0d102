// What a server can learn from the message of a site with few records: the gradient of a generalised linear model at
// x = 0 with one record is a multiple of that record.
#pragma once

#include "driftless/core/vector.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace driftless {

// The guess of an observer who is shown a message: its direction, with the sign of its largest entry positive.
inline Vector direction_of(const Vector& message) {
  Index largest = 0;
  message.cwiseAbs().maxCoeff(&largest);
  const double norm = message.stableNorm();
  return message / (message[largest] < 0.0 ? -norm : norm);
}

// How much of the record the guess knows: 1 is all of it up to scale and sign; independent directions in d dimensions
// give about 1/√d.
inline double agreement_of(const Vector& message, const Vector& record) {
  return std::abs(direction_of(message).dot(direction_of(record)));
}

// A row on the lattice of 64 bits with that unit, and back; sums there are modulo 2^64.
inline std::vector<std::uint64_t> on_lattice(const Vector& row, double unit) {
  std::vector<std::uint64_t> lattice;
  for (const double entry : row) lattice.push_back(static_cast<std::uint64_t>(std::llround(entry / unit)));
  return lattice;
}
inline Vector from_lattice(std::span<const std::uint64_t> lattice, double unit) {
  Vector row(static_cast<Index>(lattice.size()));
  for (Index k = 0; k < row.size(); ++k)
    row[k] = unit * static_cast<double>(static_cast<std::int64_t>(lattice[static_cast<std::size_t>(k)]));
  return row;
}

}  // namespace driftless
