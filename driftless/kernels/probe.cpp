#include "driftless/kernels/probe.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "driftless/kernels/probe.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace driftless::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<double, 8>;
using Reals = hn::Vec<Lanes>;
constexpr Lanes tag;

double reading(const double* numbers, std::size_t count) {
  const std::size_t width = hn::Lanes(tag);
  Reals a = hn::Zero(tag), b = a, c = a, d = a;
  std::size_t k = 0;
  for (; k + 4 * width <= count; k += 4 * width) {
    a = hn::Add(a, hn::LoadU(tag, numbers + k));
    b = hn::Add(b, hn::LoadU(tag, numbers + k + width));
    c = hn::Add(c, hn::LoadU(tag, numbers + k + 2 * width));
    d = hn::Add(d, hn::LoadU(tag, numbers + k + 3 * width));
  }
  double sum = hn::GetLane(hn::SumOfLanes(tag, hn::Add(hn::Add(a, b), hn::Add(c, d))));
  for (; k < count; ++k) sum += numbers[k];
  return sum;
}

// Ten chains hide the latency of two units with five cycles each.
std::size_t arithmetic(std::size_t steps, double& result) {
  const Reals factor = hn::Set(tag, 0.999999);
  const Reals term = hn::Set(tag, 1e-6);
  Reals a = hn::Set(tag, 1.0), b = a, c = a, d = a, e = a, f = a, g = a, h = a, i = a, j = a;
  for (std::size_t step = 0; step < steps; ++step) {
    a = hn::MulAdd(a, factor, term);
    b = hn::MulAdd(b, factor, term);
    c = hn::MulAdd(c, factor, term);
    d = hn::MulAdd(d, factor, term);
    e = hn::MulAdd(e, factor, term);
    f = hn::MulAdd(f, factor, term);
    g = hn::MulAdd(g, factor, term);
    h = hn::MulAdd(h, factor, term);
    i = hn::MulAdd(i, factor, term);
    j = hn::MulAdd(j, factor, term);
  }
  const Reals sum = hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, d)), hn::Add(hn::Add(e, f), hn::Add(g, h)));
  result = hn::GetLane(hn::SumOfLanes(tag, hn::Add(sum, hn::Add(i, j))));
  return steps * 10 * 2 * hn::Lanes(tag);
}

}  // namespace
}  // namespace driftless::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace driftless {
namespace {

HWY_EXPORT(reading);
HWY_EXPORT(arithmetic);

}  // namespace

double probe_reading(std::span<const double> numbers) {
  return HWY_DYNAMIC_DISPATCH(reading)(numbers.data(), numbers.size());
}

std::size_t probe_arithmetic(std::size_t steps, double& result) {
  return HWY_DYNAMIC_DISPATCH(arithmetic)(steps, result);
}

}  // namespace driftless
#endif
