// Hessians that clients and server learn together from coded differences, the part that the methods of FedNL share:
//
//   S_i = C(∇²f_i(x) − H_i),  H_i ← H_i + α S_i,  l_i = ‖∇²f_i(x) − H_i‖_F
//   server: H ← H + α mean S_i, so that H = mean H_i always
//
// α = 1 for a contractive C, 1/(1 + ω) for an unbiased one, unless it is given. H_i and l_i are those after the update.
// With h_start = "exact" the first exchange brings whole Hessians, H_i = ∇²f_i(x⁰), and so does one after clients were
// dropped.
//
// [H]_μ is H with its eigenvalues below μ raised to μ. μ = mu; where it is not given, half the curvature that every f_i
// has everywhere (its ridge), of which the clients tell, and never less than 1e-10 of the largest diagonal entry.
#pragma once

#include "driftless/components/compression/matrix_compressor.hpp"
#include "driftless/components/curvature/dimension_limit.hpp"
#include "driftless/components/curvature/symmetric.hpp"
#include "driftless/federation/federation.hpp"
#include "driftless/federation/state_visitor.hpp"

#include <algorithm>

namespace driftless {

enum class HessianStart { exact, zero };
template <>
struct EnumNames<HessianStart> {
  static constexpr std::array<std::string_view, 2> value{"exact", "zero"};
};

struct LearnedHessianOptions {
  MatrixCompressorOptions code = {};
  double alpha = 0.0;
  HessianStart h_start = HessianStart::exact;
  double mu = 0.0;
  DimensionLimit limit = {};

  static Fields fields() {
    using S = LearnedHessianOptions;
    return {
        nested(&S::code),
        field("alpha", &S::alpha, nonnegative,
              "α, share of a coded difference that is learned; 0 = 1 for top-k and rank-k, 1/(1 + ω) otherwise"),
        field("h_start", &S::h_start, anything, "first H_i: ∇²f_i at the start, sent whole, or 0"),
        field("mu", &S::mu, nonnegative, "μ, least eigenvalue of [H]_μ; 0 = half the curvature that clients know of"),
        nested(&S::limit)};
  }
};

class LearnedHessian {
 public:
  explicit LearnedHessian(const LearnedHessianOptions& options) : o_(options), C_(options.code) {}

  void prepare(const Federation& fed) const { o_.limit.require(fed); }
  void start(const Federation& fed) {
    prepare(fed);
    H_ = Vector::Zero(triangle_size(fed.dim()));
    H_i_ = fed.per_client<Vector>(H_);
    clients_ = 0;
  }

  // Whether the next exchange brings whole Hessians of everyone: the first one, or one after clients were dropped,
  // whose H_i would stay in H.
  bool needs_whole(const Federation& fed) const {
    return clients_ == 0 ? o_.h_start == HessianStart::exact : clients_ != fed.everyone().size();
  }

  // In a body: H_i of this client follows ∇²f_i(x). `sent` ← H_i where whole ones are sent, else α S_i. Returns l_i.
  double learn(Client& i, const Vector& x, bool whole, VecOut sent) {
    Vector difference(H_.size());
    i.hessian(x, difference);
    if (whole) {
      H_i_[i] = sent = difference;
      return 0.0;
    }
    difference -= H_i_[i];
    C_.apply(difference, sent, i.chance());
    sent *= alpha(x.size());
    H_i_[i] += sent;
    return frobenius_norm(difference - sent);
  }

  // At the server, with the mean over `from` of what they sent.
  void add(const Federation& fed, const Cohort& from, bool whole, VecIn mean) {
    clients_ = fed.everyone().size();
    if (whole) H_ = mean;
    else H_ += (static_cast<double>(from.size()) / static_cast<double>(clients_)) * mean;
  }

  // Of a matrix as it is sent.
  std::uint64_t bytes(Index dim, bool whole) const {
    return whole ? sizeof(double) * static_cast<std::uint64_t>(triangle_size(dim)) : C_.bytes(dim);
  }

  // What each client knows of the least curvature of f_i.
  static double known_curvature(const Client& i) {
    const auto floor = i.curvature_floor();
    return floor ? floor->least : 0.0;
  }

  // [H + lI]_μ⁻¹ b; `known` is the mean of known_curvature.
  Vector solve(double l, double known, const Vector& b) const {
    Matrix H = unpacked(H_, b.size());
    const double least = 1e-10 * H.diagonal().cwiseAbs().maxCoeff();
    H.diagonal().array() += l;
    return floored_solution(H, std::max({o_.mu > 0.0 ? o_.mu : 0.5 * known, least, 1e-300}), b);
  }

  const Vector& of(const Client& i) const { return H_i_[i]; }
  void visit_state(StateVisitor& visit) {
    visit.vector("H", H_);
    visit.per_client("H_i", H_i_);
    visit.count("clients", clients_);
  }

 private:
  double alpha(Index dim) const { return o_.alpha > 0.0 ? o_.alpha : C_.learning_rate(dim); }

  LearnedHessianOptions o_;
  MatrixCompressor C_;
  Vector H_;                   // triangle of H
  PerClient<Vector> H_i_;      // triangles of the H_i
  std::uint64_t clients_ = 0;  // over which H is the mean; 0 before the first exchange
};

// f, ∇f and H of one exchange in which everyone takes part.
struct LearnedPoint {
  Vector g;
  double f = 0.0;
  double l = 0.0;      // mean of the l_i
  double known = 0.0;  // mean of known_curvature
};

inline LearnedPoint learn_at(Federation& fed, LearnedHessian& H, const Vector& x) {
  const Cohort& all = fed.everyone();
  const bool whole = H.needs_whole(fed);
  const RowShape shape{.vectors = 1, .matrices = 1, .scalars = 3};
  const std::uint64_t bytes = fed.bytes_of({.vectors = 1}) + H.bytes(fed.dim(), whole);
  RowMean mean = fed.mean_rows({.from = all, .to = all, .bytes_up = all.size() * bytes}, shape, {.vectors = 1},
                               [&](Client& i, Row& row) {
                                 auto numbers = row.scalars();
                                 numbers[0] = i.value_gradient(x, row.vector());
                                 numbers[1] = H.learn(i, x, whole, row.matrix());
                                 numbers[2] = LearnedHessian::known_curvature(i);
                                 i.count_step();
                               });
  H.add(fed, all, whole, mean.matrix());
  return {.g = mean.vector(), .f = mean.scalar(0), .l = mean.scalar(1), .known = mean.scalar(2)};
}

}  // namespace driftless
