// Google Benchmark over every hot loop, with as much work per call as a client of w8a among 142 has.
#include "driftless/core/random.hpp"
#include "driftless/federation/tree_sum.hpp"
#include "driftless/kernels/dense_block.hpp"
#include "driftless/kernels/logistic.hpp"
#include "driftless/kernels/packed_symmetric.hpp"
#include "driftless/kernels/sliced_ell.hpp"

#include <benchmark/benchmark.h>

namespace driftless {
namespace {

constexpr std::size_t rows = 350;

std::vector<double> random_numbers(std::size_t count) {
  Stream chance(count, Purpose::generator, 1);
  std::vector<double> numbers(count);
  for (double& x : numbers) x = chance.uniform(-1.0, 1.0);
  return numbers;
}

CsrMatrix random_matrix(std::size_t row_count, std::size_t columns, bool valued) {
  Stream chance(columns, Purpose::generator, 2);
  CsrMatrix matrix;
  matrix.columns = columns;
  for (std::size_t r = 0; r < row_count; ++r) {
    const auto length = static_cast<std::size_t>(24.0 * chance.uniform());
    for (std::size_t e = 0; e < length; ++e) {
      matrix.column.push_back(static_cast<std::uint32_t>(chance.uniform() * static_cast<double>(columns)));
      if (valued) matrix.value.push_back(chance.uniform());
    }
    matrix.start.push_back(matrix.column.size());
  }
  return matrix;
}

void count_items(benchmark::State& state, std::size_t items) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(items));
}

// The number of columns, which decides the bits of an index; whether there are values.
void sell_product(benchmark::State& state) {
  const auto columns = static_cast<std::size_t>(state.range(0));
  const CsrMatrix matrix = random_matrix(rows, columns, state.range(1) != 0);
  const SlicedEll sliced(matrix, {});
  const std::vector<double> x = random_numbers(columns + 1);
  std::vector<double> out(rows + 1, 0.0);
  for (auto _ : state) {
    sliced.add_product(x.data(), 1.0, out.data());
    benchmark::ClobberMemory();
  }
  count_items(state, matrix.entries());
}
BENCHMARK(sell_product)
    ->ArgNames({"columns", "values"})
    ->Args({250, 0})
    ->Args({300, 0})
    ->Args({70000, 0})
    ->Args({300, 1});

void sell_transposed_product(benchmark::State& state) {
  const CsrMatrix matrix = random_matrix(rows, 300, false);
  const SlicedEll sliced(matrix, {});
  const std::vector<double> y = random_numbers(rows + 1);
  std::vector<double> out(301, 0.0);
  for (auto _ : state) {
    sliced.add_transposed(y.data(), 1.0, out.data());
    benchmark::ClobberMemory();
  }
  count_items(state, matrix.entries());
}
BENCHMARK(sell_transposed_product);

template <class Loop>
void over_rows(benchmark::State& state, const Loop& loop) {
  const std::vector<double> t = random_numbers(rows);
  const std::vector<double> y(rows, 1.0);
  std::vector<double> out(rows);
  for (auto _ : state) {
    loop(t, y, out);
    benchmark::ClobberMemory();
  }
  count_items(state, rows);
}

void loss_slopes(benchmark::State& state) {
  over_rows(state, [](const auto& t, const auto& y, auto& out) { logistic_slopes(t, y, 1.0, out); });
}
BENCHMARK(loss_slopes);

void loss_values_and_slopes(benchmark::State& state) {
  over_rows(state, [](const auto& t, const auto& y, auto& out) {
    benchmark::DoNotOptimize(logistic_value_slopes(t, y, 1.0, out));
  });
}
BENCHMARK(loss_values_and_slopes);

void loss_curvatures(benchmark::State& state) {
  over_rows(state, [](const auto& t, const auto&, auto& out) { logistic_curvatures(t, 1.0, out); });
}
BENCHMARK(loss_curvatures);

void dense_row_products(benchmark::State& state) {
  constexpr std::size_t stride = 304;
  const std::vector<double> entries = random_numbers(rows * stride);
  const std::vector<double> x = random_numbers(stride);
  std::vector<double> out(rows);
  for (auto _ : state) {
    add_row_products(DenseBlock<double>{entries.data(), rows, stride}, x.data(), out.data());
    benchmark::ClobberMemory();
  }
  count_items(state, entries.size());
}
BENCHMARK(dense_row_products);

void dense_scaled_rows(benchmark::State& state) {
  constexpr std::size_t stride = 304;
  const std::vector<double> entries = random_numbers(rows * stride);
  const std::vector<double> y = random_numbers(rows);
  std::vector<double> out(stride);
  for (auto _ : state) {
    add_scaled_rows(DenseBlock<double>{entries.data(), rows, stride}, y.data(), out.data());
    benchmark::ClobberMemory();
  }
  count_items(state, entries.size());
}
BENCHMARK(dense_scaled_rows);

void symmetric_products(benchmark::State& state) {
  const Index dim = state.range(0);
  const PackedSymmetric a(Matrix::Ones(dim, dim));
  const Vector x = Vector::Ones(dim);
  Vector out(dim);
  for (auto _ : state) {
    a.product(x, out);
    benchmark::ClobberMemory();
  }
  count_items(state, static_cast<std::size_t>(dim * dim));
}
BENCHMARK(symmetric_products)->ArgName("dim")->Arg(100)->Arg(1000);

void tree_sums(benchmark::State& state) {
  constexpr std::size_t clients = 142, dim = 301;
  const std::vector<double> row = random_numbers(dim);
  std::vector<ClientId> ids(clients);
  for (std::size_t k = 0; k < clients; ++k) ids[k] = k;
  std::vector<double> total(dim);
  TreeAdder adder;
  for (auto _ : state) {
    adder.add_rows(
        {0, clients}, ids, [&](ClientId, std::span<double> out) { std::ranges::copy(row, out.begin()); }, total);
    benchmark::ClobberMemory();
  }
  count_items(state, clients * dim);
}
BENCHMARK(tree_sums);

}  // namespace
}  // namespace driftless

BENCHMARK_MAIN();
