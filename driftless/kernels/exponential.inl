// exp and log of vectors of numbers, for kernels that are compiled for several instruction sets: the same bits with
// each. Included once for every instruction set, so without #pragma once, after <hwy/highway.h>.
#if defined(DRIFTLESS_KERNELS_EXPONENTIAL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef DRIFTLESS_KERNELS_EXPONENTIAL_INL
#undef DRIFTLESS_KERNELS_EXPONENTIAL_INL
#else
#define DRIFTLESS_KERNELS_EXPONENTIAL_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace driftless::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<double, sum_lanes>;
using Reals = hn::Vec<Lanes>;
constexpr Lanes tag;

// exp(x) where it is a normal number: x = n ln 2 + r with |r| ≤ ½ ln 2, exp(r) = 1 + r + r² q(r) with q by Chebyshev's
// points to 1e-17.
HWY_INLINE Reals exp_of_normal(Reals x) {
  const auto constant = [](double c) { return hn::Set(tag, c); };
  constexpr double shifter = 0x1.8p52;
  const Reals shifted = hn::Add(hn::Mul(x, constant(0x1.71547652b82fep+0)), constant(shifter));
  const Reals n = hn::Sub(shifted, constant(shifter));
  Reals r = hn::Sub(x, hn::Mul(n, constant(0x1.62e42feep-1)));
  r = hn::Sub(r, hn::Mul(n, constant(0x1.a39ef35793c76p-33)));
  const auto step = [&](Reals q, double c) { return hn::Add(hn::Mul(q, r), constant(c)); };
  Reals q = constant(0x1.af389fe6457c2p-26);
  q = step(q, 0x1.28917d6bfd692p-22);
  q = step(q, 0x1.71de0db2819d0p-19);
  q = step(q, 0x1.a019b913dbf29p-16);
  q = step(q, 0x1.a01a01a7c30e0p-13);
  q = step(q, 0x1.6c16c1788a201p-10);
  q = step(q, 0x1.11111111109b5p-7);
  q = step(q, 0x1.5555555553d67p-5);
  q = step(q, 0x1.5555555555555p-3);
  q = step(q, 0.5);
  const Reals fraction = hn::Add(constant(1.0), hn::Add(r, hn::Mul(hn::Mul(r, r), q)));
  // The last bits of `shifted` are n; moved into the exponent they multiply by 2^n.
  const hn::RebindToSigned<Lanes> whole;
  const auto bits = hn::Add(hn::BitCast(whole, fraction), hn::ShiftLeft<52>(hn::BitCast(whole, shifted)));
  return hn::BitCast(tag, bits);
}

// exp(x) for x ≤ 0.
HWY_INLINE Reals exp_of_negative(Reals x) {
  const auto normal = hn::Gt(x, hn::Set(tag, -708.0));  // below, the result is no normal number, and zero will do
  return hn::IfThenElseZero(normal, exp_of_normal(x));
}

// exp(x) for every x: infinite where it is too large, and no number where x is none.
HWY_INLINE Reals exp_of_any(Reals x) {
  const auto too_large = hn::Gt(x, hn::Set(tag, 0x1.62e42fefa39efp+9));  // 1024 ln 2
  const Reals finite = exp_of_negative(x);
  const Reals result = hn::IfThenElse(too_large, hn::Inf(tag), finite);
  return hn::IfThenElse(hn::IsNaN(x), x, result);
}

// log(1 + x) for x ≥ 0: 1 + x = 2^k m with m in [√½, √2), log m = 2 artanh((m − 1)/(m + 1)), and what 1 + x loses by
// rounding is added again.
HWY_INLINE Reals log_one_plus(Reals x) {
  const hn::RebindToSigned<Lanes> whole;
  const Reals one = hn::Set(tag, 1.0);
  const Reals sum = hn::Add(one, x);
  const Reals lost = hn::Div(hn::Sub(x, hn::Sub(sum, one)), sum);
  const auto bits = hn::BitCast(whole, sum);
  const auto k = hn::ShiftRight<52>(hn::Sub(bits, hn::Set(whole, 0x3fe6a09e667f3bcd)));  // the bits of √½
  const Reals m = hn::BitCast(tag, hn::Sub(bits, hn::ShiftLeft<52>(k)));
  const Reals s = hn::Div(hn::Sub(m, one), hn::Add(m, one));
  const Reals z = hn::Mul(s, s);
  Reals series = hn::Zero(tag);
  for (int odd = 23; odd >= 3; odd -= 2) series = hn::Mul(z, hn::Add(series, hn::Set(tag, 1.0 / odd)));
  const Reals two_s = hn::Add(s, s);
  const Reals exponent = hn::ConvertTo(tag, k);
  const Reals low = hn::Add(hn::Mul(exponent, hn::Set(tag, 0x1.a39ef35793c76p-33)), lost);
  const Reals high = hn::Mul(exponent, hn::Set(tag, 0x1.62e42feep-1));
  const Reals result = hn::Add(high, hn::Add(two_s, hn::Add(hn::Mul(two_s, series), low)));
  return hn::IfThenElse(hn::Lt(x, hn::Inf(tag)), result, x);
}

}  // namespace
}  // namespace driftless::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
