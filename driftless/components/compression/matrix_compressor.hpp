// How a symmetric d×d matrix A is coded on its way to the server: C(A) is what the server decodes. N = d(d + 1)/2
// entries of the triangle are coded, K = keep · N.
//
//   name        C(A)                                                  bytes                    quality
//   identity    A                                                     8 N                      ω = 0
//   top-k       the K entries that matter most to ‖A‖_F, others 0     8 K + K ⌈log2 N⌉ bits    α = K/N
//   rand-k      K entries drawn uniformly, times N/K, others 0        8 K + 8 (a seed)         ω = N/K − 1
//   rand-seq-k  K successive entries from a random one, likewise      8 K + 8 (the first)      ω = N/K − 1
//   rank-k      Σ θ_j v_j v_j' of the r largest |θ_j|                 8 r (d + 1)              α = r/d
//   natural     entries rounded to one of the two powers of two       12 bits an entry         ω = 1/8
//
// Unbiased (rand-k, rand-seq-k, natural): E C(A) = A, E‖C(A) − A‖² ≤ ω‖A‖²; contractive (top-k, rank-k): ‖C(A) − A‖² ≤
// (1 − α)‖A‖²; norms are Frobenius's. top-k counts an entry off the diagonal twice, as the norm does.
//
// Safaryan, Islamov, Qian, Richtárik, "FedNL: making Newton-type methods applicable to federated learning", ICML 2022;
// rand-seq-k: Burlachenko, Richtárik, "Unlocking FedNL", 2024. rank-k takes eigenpairs of A, or from 64 variables on
// Ritz pairs of 2r + 20 steps of Lanczos's method: ‖A − Σ θ_j v_j v_j'‖² = ‖A‖² − Σ θ_j² holds for those too.
#pragma once

#include "driftless/components/compression/compressor.hpp"

namespace driftless {

enum class MatrixCompressorName { identity, top_k, rand_k, rand_seq_k, rank_k, natural };
template <>
struct EnumNames<MatrixCompressorName> {
  static constexpr std::array<std::string_view, 6> value{"identity",   "top-k",  "rand-k",
                                                         "rand-seq-k", "rank-k", "natural"};
};

struct MatrixCompressorOptions {
  MatrixCompressorName compressor = MatrixCompressorName::top_k;
  double keep = 0.1;
  std::size_t rank = 1;

  static Fields fields() {
    using S = MatrixCompressorOptions;
    return {
        field("compressor", &S::compressor, anything, "how changes of Hessians are coded on the way to the server"),
        field("keep", &S::keep, probability, "K/N, share of the entries that top-k, rand-k and rand-seq-k send"),
        field("rank", &S::rank, at_least_one, "r, eigenpairs that rank-k sends"),
    };
  }
};

class MatrixCompressor {
 public:
  explicit MatrixCompressor(const MatrixCompressorOptions& options = {});

  // coded ← C(A), for the triangles of A and C(A), which must not overlap.
  void apply(VecIn triangle, VecOut coded, Stream& chance) const;

  std::uint64_t bytes(Index d) const;  // of C(A) on the wire
  bool is_identity() const { return o_.compressor == MatrixCompressorName::identity; }
  bool unbiased() const;
  // The factor with which differences are learned: 1 where C is contractive, 1/(1 + ω) where it is unbiased.
  double learning_rate(Index d) const;

 private:
  MatrixCompressorOptions o_;
  Compressor entries_;  // of the triangle as a vector: top-k, rand-k, natural
};

}  // namespace driftless
