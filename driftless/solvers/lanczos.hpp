// The extreme eigenvalues of a symmetric operator from products with it: Lanczos with full reorthogonalisation and
// thick restarts.
//   K. Wu, H. Simon, "Thick-restart Lanczos method for large symmetric eigenvalue problems", SIAM J. Matrix Anal. 2000.
//
//   V = [v], T = ()
//   repeat: w = A v_j;  T gets the column V'w;  v_{j+1} = (w − V V'w)/β        until V has m columns
//           T = S Θ S'; the pair (θ_k, V s_k) has the residual |β s_mk|
//           V ← [V s_k of the lowest and the highest θ_k, v_{m+1}], T ← their θ_k
//
// The requested products depend on earlier products only, so peers with the same bits request the same ones.
#pragma once

#include "driftless/core/random.hpp"
#include "driftless/core/stop_token.hpp"

#include <functional>
#include <optional>

namespace driftless {

// Within `error` of the value lies an eigenvalue: the residual of the pair, and rounding.
struct Eigenvalue {
  double value = 0.0;
  double error = 0.0;
};

enum class Wanted {
  both,     // λ_min and λ_max
  largest,  // λ_max
  norm,     // whichever of the two is larger in absolute value
};

struct SpectrumEnds {
  Eigenvalue low;
  Eigenvalue high;
  std::size_t products = 0;
  bool converged = false;  // otherwise the errors tell how accurate the values are

  Eigenvalue norm() const;  // max |λ|
};

using Product = std::function<void(const Vector& v, Vector& out)>;  // out ← A v, of the size of v

struct LanczosOptions {
  Wanted wanted = Wanted::both;
  double tolerance = 1e-8;  // of the error, relative to the eigenvalue
  std::size_t most_products = 500;
  std::optional<double> floor = {};  // no eigenvalue is below; λ_min is then known once a value comes near
  StopToken stop_token = {};         // polled before every product
};

// m, the columns of V: as many as fit into 16 MiB, but at least 40 and at most 240, and never more than A has.
Index lanczos_columns(Index dim);

// The start is drawn from the stream; with probability one no eigenvalue is orthogonal to it.
SpectrumEnds spectrum_ends(Index dim, const Product& product, Stream start, const LanczosOptions& options);

}  // namespace driftless
