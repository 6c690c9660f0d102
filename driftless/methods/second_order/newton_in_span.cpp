#include "driftless/methods/second_order/newton_in_span.hpp"

#include "driftless/core/random.hpp"

#include <Eigen/QR>

namespace driftless {
namespace {

// Entries uniform in [−1, 1): such numbers are the same on every machine.
Matrix random_columns(std::uint64_t seed, Index dim, Index count) {
  Stream stream(seed, Purpose::sketch);
  Matrix columns(dim, count);
  for (Index k = 0; k < count; ++k)
    for (Index j = 0; j < dim; ++j) columns(j, k) = stream.uniform(-1.0, 1.0);
  return columns;
}

struct Sketch {
  double sigma;  // mean of the σ_i
  Matrix Y;      // G Ω
};

Sketch sketch_of(Federation& fed, const Vector& x, const Matrix& Omega) {
  const auto columns = static_cast<std::size_t>(Omega.cols());
  RowMean mean =
      fed.mean_rows({fed.everyone(), fed.everyone()}, {.vectors = columns, .scalars = 1}, {}, [&](Client& i, Row& row) {
        const std::optional<CurvatureFloor> floor = i.curvature_floor();
        const double sigma = floor ? floor->least : 0.0;
        row.scalars()[0] = sigma;
        for (std::size_t k = 0; k < columns; ++k) {
          const auto omega = Omega.col(static_cast<Index>(k));
          i.hessian_vector(x, omega, row.vector(k));
          row.vector(k) -= sigma * omega;
        }
        i.count_step();
      });
  Sketch sketch{mean.scalar(0), Matrix(fed.dim(), Omega.cols())};
  for (std::size_t k = 0; k < columns; ++k) sketch.Y.col(static_cast<Index>(k)) = mean.vector(k);
  return sketch;
}

Matrix orthonormal_basis(const Matrix& columns) {
  constexpr double dependent = 1e-13;  // relative to the longest column
  Matrix scaled = columns;
  for (auto column : scaled.colwise())
    if (column.norm() > 0.0) column.normalize();
  Eigen::ColPivHouseholderQR<Matrix> qr(scaled);
  qr.setThreshold(dependent);
  return qr.householderQ() * Matrix::Identity(columns.rows(), qr.rank());
}

}  // namespace

void NewtonInSpan::start_from(Federation& fed, const Vector& x, const FirstLook& look) {
  const Index dim = fed.dim();
  const double rank = std::min(look.rank.value_or(static_cast<double>(dim)), static_cast<double>(dim));
  if (rank > static_cast<double>(o_.max_rank))
    throw ConfigError({.what = "the data span too many dimensions for this method",
                       .seen = "dimension " + number(rank) + ", max_rank = " + std::to_string(o_.max_rank),
                       .advice = "use newton where d×d matrices can be sent, else newton-cg"});
  constexpr Index more = 4;  // columns than the rank
  const Matrix Omega = random_columns(fed.seed(), dim, std::min(dim, static_cast<Index>(rank) + more));
  const Sketch sketch = sketch_of(fed, x, Omega);
  Matrix columns(dim, Omega.cols() + 2);
  columns << sketch.Y, x, look.g;
  V_ = orthonormal_basis(columns);
  clients_ = fed.everyone().size();
  outside_.resize(0);
  const Matrix known = (V_.transpose() * Omega).transpose();  // Ω'V: G V = Y (V'Ω)⁺
  const Matrix half = known.householderQr().solve(Matrix((V_.transpose() * sketch.Y).transpose()));
  Matrix H = 0.5 * (half + half.transpose());
  H.diagonal().array() += sketch.sigma;
  iteration_.begin({.z = V_.transpose() * x, .f = look.f, .g = V_.transpose() * look.g, .H = std::move(H)});
}

void NewtonInSpan::round(Federation& fed, Vector& x) {
  if (clients_ != fed.everyone().size()) return begin_at(fed, x);  // some were dropped: f is another function
  if (outside_.size() > 0) {
    Matrix wider(V_.rows(), V_.cols() + 1);
    wider << V_, outside_;
    V_ = std::move(wider);
    outside_.resize(0);
    return begin_at(fed, x);
  }
  x = V_ * iteration_.next(look(fed, iteration_.trial()));
}

void NewtonInSpan::begin_at(Federation& fed, const Vector& x) {
  clients_ = fed.everyone().size();
  iteration_.begin(look(fed, V_.transpose() * x));
}

// The reduced Hessian travels as the vectors that its triangle fills.
SecondOrderPoint NewtonInSpan::look(Federation& fed, const Vector& z) {
  const Vector y = V_ * z;
  const Index dim = fed.dim();
  const Index size = triangle_size(V_.cols());
  const auto vectors = static_cast<std::size_t>((size + dim - 1) / dim);
  RowMean mean = fed.mean_rows({fed.everyone(), fed.everyone()}, {.vectors = 1 + vectors, .scalars = 1}, {.vectors = 1},
                               [&](Client& i, Row& row) {
                                 row.scalars()[0] = i.value_gradient(y, row.vector());
                                 Vector triangle = Vector::Zero(dim * static_cast<Index>(vectors));
                                 Vector product(dim);
                                 for (Index k = 0; k < V_.cols(); ++k) {
                                   i.hessian_vector(y, V_.col(k), product);
                                   triangle.segment(triangle_size(k), k + 1) = V_.leftCols(k + 1).transpose() * product;
                                 }
                                 for (std::size_t v = 0; v < vectors; ++v)
                                   row.vector(1 + v) = triangle.segment(dim * static_cast<Index>(v), dim);
                                 i.count_step();
                               });
  const Vector g = mean.vector();
  Vector triangle(dim * static_cast<Index>(vectors));
  for (std::size_t v = 0; v < vectors; ++v) triangle.segment(dim * static_cast<Index>(v), dim) = mean.vector(1 + v);
  SecondOrderPoint point{.z = z, .f = mean.scalar(0), .g = V_.transpose() * g, .H = unpacked(triangle, V_.cols())};
  constexpr double large = 0.1;  // of the gradient
  const Vector outside = g - V_ * point.g;
  const double part = outside.norm();
  outside_.resize(0);
  if (part > large * g.norm() && V_.cols() < dim) outside_ = outside / part;
  return point;
}

void NewtonInSpan::visit_state(StateVisitor& visit) {
  columns_ = Eigen::Map<const Vector>(V_.data(), V_.size());
  visit.vector("V", columns_);
  std::uint64_t dim = static_cast<std::uint64_t>(V_.rows());
  visit.count("dimension", dim);
  if (dim > 0)
    V_ = Eigen::Map<const Matrix>(columns_.data(), static_cast<Index>(dim), columns_.size() / static_cast<Index>(dim));
  visit.vector("outside", outside_);
  iteration_.visit_state(visit);
  visit.count("clients", clients_);
}

}  // namespace driftless
