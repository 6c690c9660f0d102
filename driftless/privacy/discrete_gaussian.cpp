#include "driftless/privacy/discrete_gaussian.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"

#include <array>
#include <bit>
#include <cmath>

namespace driftless {
namespace {

__extension__ using Wide = unsigned __int128;

// Random bytes by the block; what is left is wiped at the end.
class Bytes {
 public:
  explicit Bytes(const RandomBytes& source) : source_(source) {}
  ~Bytes() {
    for (volatile std::uint8_t& byte : block_) byte = 0;
  }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  // 0 … size − 1, all alike: as few bytes as hold size − 1, and again where they give more.
  std::uint64_t below(std::uint64_t size) {
    const auto bits = static_cast<int>(std::bit_width(size - 1));
    const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    while (true) {
      std::uint64_t number = 0;
      for (int at = 0; at < bits; at += 8) number |= std::uint64_t{next()} << at;
      if ((number & mask) < size) return number & mask;
    }
  }

 private:
  std::uint8_t next() {
    if (used_ == block_.size()) {
      source_(block_);
      used_ = 0;
    }
    return block_[used_++];
  }

  const RandomBytes& source_;
  std::array<std::uint8_t, 512> block_{};
  std::size_t used_ = block_.size();
};

// True with chance e^{−γ}, 0 ≤ γ ≤ 1, if each call of `coin` is true with chance γ: the number of the first failure
// among coins of chances γ/1, γ/2, γ/3, … is odd with that chance, as Σ_k (−γ)^k/k! shows.
template <class Coin>
bool exponential_coin(Bytes& bytes, const Coin& coin) {
  std::uint64_t k = 1;
  while (bytes.below(k) == 0 && coin()) ++k;
  return k % 2 == 1;
}

bool coin_of_one(Bytes& bytes) {  // e^{−1}
  return exponential_coin(bytes, [] { return true; });
}

bool coin_of_half(Bytes& bytes) {  // e^{−1/2}
  return exponential_coin(bytes, [&] { return bytes.below(2) == 0; });
}

bool coin_of_ratio(Bytes& bytes, std::uint64_t r, std::uint64_t a) {  // e^{−r/a}
  return exponential_coin(bytes, [&] { return bytes.below(a) < r; });
}

bool coin_of_half_square(Bytes& bytes, std::uint64_t r, std::uint64_t a) {  // e^{−(r/a)²/2}
  return exponential_coin(bytes, [&] { return bytes.below(2) == 0 && bytes.below(a) < r && bytes.below(a) < r; });
}

// X = U + a V, with P(x) in proportion to e^{−x/a}.
Wide draw_geometric(Bytes& bytes, std::uint64_t a) {
  std::uint64_t u = bytes.below(a);
  while (!coin_of_ratio(bytes, u, a)) u = bytes.below(a);
  Wide v = 0;
  while (coin_of_one(bytes)) ++v;
  return u + a * v;
}

// Whether y is kept, of which y b = q a + r is given.
bool is_kept(Bytes& bytes, Wide q, std::uint64_t r, std::uint64_t a) {
  if (q == 0) return coin_of_half_square(bytes, a - r, a);
  const Wide w = q - 1;
  for (Wide k = 0; k < w * w; ++k)
    if (!coin_of_half(bytes)) return false;
  for (Wide k = 0; k < w; ++k)
    if (!coin_of_ratio(bytes, r, a)) return false;
  return coin_of_half_square(bytes, r, a);
}

std::int64_t draw(Bytes& bytes, std::uint64_t a, std::uint64_t b) {
  while (true) {
    const Wide y = draw_geometric(bytes, a) / b;
    const bool negative = bytes.below(2) == 1;
    if (negative && y == 0) continue;
    const Wide scaled = y * b;
    if (!is_kept(bytes, scaled / a, static_cast<std::uint64_t>(scaled % a), a)) continue;
    const auto size = static_cast<std::uint64_t>(y);
    return static_cast<std::int64_t>(negative ? std::uint64_t{0} - size : size);
  }
}

}  // namespace

DiscreteGaussian::DiscreteGaussian(double sigma) {
  if (!(sigma >= 0x1p-9 && sigma <= 0x1p60))
    throw ConfigError({.what = "the deviation of a discrete Gaussian is between 2^-9 and 2^60 units of its lattice",
                       .seen = "sigma = " + number(sigma),
                       .advice = "choose another unit of the lattice"});
  int exponent = 0;
  a_ = static_cast<std::uint64_t>(std::ldexp(std::frexp(sigma, &exponent), 53));
  exponent -= 53;
  const int even = std::countr_zero(a_);
  a_ >>= even;
  exponent += even;
  b_ = exponent < 0 ? std::uint64_t{1} << -exponent : 1;
  if (exponent > 0) a_ <<= exponent;
}

void DiscreteGaussian::fill(std::span<std::int64_t> samples, const RandomBytes& source) const {
  Bytes bytes(source);
  for (std::int64_t& sample : samples) sample = draw(bytes, a_, b_);
}

}  // namespace driftless
