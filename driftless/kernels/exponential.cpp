#include "driftless/kernels/exponential.hpp"

#include "driftless/core/check.hpp"
#include "driftless/kernels/lane_sum.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "driftless/kernels/exponential.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format off: it needs what stands before it
#include "driftless/kernels/exponential.inl"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace driftless::HWY_NAMESPACE {
namespace {

template <class Function>
HWY_INLINE void apply(const double* x, double* results, std::size_t count, const Function& function) {
  const std::size_t width = hn::Lanes(tag);
  std::size_t j = 0;
  for (; j + width <= count; j += width) hn::StoreU(function(hn::LoadU(tag, x + j)), tag, results + j);
  for (; j < count; ++j) results[j] = hn::GetLane(function(hn::Set(tag, x[j])));
}

void exp_of_rows(const double* x, double* results, std::size_t count) {
  apply(x, results, count, [](Reals at) HWY_ATTR { return exp_of_any(at); });
}
void log_one_plus_of_rows(const double* x, double* results, std::size_t count) {
  apply(x, results, count, [](Reals at) HWY_ATTR { return log_one_plus(at); });
}

}  // namespace
}  // namespace driftless::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace driftless {
namespace {

HWY_EXPORT(exp_of_rows);
HWY_EXPORT(log_one_plus_of_rows);

}  // namespace

void exponentials(std::span<const double> x, std::span<double> results) {
  DRIFTLESS_ASSERT(x.size() == results.size(), "one result for each number");
  HWY_DYNAMIC_DISPATCH(exp_of_rows)(x.data(), results.data(), x.size());
}

void logarithms_of_one_plus(std::span<const double> x, std::span<double> results) {
  DRIFTLESS_ASSERT(x.size() == results.size(), "one result for each number");
  HWY_DYNAMIC_DISPATCH(log_one_plus_of_rows)(x.data(), results.data(), x.size());
}

}  // namespace driftless
#endif
