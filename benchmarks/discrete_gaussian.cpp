// What a sample of discrete Gaussian noise costs, with bytes of a counter-based generator: nanoseconds and bytes for
// each, minimum over repetitions, for deviations from below one unit of the lattice to 2^60.
//
//   bench_discrete_gaussian [SAMPLES]
#include "driftless/privacy/discrete_gaussian.hpp"

#include "driftless/core/random.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace driftless {
namespace {

struct Cost {
  double nanoseconds = 1e300;
  double bytes = 0.0;
};

Cost cost_of(double sigma, std::size_t samples) {
  using Clock = std::chrono::steady_clock;
  Stream stream(1, Purpose::client_noise);
  std::size_t taken = 0;
  const RandomBytes source = [&](std::span<std::uint8_t> bytes) {
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < bytes.size(); ++k) {
      word = k % 8 == 0 ? stream.bits() : word >> 8;
      bytes[k] = static_cast<std::uint8_t>(word);
    }
    taken += bytes.size();
  };
  const DiscreteGaussian gaussian(sigma);
  std::vector<std::int64_t> noise(samples);
  const double count = static_cast<double>(samples);
  Cost cost;
  constexpr int repetitions = 5;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    const auto start = Clock::now();
    gaussian.fill(noise, source);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    cost.nanoseconds = std::min(cost.nanoseconds, 1e9 * seconds / count);
  }
  cost.bytes = static_cast<double>(taken) / (repetitions * count);
  return cost;
}

void run(std::size_t samples) {
  fmt::print("{:>14}  {:>10}  {:>10}\n", "sigma", "ns", "bytes");
  for (const double sigma : {0.5, 1.0, 10.0, 1000.0, 0x1p20, 0x1p32, 0x1p40, 0x1p60}) {
    const Cost cost = cost_of(sigma, samples);
    fmt::print("{:>14.6g}  {:>10.1f}  {:>10.1f}\n", sigma, cost.nanoseconds, cost.bytes);
  }
}

}  // namespace
}  // namespace driftless

int main(int argc, char** argv) { driftless::run(argc > 1 ? std::stoul(argv[1]) : 1000000); }
