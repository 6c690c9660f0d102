// Labelled rows wherever they are kept: in a Dataset, in the arrays of a compressed sparse matrix, or in those of a
// dense one. Nothing is copied, so what is viewed must live for as long as the view.
#pragma once

#include "driftless/data/dataset.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <variant>

namespace driftless {

template <class Start, class Column>
struct CsrArrays {
  std::span<const Start> start;  // rows + 1 offsets into column and value
  std::span<const Column> column;
  std::span<const double> value;
};

// Entry (j, k) is at j row_step + k column_step, in numbers.
struct DenseArray {
  const double* first = nullptr;
  std::ptrdiff_t row_step = 0;
  std::ptrdiff_t column_step = 0;
};

class RowsView {
 public:
  using Arrays = std::variant<CsrArrays<std::int64_t, std::int32_t>, CsrArrays<std::int32_t, std::int32_t>,
                              CsrArrays<std::int64_t, std::int64_t>, DenseArray>;

  RowsView(const Dataset& data)  // NOLINT(google-explicit-constructor): a data set is one way to keep rows
      : name_(data.name),
        dim_(data.dim),
        label_(data.label),
        arrays_(CsrArrays<std::int64_t, std::int32_t>{data.row_start, data.column, data.value}) {}
  // Of matrices that others made: entries of value zero are left out. Columns rise inside a row.
  RowsView(std::string name, Index dim, std::span<const double> label, Arrays arrays)
      : name_(std::move(name)), dim_(dim), label_(label), arrays_(arrays), leaves_out_zeros_(true) {}

  const std::string& name() const { return name_; }
  Index dim() const { return dim_; }
  std::size_t rows() const { return label_.size(); }
  double label(std::size_t row) const { return label_[row]; }

  // visit(column, value) in the order of the columns.
  template <class Visit>
  void for_each_entry(std::size_t row, const Visit& visit) const {
    const auto keep = [&](std::size_t column, double value) {
      if (value != 0.0 || !leaves_out_zeros_) visit(column, value);
    };
    std::visit([&](const auto& arrays) { visit_row(arrays, row, keep); }, arrays_);
  }

 private:
  template <class Start, class Column, class Visit>
  static void visit_row(const CsrArrays<Start, Column>& a, std::size_t row, const Visit& visit) {
    const auto end = static_cast<std::size_t>(a.start[row + 1]);
    for (auto e = static_cast<std::size_t>(a.start[row]); e < end; ++e)
      visit(static_cast<std::size_t>(a.column[e]), a.value[e]);
  }
  template <class Visit>
  void visit_row(const DenseArray& a, std::size_t row, const Visit& visit) const {
    const double* at = a.first + static_cast<std::ptrdiff_t>(row) * a.row_step;
    for (Index k = 0; k < dim_; ++k, at += a.column_step) visit(static_cast<std::size_t>(k), *at);
  }

  std::string name_;
  Index dim_;
  std::span<const double> label_;
  Arrays arrays_;
  bool leaves_out_zeros_ = false;
};

}  // namespace driftless
