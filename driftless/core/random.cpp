#include "driftless/core/random.hpp"

#include "driftless/core/check.hpp"

#include <cmath>
#include <numbers>

namespace driftless {
namespace {

// A 64-bit finaliser: every input bit changes every output bit with probability one half.
std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = 0xD2511F53ULL * counter[0];
    const std::uint64_t product1 = 0xCD9E8D57ULL * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(product0)};
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  return counter;
}

Stream::Stream(std::uint64_t seed, Purpose purpose, std::uint64_t client, std::uint64_t round) {
  const std::uint64_t who = mix(mix(seed) + static_cast<std::uint64_t>(purpose) + 1);
  key_ = {static_cast<std::uint32_t>(who), static_cast<std::uint32_t>(who >> 32)};
  const std::uint64_t when = mix(mix(client + 0x9E3779B97F4A7C15ULL) + round);
  counter_ = {0, 0, static_cast<std::uint32_t>(when), static_cast<std::uint32_t>(when >> 32)};
}

void Stream::refill() {
  block_ = philox(counter_, key_);
  if (++counter_[0] == 0) ++counter_[1];
  used_ = 0;
}

std::uint64_t Stream::bits() {
  if (used_ > 2) refill();
  const std::uint64_t low = block_[static_cast<std::size_t>(used_)];
  const std::uint64_t high = block_[static_cast<std::size_t>(used_) + 1];
  used_ += 2;
  return low | high << 32;
}

double Stream::uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

double Stream::uniform(double low, double high) { return low + (high - low) * uniform(); }

double Stream::normal() {
  const double radius = std::sqrt(-2.0 * std::log1p(-uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

// Marsaglia and Tsang, "A simple method for generating gamma variables", 2000; shapes below 1 through shape + 1.
double Stream::gamma(double shape) {
  if (shape < 1.0) {
    const double boost = std::pow(1.0 - uniform(), 1.0 / shape);
    return gamma(shape + 1.0) * boost;
  }
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double z = normal();
    const double root = 1.0 + c * z;
    if (root <= 0.0) continue;
    const double v = root * root * root;
    if (std::log1p(-uniform()) < 0.5 * z * z + d - d * v + d * std::log(v)) return d * v;
  }
}

bool Stream::bernoulli(double p) { return uniform() < p; }

std::size_t Stream::index(std::size_t size) {
  DRIFTLESS_ASSERT(size > 0, "a draw from nothing");
  const std::uint64_t bound = size;
  const std::uint64_t reject_below = (0 - bound) % bound;  // 2^64 mod bound: what would make small values likelier
  for (;;) {
    const std::uint64_t draw = bits();
    if (draw >= reject_below) return static_cast<std::size_t>(draw % bound);
  }
}

}  // namespace driftless
