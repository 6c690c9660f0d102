// Rows in every form of storage must give the products of their matrix.
#include "driftless/federation/thread_pool.hpp"
#include "driftless/objectives/linear/dictionary_codes.hpp"
#include "driftless/objectives/linear/linear_model.hpp"

#include "tests/objectives/sample_problems.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

// Categories of 2 to 6 values each, one column per value; 5 % of the values are missing.
Dataset one_hot(std::size_t rows, std::size_t categories, double value) {
  Stream chance(rows, Purpose::generator, categories);
  Dataset data;
  data.name = "one-hot";
  data.row_start = {0};
  for (std::size_t j = 0; j < rows; ++j) {
    std::size_t first = 0;
    for (std::size_t c = 0; c < categories; ++c) {
      const std::size_t values = 2 + c % 5;
      if (chance.uniform() < 0.95) {
        const auto which = static_cast<std::size_t>(chance.uniform() * chance.uniform() * static_cast<double>(values));
        data.column.push_back(static_cast<std::int32_t>(first + which));
        data.value.push_back(value);
      }
      first += values;
      data.dim = static_cast<Index>(first);
    }
    data.row_start.push_back(static_cast<std::int64_t>(data.column.size()));
    data.label.push_back(chance.uniform() < 0.5 ? -1.0 : 1.0);
  }
  return data;
}

template <class Rows>
void expect_products(const Rows& rows, const Matrix& a) {
  const Vector x = random_point(1, a.cols());
  const Vector y = random_point(2, a.rows());
  std::vector<double> source(rows.width() + 1), sum(rows.width() + 1, 0.0), squares(rows.width() + 1, 0.0);
  rows.spread(x, source.data());
  Vector z(a.rows());
  for (std::size_t b = 0; b < rows.blocks().count(); ++b) {
    const auto first = static_cast<Index>(rows.blocks().first(b));
    const auto count = static_cast<Index>(rows.blocks().size(b));
    Vector block = Vector::Zero(count + 1);
    rows.add_products(b, source.data(), block.data());
    z.segment(first, count) = block.head(count);
    block << y.segment(first, count), 0.0;
    rows.add_transposed(b, block.data(), sum.data());
    rows.add_squares(b, block.data(), squares.data());
  }
  EXPECT_LE((z - a * x).norm(), 1e-12 * (1.0 + z.norm()));
  Vector g = Vector::Zero(a.cols()), d = Vector::Zero(a.cols());
  rows.collect(sum.data(), g);
  rows.collect(squares.data(), d);
  EXPECT_LE((g - a.transpose() * y).norm(), 1e-12 * (1.0 + g.norm()));
  EXPECT_LE((d - a.cwiseAbs2().transpose() * y).norm(), 1e-12 * (1.0 + d.norm()));

  Vector point = Vector::Zero(static_cast<Index>(padded(static_cast<std::size_t>(a.cols()))));
  point.head(a.cols()) = x;
  for (const Index row : {Index{0}, a.rows() / 2, a.rows() - 1}) {
    const auto j = static_cast<std::size_t>(row);
    EXPECT_NEAR(rows.dot(j, point.data()), a.row(row).dot(x), 1e-12);
    Vector added = Vector::Zero(point.size());
    rows.add(j, 2.0, added.data());
    EXPECT_LE((added.head(a.cols()) - 2.0 * a.row(row).transpose()).norm(), 1e-12);
  }
}

TEST(LinearRows, EveryStorageGivesTheProductsOfItsMatrix) {
  for (const Dataset& data : {random_dataset(3, 50, 12, 0.4), random_dataset(4, 9000, 30, 0.2), one_hot(5000, 9, 0.25),
                              one_hot(40, 3, 1.0), random_dataset(5, 300, 700, 0.01)}) {
    const Matrix a = dense_copy(data);
    const auto all = first_indices(data.rows());
    for (const CodeUse codes : {CodeUse::automatic, CodeUse::never, CodeUse::always})
      expect_products(SparseRows(data, all, {.codes = codes}), a);
    expect_products(DenseRows(data, all), a);
    const Matrix rounded = a.cast<float>().cast<double>();
    expect_products(SparseRows(data, all, {.precision = EntryPrecision::float32, .codes = CodeUse::never}),
                    data.value.front() == data.value.back() ? a : rounded);
    expect_products(DenseRows(data, all, {.precision = EntryPrecision::float32}), rounded);
  }
}

TEST(LinearRows, ColumnsOfZerosAreNotUsed) {
  const auto used = [](std::vector<double> entries) {
    const std::size_t rows = entries.size() / 8;
    return DenseRows(rows, 3, std::move(entries)).used_columns();
  };
  EXPECT_EQ(used({0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0}), 2);
  EXPECT_EQ(used({1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}), 3);
  EXPECT_EQ(used({}), 0);
}

template <class Start, class Column>
struct OwnArrays {
  explicit OwnArrays(const Dataset& data)
      : start(data.row_start.begin(), data.row_start.end()),
        column(data.column.begin(), data.column.end()),
        value(data.value) {}
  RowsView view(const Dataset& data) const {
    return {"arrays", data.dim, data.label, CsrArrays<Start, Column>{start, column, value}};
  }

  std::vector<Start> start;
  std::vector<Column> column;
  std::vector<double> value;
};

// The bits of products are those of the stored form, which follows from the rows.
template <class Rows>
void expect_same_rows(const RowsView& view, const Dataset& data) {
  const auto all = first_indices(data.rows());
  const Rows mine(view, all);
  const Rows theirs(data, all);
  EXPECT_EQ(mine.layout(), theirs.layout());
  EXPECT_EQ(mine.bytes(), theirs.bytes());
  EXPECT_EQ(mine.used_columns(), theirs.used_columns());
  EXPECT_EQ(mine.gram_passes(), theirs.gram_passes());
  std::vector<double> x(padded(static_cast<std::size_t>(data.dim)), 0.0);
  for (std::size_t k = 0; k < static_cast<std::size_t>(data.dim); ++k) x[k] = std::sin(static_cast<double>(k));
  for (std::size_t row = 0; row < data.rows(); ++row) ASSERT_EQ(mine.dot(row, x.data()), theirs.dot(row, x.data()));
}

TEST(LinearRows, RowsInTheArraysOfOthersAreStoredAsThoseOfADataSet) {
  for (const Dataset& data :
       {random_dataset(3, 50, 12, 0.4), one_hot(5000, 9, 0.25), random_dataset(5, 300, 700, 0.01)}) {
    const OwnArrays<std::int32_t, std::int32_t> narrow(data);
    const OwnArrays<std::int64_t, std::int64_t> wide(data);
    const Matrix columns = dense_copy(data);  // column after column
    const RowsView dense("array", data.dim, data.label, DenseArray{columns.data(), 1, columns.rows()});
    for (const RowsView& view : {narrow.view(data), wide.view(data), dense}) {
      expect_same_rows<SparseRows>(view, data);
      expect_same_rows<DenseRows>(view, data);
      const auto all = first_indices(data.rows());
      EXPECT_EQ(prefers_dense(view, all), prefers_dense(data, all));
    }
  }
}

TEST(LinearRows, EntriesOfValueZeroInTheArraysOfOthersAreLeftOut) {
  const std::vector<std::int32_t> start{0, 2, 3};
  const std::vector<std::int32_t> column{0, 2, 1};
  const std::vector<double> value{0.0, 5.0, 5.0};
  const std::vector<double> label{1.0, -1.0};
  const RowsView view("arrays", 3, label, CsrArrays<std::int32_t, std::int32_t>{start, column, value});
  const SparseRows rows(view, first_indices(2));
  EXPECT_EQ(rows.entries(), 2U);
  EXPECT_EQ(rows.used_columns(), 2);
  EXPECT_THAT(rows.layout(), testing::HasSubstr("all entries 5"));
}

TEST(LinearRows, StorageIsChosenFromTheData) {
  const auto layout = [](const Dataset& data) { return SparseRows(data, first_indices(data.rows())).layout(); };
  EXPECT_THAT(layout(one_hot(5000, 9, 0.25)), testing::HasSubstr("dictionary codes"));
  EXPECT_THAT(layout(one_hot(500, 9, 0.25)), testing::HasSubstr("all entries 0.25")) << "too few rows for codes";
  EXPECT_THAT(layout(random_dataset(3, 50, 12, 0.4)), testing::HasSubstr("with values"));
  EXPECT_THAT(layout(random_dataset(5, 300, 700, 0.01)), testing::HasSubstr("16 bits"));
}

TEST(DictionaryCodes, MultiplyToTheMatrixAndHaveFewerEntries) {
  const Dataset data = one_hot(3000, 10, 1.0);
  CsrMatrix matrix;
  matrix.columns = static_cast<std::size_t>(data.dim);
  matrix.start.assign(data.row_start.begin(), data.row_start.end());
  matrix.column.assign(data.column.begin(), data.column.end());
  const auto codes = find_dictionary_codes(matrix);
  ASSERT_TRUE(codes);
  EXPECT_LT(codes->entries(), matrix.entries() / 2);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    std::vector<std::uint32_t> columns;
    for (auto e = codes->codes_of_row.start[row]; e < codes->codes_of_row.start[row + 1]; ++e) {
      const std::uint32_t code = codes->codes_of_row.column[e];
      const auto& of_code = codes->columns_of_code;
      for (auto k = of_code.start[code]; k < of_code.start[code + 1]; ++k) columns.push_back(of_code.column[k]);
    }
    std::ranges::sort(columns);
    const std::vector<std::uint32_t> wanted(matrix.column.begin() + data.row_start[row],
                                            matrix.column.begin() + data.row_start[row + 1]);
    ASSERT_EQ(columns, wanted) << "row " << row;
  }
}

TEST(DictionaryCodes, AreNotFoundWhereColumnsDoNotExcludeEachOther) {
  const Dataset data = random_dataset(4, 3000, 30, 0.3);
  CsrMatrix matrix;
  matrix.columns = 30;
  matrix.start.assign(data.row_start.begin(), data.row_start.end());
  matrix.column.assign(data.column.begin(), data.column.end());
  EXPECT_FALSE(find_dictionary_codes(matrix));
}

TEST(LinearModel, ChunksComputedByOtherThreadsChangeNoBit) {
  const Dataset data = random_dataset(7, 30000, 20, 0.3);
  const LogisticRegression<SparseRows> f(data, first_indices(data.rows()),
                                         {.weight = 1e-4, .l2 = 0.1, .intercept = true});
  ASSERT_GT(f.rows().blocks().chunks(), 2U);
  const Vector x = random_point(1, f.dim());
  const Vector v = random_point(2, f.dim());
  const auto results = [&] {
    Vector all(3 * f.dim() + 1);
    all[0] = f.value_gradient(x, all.segment(1, f.dim()));
    f.hessian_vector(x, v, all.segment(1 + f.dim(), f.dim()));
    f.hessian_diagonal(x, all.tail(f.dim()));
    return all;
  };
  const Vector alone = results();
  for (const std::size_t threads : {1U, 2U, 7U}) {
    ThreadPool pool(threads);
    Vector shared;
    pool.for_each(1, [&](std::size_t, std::size_t) { shared = results(); });
    EXPECT_EQ(shared, alone) << threads << " threads";
  }
}

// After the first Hessian product, predictions at the last point are cached, which must not change any result.
TEST(LinearModel, CachedPredictionsChangeNoBit) {
  const Dataset data = random_dataset(8, 400, 10, 0.3);
  const auto make = [&] {
    return LogisticRegression<SparseRows>(data, first_indices(400), {.weight = 0.01, .l2 = 0.1});
  };
  const auto fresh_gradient = [&](const Vector& x) { return gradient_of(make(), x); };
  const auto fresh_product = [&](const Vector& x, const Vector& v) {
    Vector hv(x.size());
    make().hessian_vector(x, v, hv);
    return hv;
  };
  const auto f = make();
  const Vector a = random_point(1, 10), b = random_point(2, 10), v = random_point(3, 10);
  Vector hv(10), g(10);
  f.hessian_vector(a, v, hv);
  EXPECT_EQ(hv, fresh_product(a, v));
  EXPECT_EQ(gradient_of(f, a), fresh_gradient(a));
  EXPECT_EQ(gradient_of(f, a), fresh_gradient(a)) << "now from cached predictions";
  EXPECT_EQ(f.value_gradient(b, g), make().value(b));
  EXPECT_EQ(g, fresh_gradient(b));
  f.hessian_vector(b, v, hv);
  EXPECT_EQ(hv, fresh_product(b, v));
  f.hessian_vector(a, v, hv);
  EXPECT_EQ(hv, fresh_product(a, v));
}

}  // namespace
}  // namespace driftless::test
