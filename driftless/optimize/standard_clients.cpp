#include "driftless/optimize/standard_clients.hpp"

#include "driftless/objectives/linear/linear_model.hpp"
#include "driftless/objectives/quadratic/dense_quadratic.hpp"

namespace driftless {
namespace {

void check_labels(Index rows, const Vector& labels) {
  if (rows == labels.size()) return;
  throw DataError({.what = "there must be one label for each row",
                   .seen = std::to_string(rows) + " rows, " + std::to_string(labels.size()) + " labels",
                   .advice = "give both of the same data"});
}

Dataset empty_rows(Index dim, const Vector& labels) {
  Dataset data;
  data.name = "the rows of a client";
  data.label.assign(labels.begin(), labels.end());
  data.dim = dim;
  data.row_start = {0};
  return data;
}

void add_entry(Dataset& data, Index column, double value) {
  if (value == 0.0) return;
  data.column.push_back(static_cast<std::int32_t>(column));
  data.value.push_back(value);
}

void end_row(Dataset& data) { data.row_start.push_back(static_cast<std::int64_t>(data.column.size())); }

template <class Loss>
std::unique_ptr<ClientObjective> linear_client(const Dataset& data, const LinearModelOptions& options) {
  const std::vector<std::int32_t> rows = all_rows(data);
  if (prefers_dense(data, rows)) return make_client(LinearModel<Loss, DenseRows>(data, rows, options));
  return make_client(LinearModel<Loss, SparseRows>(data, rows, options));
}

template <class Loss>
ClientObjectives linear_clients(std::span<const Dataset> clients, const LinearClientOptions& options) {
  std::size_t rows = 0;
  for (const Dataset& data : clients) rows += data.rows();
  if (rows == 0)
    throw DataError({.what = "no client has a row", .seen = {}, .advice = "give labelled_rows(...) for each client"});
  const LinearModelOptions model{.weight = static_cast<double>(clients.size()) / static_cast<double>(rows),
                                 .l2 = options.l2,
                                 .beta = options.beta,
                                 .intercept = options.intercept};
  ClientObjectives made;
  for (const Dataset& data : clients) made.push_back(linear_client<Loss>(data, model));
  return made;
}

}  // namespace

Dataset labelled_rows(const Matrix& rows, const Vector& labels) {
  check_labels(rows.rows(), labels);
  Dataset data = empty_rows(rows.cols(), labels);
  for (Index row = 0; row < rows.rows(); ++row) {
    for (Index column = 0; column < rows.cols(); ++column) add_entry(data, column, rows(row, column));
    end_row(data);
  }
  return data;
}

Dataset labelled_rows(const Eigen::SparseMatrix<double, Eigen::RowMajor>& rows, const Vector& labels) {
  check_labels(rows.rows(), labels);
  Dataset data = empty_rows(rows.cols(), labels);
  for (Index row = 0; row < rows.rows(); ++row) {
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator entry(rows, row); entry; ++entry)
      add_entry(data, entry.col(), entry.value());
    end_row(data);
  }
  return data;
}

ClientObjectives logistic_regression(std::span<const Dataset> clients, const LinearClientOptions& options) {
  return linear_clients<LogisticLoss>(clients, options);
}

ClientObjectives least_squares(std::span<const Dataset> clients, const LinearClientOptions& options) {
  return linear_clients<SquaredLoss>(clients, options);
}

std::unique_ptr<ClientObjective> quadratic(const Matrix& a, const Vector& b) {
  return make_client(DenseQuadratic(a, b));
}

}  // namespace driftless
