// The two recipes for the curvatures of synthetic quadratics. Both draw a_ij, the eigenvalues of sample j of client i;
// the generator draws the basis, the centres b_ij and the start.
//
// R1: one base uniform on [0, 1.1 L] per coordinate, plus noise uniform on [0, 0.18 L] for every client, sample and
//     coordinate, the sum clipped to [0.01 L, L]. Convex: the first 20 coordinates are rescaled to the means
//     u 2^-20, …, u 2^-1 with u = L/100, and then each of their entries is kept with probability 1/2.
// R2: a few coordinates are pinned, the same for all samples: mu and L (convex: u 2^-1, …, u 2^-20 and L; non-convex:
// L).
//     The others have a mean that leaves room for the deviations, a client deviation of at most delta, centred over
//     clients, and a sample deviation of at most spread, centred over samples. On the first five of them the client
//     deviation is a cyclic shift of (delta, …, −delta, …[, 0]), which makes delta_B exact and delta_A as large as
//     possible. Where delta_A is given, the last client deviates by delta there and the others by less; beyond these
//     coordinates no client deviates by more than delta_A. Non-convex: every fifth has a mean so low that single
//     samples are negative there.
#pragma once

#include "driftless/core/random.hpp"
#include "driftless/objectives/quadratic/quadratic_spec.hpp"

#include <vector>

namespace driftless {

struct QuadraticDraw {
  std::vector<Matrix> curvature;  // per client: dim × samples
  std::vector<Matrix> coupling;   // per client: D_i of the dense structure, else none
};

// The purpose of a stream of the generator. No two purposes share draws, so each draw is independent of the others.
enum class QuadraticChance : std::uint64_t { mean, deviation, sample, keep, coupling, centre, start, basis };
Stream chance(const QuadraticSpec& spec, QuadraticChance use, std::size_t client = 0);

// All of these take a resolved spec.
QuadraticDraw draw_r1(const QuadraticSpec& spec);
QuadraticDraw draw_r2(const QuadraticSpec& spec);
// The delta_A that R2 can have for its delta and number of clients, where it is given.
struct DissimilarityRange {
  double low;
  double high;
};
DissimilarityRange possible_delta_A(const QuadraticSpec& spec);
double lowest_free_curvature(const QuadraticSpec& spec);  // of R2, of coordinates that are not pinned
std::size_t least_dim(const QuadraticSpec& spec);

}  // namespace driftless
