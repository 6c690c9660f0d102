// What passes over the rows of generalised linear models cost: values with gradients, and Hessians, of dense rows in
// several clients on the threads of a pool.
//
//   bench_glm_passes [CLIENTS [ROWS_EACH [COLUMNS [THREADS [TURNS]]]]]
//
// The least time of all turns counts, so that what else runs on the machine disturbs little.
#include "driftless/core/random.hpp"
#include "driftless/federation/thread_pool.hpp"
#include "driftless/objectives/glm/glm_store.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <string>

namespace driftless {
namespace {

struct Setup {
  std::size_t clients = 10;
  std::size_t rows = 100000;
  std::size_t columns = 100;
  std::size_t threads = 2;
  std::size_t turns = 5;
};

GlmRows random_rows(const Setup& setup, std::uint64_t client, const FamilyOptions& family) {
  Stream chance(client, Purpose::generator, 0);
  GlmRows rows;
  rows.columns = static_cast<Index>(setup.columns);
  rows.stride = (setup.columns + 7) / 8 * 8;
  rows.dense.assign(setup.rows * rows.stride, 0.0);
  for (std::size_t j = 0; j < setup.rows; ++j) {
    double* row = rows.dense.data() + j * rows.stride;
    for (std::size_t k = 0; k < setup.columns; ++k) row[k] = chance.uniform(-1.0, 1.0);
    if (family.family == Family::multinomial)
      rows.label.push_back(std::floor(chance.uniform(0.0, static_cast<double>(family.classes))));
    else if (family.family == Family::poisson) rows.label.push_back(std::floor(chance.uniform(0.0, 4.0)));
    else rows.label.push_back(chance.uniform(-2.0, 2.0) + row[0] < 0.0 ? -1.0 : 1.0);
  }
  return rows;
}

double least_time(std::size_t turns, const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  double least = 1e300;
  for (std::size_t turn = 0; turn < turns; ++turn) {
    const auto start = Clock::now();
    work();
    least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return least;
}

void measure(const Setup& setup, const FamilyOptions& family, bool weights) {
  ThreadPool pool(setup.threads);
  std::vector<std::unique_ptr<ClientObjective>> clients(setup.clients);
  pool.for_each(setup.clients, [&](std::size_t i, std::size_t) {
    GlmRows rows = random_rows(setup, i, family);
    if (weights) rows.weight.assign(setup.rows, 0.5);
    clients[i] = GlmStore(std::move(rows), family).client({.family = family, .scale = 1e-6, .penalty = {}});
  });
  const Index dim = clients.front()->dim();
  Vector x = Vector::Constant(dim, 0.01);
  const auto for_all = [&](const std::function<void(const ClientObjective&)>& use) {
    return least_time(setup.turns, [&] {
      x[0] += 1e-3;  // so that nothing is cached
      pool.for_each(setup.clients, [&](std::size_t i, std::size_t) { use(*clients[i]); });
    });
  };
  const double pass = for_all([&](const ClientObjective& client) {
    Vector g(dim);
    client.value_gradient(x, g);
  });
  const double hessian = for_all([&](const ClientObjective& client) {
    Vector triangle(triangle_size(dim));
    client.hessian(x, triangle);
  });
  const auto rows = static_cast<double>(setup.clients * setup.rows);
  const auto predictions = static_cast<double>(family.predictions());
  const double flops = rows * static_cast<double>(setup.columns) * static_cast<double>(setup.columns + 1) *
                       predictions * (predictions + 1.0) / 2.0;
  fmt::print(
      "{:24}  {:9.1f} ms  {:9.1f} ms  {:8.1f} GFLOP/s\n",
      std::string(EnumNames<Family>::value[static_cast<std::size_t>(family.family)]) + (weights ? ", weighted" : ""),
      1e3 * pass, 1e3 * hessian, 1e-9 * flops / hessian);
}

int run(const Setup& setup) {
  fmt::print("{} clients of {} × {} numbers, {} threads\n{:24}  {:>12}  {:>12}\n", setup.clients, setup.rows,
             setup.columns, setup.threads, "", "gradient", "Hessian");
  measure(setup, {.family = Family::logistic}, false);
  measure(setup, {.family = Family::logistic}, true);
  measure(setup, {.family = Family::poisson}, false);
  measure(setup, {.family = Family::least_squares}, false);
  measure(setup, {.family = Family::multinomial, .classes = 3}, false);
  return 0;
}

}  // namespace
}  // namespace driftless

int main(int count, char** arguments) {
  driftless::Setup setup;
  std::size_t* const numbers[] = {&setup.clients, &setup.rows, &setup.columns, &setup.threads, &setup.turns};
  for (int k = 1; k < count && k <= 5; ++k) *numbers[k - 1] = std::stoul(arguments[k]);
  return driftless::run(setup);
}
