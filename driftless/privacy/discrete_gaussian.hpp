// Noise of whole numbers, P(k) in proportion to e^{−k²/(2σ²)}: exactly that, by whole numbers alone, so that no
// rounding of a logarithm or an exponential gives away what the noise hides. Rejection from a discrete Laplace
// distribution, and coins of chance e^{−γ} from coins of rational chance, are those of Canonne, Kamath, Steinke, "The
// discrete Gaussian for differential privacy", NeurIPS 2020. Ours is that the exponent is taken apart, so that 64 bits
// suffice for any σ:
//
//   σ = a/b.  Y ≥ 0 with P(y) in proportion to e^{−y/σ}:  X = U + a V, Y = ⌊X/b⌋, where U < a has chances in proportion
//   to e^{−U/a} and V is geometric with ratio e^{−1}.  A fair sign, where −0 is drawn again.
//   y is kept with chance e^{−(y/σ − 1)²/2}.  With y b = q a + r, 0 ≤ r < a, and u = r/a:
//   (y/σ − 1)²/2 = w²/2 + w u + u²/2 for w = q − 1 ≥ 0, and (1 − u)²/2 for q = 0; a coin for each summand.
//
// The time for a sample depends on it: an observer must not be able to measure the time of single samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace driftless {

// Fills the bytes with random ones. For noise that shall hide something they come from a cryptographic generator.
using RandomBytes = std::function<void(std::span<std::uint8_t> bytes)>;

class DiscreteGaussian {
 public:
  // 2^−9 ≤ σ ≤ 2^60, used as the rational number that the double is; ConfigError otherwise.
  explicit DiscreteGaussian(double sigma);

  // Samples modulo 2^64, as sums on a lattice of 64 bits are. For σ ≤ 2^58 a sample leaves this range with a chance
  // below e^{−512}. Bytes are taken from the source in blocks of 512; the rest of the last one is wiped.
  void fill(std::span<std::int64_t> samples, const RandomBytes& source) const;

 private:
  std::uint64_t a_;
  std::uint64_t b_;
};

}  // namespace driftless
