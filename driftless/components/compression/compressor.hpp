// How a vector v ∈ R^d is coded on its way to the server: C(v) is what the server decodes.
//
//   name      C(v)                                                     bytes                       quality
//   identity  v                                                        8 d                         ω = 0
//   top-k     the K entries of largest |v_j|, the others 0             8 K + K ⌈log2 d⌉ bits       α = K/d
//   rand-k    K entries drawn uniformly, times d/K, the others 0       8 K + 8 (a seed)            ω = d/K − 1
//   natural   v_j rounded to one of the two powers of two around it    12 bits an entry            ω = 1/8
//   qsgd      ‖v‖ sign(v_j) l_j/s, l_j one of the two levels around    8 + d (1 + ⌈log2(s + 1)⌉)   ω = min(d/s², √d/s)
//             s|v_j|/‖v‖                                               bits
//
// Bits are rounded up to whole bytes. Unbiased (all but top-k): E C(v) = v, E‖C(v) − v‖² ≤ ω‖v‖². Contractive:
// E‖C(v) − v‖² ≤ (1 − α)‖v‖². An unbiased C divided by 1 + ω is contractive with α = 1/(1 + ω).
//
// top-k, rand-k: Stich, Cordonnier, Jaggi, "Sparsified SGD with memory", NeurIPS 2018; equal |v_j|: the first are kept.
// natural: Horváth et al., "Natural compression for distributed deep learning", 2019. A sign and 11 bits of exponent:
// below 2^−1022, the least power they can represent, the neighbours are 0 and 2^−1022; above 2^1023 it is always
// 2^1023. qsgd: Alistarh, Grubic, Li, Tomioka, Vojnović, "QSGD: communication-efficient SGD", NIPS 2017, without its
// entropy coder. Entries that are not finite are not changed, so that divergence of a run remains visible.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/core/random.hpp"
#include "driftless/core/vector.hpp"

#include <cstdint>

namespace driftless {

enum class CompressorName { identity, top_k, rand_k, natural, qsgd };
template <>
struct EnumNames<CompressorName> {
  static constexpr std::array<std::string_view, 5> value{"identity", "top-k", "rand-k", "natural", "qsgd"};
};

struct CompressorOptions {
  CompressorName compressor = CompressorName::identity;
  double keep = 0.1;
  std::size_t levels = 4;

  static Fields fields() {
    using S = CompressorOptions;
    return {
        field("compressor", &S::compressor, anything, "how vectors are coded on the way to the server"),
        field("keep", &S::keep, probability, "K/d, share of the entries that top-k and rand-k send"),
        field("levels", &S::levels, at_least_one, "s, levels of qsgd"),
    };
  }
};

// K = keep · d, rounded, at least one.
Index kept_entries(double keep, Index d);

class Compressor {
 public:
  explicit Compressor(const CompressorOptions& options = {}) : o_(options) {}

  // coded ← C(v). The two must not overlap. Allocates nothing.
  void apply(VecIn v, VecOut coded, Stream& chance) const;

  std::uint64_t bytes(Index d) const;  // of C(v) on the wire
  bool is_identity() const { return o_.compressor == CompressorName::identity; }
  bool unbiased() const { return o_.compressor != CompressorName::top_k; }
  double omega(Index d) const;  // ω, of an unbiased one
  double alpha(Index d) const;  // α: of C itself where it is contractive, of C/(1 + ω) where it is unbiased

 private:
  CompressorOptions o_;
};

}  // namespace driftless
