// Clients of common problems, for programs that have data and no objective of their own. They offer all that the local
// solvers can use: batches, Hessian products, and closed forms where there are any.
#pragma once

#include "driftless/data/dataset.hpp"
#include "driftless/federation/federation.hpp"

#include <Eigen/SparseCore>
#include <memory>
#include <span>

namespace driftless {

// The rows of one client with their labels.
Dataset labelled_rows(const Matrix& rows, const Vector& labels);
Dataset labelled_rows(const Eigen::SparseMatrix<double, Eigen::RowMajor>& rows, const Vector& labels);

struct LinearClientOptions {
  double l2 = 0.0;
  bool intercept = false;  // a last variable that is added to every prediction, and regularised like the rest
  double beta = 0.0;       // adds β Σ_k x_k²/(1 + x_k²) to every f_i, which is not convex
};

// The f_i whose mean is f(x) = (1/M) Σ loss(a'x, y) + (l2/2)‖x‖² over the M rows of all clients; each client's own rows
// decide whether they are kept dense or sparse.
//   logistic_regression: log(1 + exp(−y a'x)), labels −1 and +1       least_squares: ½(a'x − y)²
ClientObjectives logistic_regression(std::span<const Dataset> clients, const LinearClientOptions& options = {});
ClientObjectives least_squares(std::span<const Dataset> clients, const LinearClientOptions& options = {});

// f_i(x) = ½(x − b)'A(x − b) with a symmetric A.
std::unique_ptr<ClientObjective> quadratic(const Matrix& a, const Vector& b);

}  // namespace driftless
