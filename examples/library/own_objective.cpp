// Ridge regression over four clients, each with rows of its own that never leave it.
#include <driftless/driftless.hpp>

#include <iostream>

struct Ridge {  // f_i(x) = ½‖Ax − b‖² + (λ/2)‖x‖²
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

int main() {
  std::vector<Ridge> clients;
  for (int i = 0; i < 4; ++i) clients.push_back({Eigen::MatrixXd::Random(50, 10), Eigen::VectorXd::Random(50), 1.0});

  driftless::FedRed method({.lambda = 10.0, .eta = 40.0, .p = 0.25, .solver = driftless::FedRedSolver::gd});
  driftless::MinimizeOptions options{.stop = {.rounds = 200, .grad_norm = 1e-8}, .threads = 4, .seed = 1};
  options.on_round = [](const driftless::RoundInfo& r) {
    std::cout << r.round << ' ' << r.f << '\n';
    return r.f > 1e-6;  // false ends the run
  };
  const driftless::Summary s = driftless::minimize(clients, method, options);
  std::cout << s.brief() << '\n' << s.x.transpose() << '\n';
}
