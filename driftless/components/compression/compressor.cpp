#include "driftless/components/compression/compressor.hpp"

#include "driftless/core/check.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

namespace driftless {
namespace {

constexpr double least_power = 0x1p-1022;  // that a sign and 11 bits of exponent can represent
constexpr double largest_power = 0x1p1023;

std::uint64_t whole_bytes(std::uint64_t bits) { return (bits + 7) / 8; }

// |t| as an integer that increases with it; NaN is above infinity, so that any vector can be sorted.
std::uint64_t magnitude(double t) { return std::bit_cast<std::uint64_t>(std::abs(t)); }

void keep_largest(VecIn v, VecOut coded, Index K) {
  coded = v;
  double* const last = coded.data() + K - 1;
  std::nth_element(coded.data(), last, coded.data() + coded.size(),
                   [](double a, double b) { return magnitude(a) > magnitude(b); });
  const std::uint64_t threshold = magnitude(*last);
  const auto above = std::count_if(coded.data(), last, [&](double t) { return magnitude(t) > threshold; });
  Index equal = K - static_cast<Index>(above);  // how many of those at the threshold are kept
  for (Index j = 0; j < v.size(); ++j) {
    const bool at = magnitude(v[j]) == threshold;
    const bool kept = magnitude(v[j]) > threshold || (at && equal > 0);
    if (at && kept) --equal;
    coded[j] = kept ? v[j] : 0.0;
  }
}

// Sequential sampling: each entry is taken with the probability that it is among the entries still to be taken.
void keep_random(VecIn v, VecOut coded, Index K, Stream& chance) {
  const double scale = static_cast<double>(v.size()) / static_cast<double>(K);
  Index wanted = K;
  for (Index j = 0; j < v.size(); ++j) {
    const bool taken = static_cast<Index>(chance.index(static_cast<std::size_t>(v.size() - j))) < wanted;
    if (taken) --wanted;
    coded[j] = taken ? scale * v[j] : 0.0;
  }
}

double rounded_to_power(double t, Stream& chance) {
  const double size = std::abs(t);
  if (size == 0.0 || !std::isfinite(size)) return t;
  if (size >= largest_power) return std::copysign(largest_power, t);
  if (size < least_power) return std::copysign(chance.bernoulli(size / least_power) ? least_power : 0.0, t);
  const double below = std::ldexp(1.0, std::ilogb(size));
  return std::copysign(chance.bernoulli(size / below - 1.0) ? 2.0 * below : below, t);
}

void round_to_levels(VecIn v, VecOut coded, double s, Stream& chance) {
  const double norm = v.stableNorm();
  if (norm == 0.0 || !std::isfinite(norm)) {
    coded = v;
    return;
  }
  for (Index j = 0; j < v.size(); ++j) {
    const double scaled = std::min(s, s * (std::abs(v[j]) / norm));
    const double below = std::floor(scaled);
    const double level = chance.bernoulli(scaled - below) ? below + 1.0 : below;
    coded[j] = std::copysign(norm * (level / s), v[j]);
  }
}

}  // namespace

Index kept_entries(double keep, Index d) {
  return std::clamp<Index>(static_cast<Index>(std::llround(keep * static_cast<double>(d))), 1, d);
}

void Compressor::apply(VecIn v, VecOut coded, Stream& chance) const {
  switch (o_.compressor) {
    case CompressorName::identity: coded = v; return;
    case CompressorName::top_k: keep_largest(v, coded, kept_entries(o_.keep, v.size())); return;
    case CompressorName::rand_k: keep_random(v, coded, kept_entries(o_.keep, v.size()), chance); return;
    case CompressorName::natural:
      for (Index j = 0; j < v.size(); ++j) coded[j] = rounded_to_power(v[j], chance);
      return;
    case CompressorName::qsgd: round_to_levels(v, coded, static_cast<double>(o_.levels), chance); return;
  }
}

std::uint64_t Compressor::bytes(Index d) const {
  const auto entries = static_cast<std::uint64_t>(d);
  const auto K = static_cast<std::uint64_t>(kept_entries(o_.keep, d));
  const auto index_bits = static_cast<std::uint64_t>(std::bit_width(entries - 1));               // ⌈log2 d⌉
  const auto level_bits = static_cast<std::uint64_t>(std::bit_width(std::uint64_t{o_.levels}));  // ⌈log2(s + 1)⌉
  switch (o_.compressor) {
    case CompressorName::identity: break;
    case CompressorName::top_k: return 8 * K + whole_bytes(K * index_bits);
    case CompressorName::rand_k: return 8 * K + 8;
    case CompressorName::natural: return whole_bytes(12 * entries);
    case CompressorName::qsgd: return 8 + whole_bytes(entries * (1 + level_bits));
  }
  return 8 * entries;
}

double Compressor::omega(Index d) const {
  DRIFTLESS_ASSERT(unbiased(), "the variance of a biased compressor");
  const auto entries = static_cast<double>(d);
  const auto s = static_cast<double>(o_.levels);
  switch (o_.compressor) {
    case CompressorName::rand_k: return entries / static_cast<double>(kept_entries(o_.keep, d)) - 1.0;
    case CompressorName::natural: return 0.125;
    case CompressorName::qsgd: return std::min(entries / (s * s), std::sqrt(entries) / s);
    case CompressorName::identity:
    case CompressorName::top_k: break;
  }
  return 0.0;
}

double Compressor::alpha(Index d) const {
  if (unbiased()) return 1.0 / (1.0 + omega(d));
  return static_cast<double>(kept_entries(o_.keep, d)) / static_cast<double>(d);
}

}  // namespace driftless
