// What a product with a dense symmetric matrix costs: one for each of n clients, as a gradient or Hessian product of
// the federation, beside OpenBLAS and Eigen on the same matrices.
//
//   bench_symmetric_product [CLIENTS [D [TURNS [THREADS]]]]
//
// All take turns, each after a pause in which the threads of the one before go to sleep, and the least time counts, so
// that what else runs on the machine disturbs little. OpenBLAS uses its own threads, or one of them while the clients
// are spread over ours; where it was not found it is left out.
#include "driftless/core/chunks.hpp"
#include "driftless/federation/federation.hpp"
#include "driftless/federation/in_process_transport.hpp"
#include "driftless/kernels/packed_symmetric.hpp"
#include "driftless/kernels/simd.hpp"
#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <thread>
#ifdef DRIFTLESS_HAS_OPENBLAS
#include <cblas.h>
#endif

namespace driftless {
namespace {

struct Contender {
  std::string name;
  std::function<void()> products;  // for all clients
  int blas_threads = 1;
  double least = 1e300;  // seconds
};

void let_blas_use([[maybe_unused]] int threads) {
#ifdef DRIFTLESS_HAS_OPENBLAS
  openblas_set_num_threads(threads);
#endif
}

void take_turns(std::vector<Contender>& contenders, std::size_t turns) {
  using Clock = std::chrono::steady_clock;
  for (std::size_t turn = 0; turn < turns; ++turn)
    for (Contender& contender : contenders) {
      let_blas_use(contender.blas_threads);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      for (int repeat = 0; repeat < 20; ++repeat) {
        const auto start = Clock::now();
        contender.products();
        contender.least = std::min(contender.least, std::chrono::duration<double>(Clock::now() - start).count());
      }
    }
}

void print(const std::vector<Contender>& contenders) {
  double blas = 1e300;
  for (const Contender& c : contenders)
    if (c.name.starts_with("OpenBLAS")) blas = std::min(blas, c.least);
  fmt::print("{:44}  {:>10}  {:>22}\n", "", "µs for all", "of the best OpenBLAS");
  for (const Contender& c : contenders)
    fmt::print("{:44}  {:10.1f}  {:>22}\n", c.name, 1e6 * c.least,
               blas < 1e300 ? fmt::format("{:.2f}", c.least / blas) : "not found");
}

Matrix symmetric(Stream& chance, Index d) {
  const Matrix a = Matrix::NullaryExpr(d, d, [&] { return chance.uniform(-1.0, 1.0); });
  return a + a.transpose();
}

// The same matrices for everybody, the results of all clients apart.
struct Problem {
  Problem(std::size_t clients, Index d) : x(Vector::LinSpaced(d, -1.0, 1.0)), y(clients, Vector(d)) {
    Stream chance(1, Purpose::generator, 0);
    for (std::size_t i = 0; i < clients; ++i) {
      full.push_back(symmetric(chance, d));
      packed.emplace_back(full.back());
      objectives.push_back(make_client(DenseQuadratic(full.back(), x)));
    }
  }

  Vector x;
  std::vector<Vector> y;
  std::vector<Matrix> full;
  std::vector<PackedSymmetric> packed;
  ClientObjectives objectives;
};

#ifdef DRIFTLESS_HAS_OPENBLAS
void blas_product(Problem& p, std::size_t i) {
  const auto d = static_cast<blasint>(p.x.size());
  cblas_dsymv(CblasColMajor, CblasLower, d, 1.0, p.full[i].data(), d, p.x.data(), 1, 0.0, p.y[i].data(), 1);
}
#endif

void compare(std::size_t clients, Index d, std::size_t turns, std::size_t threads) {
  Problem p(clients, d);
  ThreadPool pool(threads);
  InProcessTransport transport(clients);
  Federation fed(p.objectives, transport, pool, 1);
  Vector mean(d);
  const auto over_threads = [&](const auto& product) {
    return [&, product] { pool.for_each(clients, [&](std::size_t i, std::size_t) { product(i); }); };
  };
  std::vector<Contender> contenders{
      {"driftless, mean of Hessian products",
       [&] { mean = fed.mean([&](Client& i, VecOut hv) { i.hessian_vector(p.x, p.x, hv); }); }},
      {"driftless, bare products", over_threads([&](std::size_t i) { p.packed[i].product(p.x, p.y[i]); })},
      {"driftless, bare products, one thread",
       [&] {
         for (std::size_t i = 0; i < clients; ++i) p.packed[i].product(p.x, p.y[i]);
       }},
#ifdef DRIFTLESS_HAS_OPENBLAS
      {"OpenBLAS dsymv, its threads",
       [&] {
         for (std::size_t i = 0; i < clients; ++i) blas_product(p, i);
       },
       static_cast<int>(threads)},
      {"OpenBLAS dsymv, clients over threads", over_threads([&](std::size_t i) { blas_product(p, i); })},
      {"OpenBLAS dsymv, one thread",
       [&] {
         for (std::size_t i = 0; i < clients; ++i) blas_product(p, i);
       }},
#endif
      {"Eigen selfadjointView, clients over threads",
       over_threads([&](std::size_t i) { p.y[i].noalias() = p.full[i].selfadjointView<Eigen::Lower>() * p.x; })},
      {"Eigen A x, clients over threads", over_threads([&](std::size_t i) { p.y[i].noalias() = p.full[i] * p.x; })},
  };
  fmt::print("{} clients, d = {}, {} threads, {}, least of {} turns\n", clients, d, threads, simd_in_use(), turns);
  take_turns(contenders, turns);
  print(contenders);
}

}  // namespace
}  // namespace driftless

int main(int argc, char** argv) {
  const auto given = [&](int at, std::size_t otherwise) { return argc > at ? std::stoul(argv[at]) : otherwise; };
  driftless::compare(given(1, 5), static_cast<driftless::Index>(given(2, 1000)), given(3, 20), given(4, 2));
  return 0;
}
