// A method of one's own, Polyak's heavy ball, against gradient descent on logistic regression:
//   x^{r+1} = x^r − γ ∇f(x^r) + β (x^r − x^{r−1})
#include <driftless/driftless.hpp>

#include <iostream>

struct HeavyBallOptions {
  double step = driftless::required;
  double beta = 0.8;

  static driftless::Fields fields() {  // name, member, range and meaning: what is checked, and what errors say
    using S = HeavyBallOptions;
    return {driftless::field("step", &S::step, driftless::positive, "γ, step size"),
            driftless::field("beta", &S::beta, driftless::nonnegative, "β, weight of the last step")};
  }
};

class HeavyBall final : public driftless::MethodWith<HeavyBallOptions> {
 public:
  using MethodWith::MethodWith;

  void start(driftless::Federation&, driftless::Vector& x) override { previous_ = x; }

  void round(driftless::Federation& fed, driftless::Vector& x) override {
    // The mean is the only exchange: every client writes its row, and all get (1/n) Σ ∇f_i(x).
    const driftless::Vector g = fed.mean([&](driftless::Client& i, driftless::VecOut row) { i.gradient(x, row); });
    const driftless::Vector next = x - o_.step * g + o_.beta * (x - previous_);
    previous_ = x;
    x = next;
  }

  driftless::Traffic round_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  void visit_state(driftless::StateVisitor& visit) override { visit.vector("x_previous", previous_); }

 private:
  driftless::Vector previous_;
};

int main() {
  std::vector<driftless::Dataset> data;
  for (int i = 0; i < 5; ++i) {
    const Eigen::MatrixXd rows = Eigen::MatrixXd::Random(100, 8);
    const Eigen::VectorXd labels = (rows.col(0) - 0.5 * rows.col(1)).cwiseSign();
    data.push_back(driftless::labelled_rows(rows, labels));
  }
  const driftless::ClientObjectives clients = driftless::logistic_regression(data, {.l2 = 0.01});
  const driftless::MinimizeOptions options{.stop = {.rounds = 5000, .grad_norm = 1e-6}};

  HeavyBall heavy_ball({.step = 4.0});
  std::cout << "heavy ball: " << driftless::minimize(clients, heavy_ball, options).brief() << '\n';
  std::cout << "gd:         " << driftless::minimize(clients, "gd", {{"step", 4.0}}, options).brief() << '\n';
  try {
    HeavyBall incomplete({.beta = 0.5});
  } catch (const driftless::ConfigError& error) { std::cout << error.what() << '\n'; }
}
