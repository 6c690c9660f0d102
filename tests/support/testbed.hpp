// Federations for tests: a small one worked out by hand, random ones, chance that follows a script, and access to a
// method's state.
#pragma once

#include "driftless/federation/federation.hpp"
#include "driftless/federation/in_process_transport.hpp"
#include "driftless/methods/catalog.hpp"
#include "driftless/objectives/quadratic/constants.hpp"
#include "driftless/objectives/quadratic/quadratic_spec.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace driftless::test {

// Chance that follows a list of coins and clients; where a list ends, coins are true and clients go round.
class ScriptedChance final : public Chance {
 public:
  explicit ScriptedChance(std::deque<bool> coins = {}, std::deque<ClientId> clients = {})
      : coins_(std::move(coins)), clients_(std::move(clients)) {}
  // A true coin every `period` draws.
  static std::unique_ptr<ScriptedChance> periodic(std::size_t period);

  void enter_round(std::uint64_t) override {}
  bool coin(double p) override;
  ClientId client(std::size_t clients) override;
  Cohort cohort(std::size_t size, std::size_t clients) override;
  std::vector<std::size_t> order(std::size_t count) override;  // as it is
  bool keep(double) override { return true; }
  ClientId output_client(std::size_t) override { return 0; }

 private:
  std::deque<bool> coins_;
  std::deque<ClientId> clients_;
  std::size_t period_ = 0;
  std::size_t drawn_ = 0;
  ClientId next_client_ = 0;
};

// Objectives together with what is known of them.
struct Instance {
  ClientObjectives clients;
  std::vector<Matrix> hessians;
  Vector start;
  Vector minimizer;
  double minimum = 0.0;
  Constants constants;

  double value(const Vector& x) const;                    // f
  Vector gradient(const Vector& x) const;                 // ∇f
  Vector gradient(std::size_t i, const Vector& x) const;  // ∇f_i
};

// f_1 = x²/2, f_2 = 3(x − 2)²/2: x* = 3/2, f* = 3/4, L = 3, μ = 1, δ_A = δ_B = 1; start 0.
Instance toy();
// Dense positive definite quadratics that do not commute; eigenvalues of every f_i in about [1, 10].
Instance random_quadratics(std::uint64_t seed, std::size_t clients = 5, Index dim = 12);
// The quadratics for which the catalogue's demo settings are made: L = 100, μ = 1, δ_B = 5, five clients.
Instance demo_quadratics(Index dim = 40, QuadraticClass convexity = QuadraticClass::strongly_convex);
// Three convex quadratics of eight variables with a bounded term that bends down as much as β/2.
Instance non_convex_quadratics(double beta);

// c·f_i(Q'x) for quadratic clients and an orthogonal Q: the same problem in other units and other coordinates.
Instance transformed(const Instance& instance, double c, const Matrix& Q);
Matrix random_rotation(std::uint64_t seed, Index dim);

// One process that runs one method.
class Testbed {
 public:
  Testbed(const Instance& instance, const std::string& method, const Settings& settings,
          std::unique_ptr<Chance> chance = {}, std::size_t threads = 1, std::uint64_t seed = 1);

  Testbed& from(const Vector& x);           // starts there instead of at the instance's start
  Testbed& start();                         // runs the method's start; called by rounds() if need be
  const Vector& rounds(std::size_t count);  // runs so many more rounds; the x reached
  const Vector& x() const { return x_; }

  Vector& vector(const std::string& name);                        // a replicated variable of the method
  double& number(const std::string& name);                        // likewise
  Vector& client_vector(const std::string& name, std::size_t i);  // a variable of client i
  Federation& federation() { return *fed_; }
  Method& method() { return *method_; }

 private:
  InProcessTransport transport_;
  ThreadPool pool_;
  std::unique_ptr<Federation> fed_;
  std::unique_ptr<Method> method_;
  Vector x_;
  bool started_ = false;
};

Vector scalar(double value);                         // a vector of dimension 1
Settings with(Settings base, const Settings& more);  // both; a key given twice takes the later value

}  // namespace driftless::test
