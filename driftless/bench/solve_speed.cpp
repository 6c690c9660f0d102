#include "driftless/bench/solve_speed.hpp"

#include "driftless/experiments/method_trial.hpp"
#include "driftless/federation/in_process_transport.hpp"
#include "driftless/objectives/quadratic/diagonal_quadratic.hpp"

namespace driftless {
namespace {

Problem problem_of(const Dataset& data, std::size_t clients) {
  Problem problem;
  problem.n = clients;
  problem.clients = logistic_clients(data, clients).clients;
  problem.start = Vector::Zero(data.dim + 1);
  return problem;
}

}  // namespace

SolveSpeed measure_solve(const Dataset& data, std::size_t clients, ThreadPool& pool, std::size_t repeats) {
  constexpr const char* method = "newton-cg";
  constexpr double goal = 1e-9;
  const Problem problem = problem_of(data, clients);
  SolveSpeed best{.data = data.name, .method = method, .clients = clients};
  for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
    const MethodTrial trial = try_method(problem, find_method(method), {{"gradient_goal", goal}},
                                         {.stop = {.rounds = 100, .grad_norm = goal}}, pool);
    const TraceRow& last = trial.last();
    if (repeat > 0 && last.wall_s >= best.seconds) continue;
    best.seconds = last.wall_s;
    best.rounds = last.round;
    best.exchanges = last.exchanges;
    best.grad_norm = last.grad_norm;
  }
  return best;
}

RoundSpeed measure_dane_round(const Dataset& data, std::size_t clients, ThreadPool& pool, std::size_t repeats) {
  const Problem problem = problem_of(data, clients);
  const Settings settings{
      {"lambda", 1.0}, {"solver", "gd"}, {"eta", 10.0}, {"stop_rule", "steps"}, {"local_steps", std::int64_t{10}}};
  RoundSpeed best{.data = data.name, .clients = clients, .seconds = std::numeric_limits<double>::infinity()};
  const MethodTrial trial = try_method(problem, find_method("dane+"), settings, {.stop = {.rounds = repeats}}, pool);
  for (std::size_t k = 1; k < trial.rows.size(); ++k)
    best.seconds = std::min(best.seconds, trial.rows[k].wall_s - trial.rows[k - 1].wall_s);
  return best;
}

ExchangeSpeed measure_exchange(std::size_t clients, Index dim, ThreadPool& pool, const Effort& effort) {
  ClientObjectives objectives;
  for (std::size_t k = 0; k < clients; ++k)
    objectives.push_back(make_client(DiagonalQuadratic(Matrix::Ones(dim, 1), Matrix::Zero(dim, 1))));
  InProcessTransport solo(clients);
  Federation fed(objectives, dim, solo, pool, 1);
  const Vector sent = Vector::Ones(dim);
  Vector mean;
  const double seconds = best_time([&] { mean = fed.mean([&](Client&, VecOut row) { row = sent; }); }, effort);
  return {.clients = clients, .dim = dim, .seconds = seconds};
}

}  // namespace driftless
