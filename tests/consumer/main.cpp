// A program outside the source tree that uses the installed library. Ends with 1 and says why if anything differs from
// what the headers promise.
#include <driftless/driftless.hpp>
#include <driftless/federation/in_process_transport.hpp>
#include <driftless/theory/federated_constants.hpp>

#include <cstdio>
#include <iostream>
#include <string>

static_assert(__cplusplus >= 202002L, "the package must ask for C++20");

namespace {

struct Ridge {  // f(x) = ½‖Ax − b‖² + (λ/2)‖x‖²
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
  double lambda;

  Eigen::Index dim() const { return A.cols(); }
  double value_gradient(driftless::VecIn x, driftless::VecOut g) const {
    const Eigen::VectorXd r = A * x - b;
    g = A.transpose() * r + lambda * x;
    return 0.5 * (r.squaredNorm() + lambda * x.squaredNorm());
  }
};
static_assert(driftless::Objective<Ridge>);

std::vector<Ridge> load() {
  return {{Eigen::MatrixXd::Identity(3, 3), Eigen::VectorXd::Zero(3), 0.0},
          {Eigen::MatrixXd::Identity(3, 3) * 2.0, Eigen::VectorXd::Constant(3, 4.0), 0.0}};
}

int failures = 0;

void expect(bool holds, const char* statement) {
  if (holds) return;
  std::fprintf(stderr, "consumer: does not hold: %s\n", statement);
  ++failures;
}

void check_minimize() {
  int rounds = 0;
  driftless::FedRed method({.lambda = 1.5, .eta = 4.0, .p = 0.5, .solver = driftless::FedRedSolver::gd});
  const driftless::Summary s = driftless::minimize(load(), method,
                                                   {.stop = {.rounds = 200, .grad_norm = 1e-8},
                                                    .threads = 4,
                                                    .seed = 1,
                                                    .on_round = [&](const driftless::RoundInfo& r) {
                                                      ++rounds;
                                                      return r.f > 1e-6;
                                                    }});
  std::cout << s.brief() << '\n';
  expect(s.reason == driftless::StopReason::grad_norm, "the run ends when the gradient is small");
  expect((s.x - Eigen::VectorXd::Constant(3, 1.6)).norm() < 1e-7, "the mean of the clients is minimised");
  expect(static_cast<std::size_t>(rounds) == s.rounds, "every round is shown");
  expect(s.exchanges == 1 + 2 * s.rounds, "exchanges are counted");
  const driftless::Summary by_name =
      driftless::minimize(load(), "fedred-gd", {{"lambda", 1.5}, {"eta", 4.0}, {"p", 0.5}},
                          {.stop = {.rounds = 200, .grad_norm = 1e-8}, .threads = 2});
  expect(by_name.x == s.x, "a method by name and by type gives the same bits");
}

// The parts of minimize one by one.
void check_parts() {
  const driftless::ClientObjectives clients = driftless::make_clients(load());
  driftless::InProcessTransport transport(clients.size());
  driftless::ThreadPool pool(2);
  driftless::Federation fed(clients, transport, pool, 1);
  const auto method = driftless::find_method("gd").make({{"step", 0.3}});
  driftless::Trace trace;
  const auto result =
      driftless::drive(*method, fed, driftless::Vector::Zero(3), {.stop = {.rounds = 500, .grad_norm = 1e-9}}, trace);
  expect(result.reason == driftless::StopReason::grad_norm, "the driver ends when the gradient is small");
}

// The value that theory gives an option, from the constants of the clients.
void check_theory() {
  driftless::ClientObjectives clients;
  clients.push_back(driftless::quadratic(Eigen::MatrixXd::Identity(3, 3), Eigen::VectorXd::Zero(3)));
  clients.push_back(driftless::quadratic(Eigen::MatrixXd::Identity(3, 3) * 3.0, Eigen::VectorXd::Ones(3)));
  driftless::InProcessTransport transport(clients.size());
  driftless::ThreadPool pool(1);
  driftless::Federation fed(clients, transport, pool, 1);
  const driftless::Constants c = driftless::federated_constants(fed, driftless::Vector::Zero(3), {}).values();
  expect(std::abs(c.L - 3.0) < 1e-8 && std::abs(c.delta_B - 1.0) < 1e-8, "constants of the clients are found");
  const driftless::Settings settings = theory_settings(driftless::find_method("dane"), c);
  const auto s = driftless::minimize(clients, "dane", settings, {.stop = {.rounds = 300, .grad_norm = 1e-9}});
  expect(s.reason == driftless::StopReason::grad_norm, "values of theory make a method converge");
}

template <class Action>
void expect_rejected(const Action& action, const std::string& fragment) {
  try {
    action();
    expect(false, ("an error that names " + fragment).c_str());
  } catch (const driftless::ConfigError& error) {
    expect(std::string(error.what()).find(fragment) != std::string::npos, fragment.c_str());
    expect(error.kind() == driftless::ErrorKind::configuration, "it is a configuration error");
  }
}

}  // namespace

int main() {
  check_minimize();
  check_parts();
  check_theory();
  expect_rejected([] { driftless::find_method("fedredgd"); }, "fedred-gd");
  expect_rejected([] { driftless::FedRed method({.eta = 8.0, .p = 0.1}); }, "'lambda' is required");
  expect_rejected([] { driftless::FedRed method({.lambda = -1.0, .eta = 8.0, .p = 0.1}); }, "lambda = -1");
  if (failures != 0) return 1;
  std::puts("consumer: all as promised");
  return 0;
}
