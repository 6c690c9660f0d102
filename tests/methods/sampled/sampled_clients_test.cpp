// SVRS, AccSVRS, RG-SAGA and RG-SVRG: what their estimates are in exact expectation, and what they reduce to.
#include "driftless/data/synthetic.hpp"
#include "driftless/objectives/linear/linear_model.hpp"
#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "tests/support/chosen_chance.hpp"
#include "tests/support/testbed.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace driftless::test {
namespace {

using namespace std::string_literals;

// A cohort that is given, and coins of which every `period`-th is true.
class GivenCohort final : public Chance {
 public:
  GivenCohort(std::vector<ClientId> cohort, std::size_t period) : cohort_(std::move(cohort)), period_(period) {}

  void enter_round(std::uint64_t) override {}
  bool coin(double) override { return ++drawn_ % period_ == 0; }
  ClientId client(std::size_t) override { return cohort_.front(); }
  Cohort cohort(std::size_t, std::size_t clients) override { return Cohort::of(cohort_, clients); }
  std::vector<std::size_t> order(std::size_t) override { return {}; }
  bool keep(double) override { return true; }
  ClientId output_client(std::size_t) override { return 0; }

 private:
  std::vector<ClientId> cohort_;
  std::size_t period_;
  std::size_t drawn_ = 0;
};

// argmin_y f_1(y) + ⟨g − ∇f_1(c), y⟩ + (λ/2)‖y − c‖²
Vector composite_step(const Instance& instance, const Vector& c, const Vector& g, double lambda) {
  const Matrix A = instance.hessians[0] + lambda * Matrix::Identity(c.size(), c.size());
  return c - A.llt().solve(g);
}

Vector random_point(Stream& stream, Index dim) {
  Vector v(dim);
  for (double& entry : v) entry = 3.0 * stream.normal();
  return v;
}

Vector mean_over_clients(Testbed& bed, const std::string& name, std::size_t clients) {
  Vector sum = bed.client_vector(name, 0);
  for (std::size_t i = 1; i < clients; ++i) sum += bed.client_vector(name, i);
  return sum / static_cast<double>(clients);
}

Instance identical_clients(std::size_t clients) {
  const Instance one = random_quadratics(81, 1);
  const Vector centre = one.minimizer;
  Instance instance{.start = one.start, .minimizer = one.minimizer, .constants = one.constants};
  for (std::size_t i = 0; i < clients; ++i) {
    instance.clients.push_back(make_client(DenseQuadratic(one.hessians[0], centre)));
    instance.hessians.push_back(one.hessians[0]);
  }
  return instance;
}

Instance non_convex_logistic(std::size_t clients, double beta) {
  const Dataset data = generate_classification({.rows = 600, .dim = 20, .nonzeros_per_row = 5.0, .skew = 0.3}, 3);
  const std::size_t share = data.rows() / clients;
  Instance instance{.start = Vector::Zero(data.dim)};
  for (std::size_t i = 0; i < clients; ++i) {
    std::vector<std::int32_t> rows(share);
    std::iota(rows.begin(), rows.end(), static_cast<std::int32_t>(i * share));
    instance.clients.push_back(make_client(LinearModel<LogisticLoss, SparseRows>(
        data, rows, {.weight = 1.0 / static_cast<double>(share), .l2 = 0.001, .beta = beta})));
  }
  return instance;
}

TEST(SvrsSteps, AreCompositeStepsInExpectationOverTheClient) {
  const Instance instance = random_quadratics(82);
  const double theta = 0.2;
  Vector mean = Vector::Zero(12);
  Vector x_1;
  for (ClientId i = 0; i < 5; ++i) {
    Testbed bed(instance, "svrs", {{"step", theta}, {"p", 0.1}},
                std::make_unique<GivenCohort>(std::vector<ClientId>{i}, 100));
    x_1 = bed.rounds(1);  // t_0 does not depend on the client
    mean += bed.rounds(1) / 5.0;
  }
  EXPECT_LT((x_1 - composite_step(instance, instance.start, instance.gradient(instance.start), 1.0 / theta)).norm(),
            1e-10);
  const Vector expected = composite_step(instance, x_1, instance.gradient(x_1), 1.0 / theta);
  EXPECT_LT((mean - expected).norm(), 1e-10 * (1.0 + expected.norm()));
}

TEST(SvrsSteps, AreProximalPointsOfFForIdenticalClients) {
  const Instance instance = identical_clients(4);
  Testbed bed(instance, "svrs", {{"step", 0.3}, {"p", 0.25}});
  Vector x = instance.start;
  for (int k = 0; k < 10; ++k) {  // t_k = 0
    x = composite_step(instance, x, instance.gradient(x), 1.0 / 0.3);
    EXPECT_LT((bed.rounds(1) - x).norm(), 1e-10 * (1.0 + x.norm()));
  }
}

TEST(SvrsSteps, OfAllClientsAreTheCompositeGradientMethod) {
  const Instance instance = random_quadratics(83);
  Testbed svrs(instance, "svrs", {{"step", 0.25}, {"p", 0.3}, {"cohort", std::int64_t{0}}});
  Testbed cgm(instance, "dane-hb", {{"lambda", 4.0}, {"beta", 0.0}});
  for (int k = 0; k < 12; ++k) EXPECT_LT((svrs.rounds(1) - cgm.rounds(1)).norm(), 1e-9);
}

// Epochs of exactly five steps: an exchange with everyone in the first round of each, in AccSVRS in the last one, too.
TEST(SvrsTraffic, IsOneClientPerStepAndEveryoneOncePerEpoch) {
  const Instance instance = random_quadratics(84);
  const auto ledger_of = [&](const std::string& method, const Settings& settings) {
    Testbed bed(instance, method, settings, ScriptedChance::periodic(5));
    bed.rounds(15);
    return bed.federation().ledger();
  };
  const Ledger svrs = ledger_of("svrs", {{"step", 0.2}, {"p", 0.2}});
  EXPECT_EQ(svrs.exchanges, 15U + 3U);
  EXPECT_EQ(svrs.vectors_up, 15U + 3U * 5U);
  EXPECT_EQ(svrs.vectors_down, 15U + 3U * 5U);
  const Ledger acc = ledger_of("acc-svrs", {{"step", 0.2}, {"p", 0.2}, {"tau", 0.2}, {"alpha", 0.5}});
  EXPECT_EQ(acc.exchanges, 15U + 6U);
  EXPECT_EQ(acc.vectors_up, 15U + 6U * 5U);
  EXPECT_EQ(acc.vectors_down, 15U + 6U * 5U);
}

// The values of theory: with δ/μ = 100 AccSVRS needs fewer messages.
TEST(AccSvrsTheory, NeedsFewerMessagesThanSvrsWhereSimilarityIsLow) {
  const Instance instance = demo_quadratics();
  const auto messages = [&](const std::string& method, double mu) {
    Constants c = instance.constants;
    c.mu = mu;
    Testbed bed(instance, method, theory_settings(find_method(method), c));
    const double enough = 1e-8 * (instance.value(instance.start) - instance.minimum);
    for (int r = 0; r < 5000 && instance.value(bed.x()) - instance.minimum > enough; ++r) bed.rounds(1);
    return static_cast<double>(bed.federation().ledger().vectors_up);
  };
  EXPECT_LT(messages("svrs", 1.0), 2000.0);
  EXPECT_LT(messages("acc-svrs", 1.0), 2000.0);
}

const Settings exact_composite{{"lambda", 4.0}, {"p_loc", 0.0}};

TEST(RecursiveGradients, OfAllClientsAreTheGradientAndTheCompositeGradientMethod) {
  const Instance instance = random_quadratics(85);
  for (const auto& method : {"rg-saga"s, "rg-svrg"s})
    for (const double beta : {0.0, 0.3, 1.0}) {
      Settings settings = with(exact_composite, {{"beta", beta}});
      if (method == "rg-svrg") settings.emplace_back("p", 0.5);
      Testbed bed(instance, method, settings);
      Testbed cgm(instance, "dane-hb", {{"lambda", 4.0}, {"beta", 0.0}});
      const double scale = instance.gradient(instance.start).norm();
      for (int t = 0; t < 15; ++t) {
        EXPECT_LT((bed.rounds(1) - cgm.rounds(1)).norm(), 1e-11) << method << ", β = " << beta;
        EXPECT_LT((bed.vector("g") - instance.gradient(bed.x())).norm(), 1e-14 * scale) << method << ", β = " << beta;
      }
    }
}

TEST(RecursiveGradients, ServerKeepsTheMeanOfTheTable) {
  const Instance instance = random_quadratics(86);
  for (const std::int64_t cohort : {1, 2, 4, 0}) {
    Testbed bed(instance, "rg-saga", with(exact_composite, {{"beta", 0.4}, {"cohort", cohort}}));
    for (int t = 0; t < 10; ++t) {
      bed.rounds(1);
      EXPECT_LT((bed.vector("b") - mean_over_clients(bed, "b_i", 5)).norm(), 1e-12) << "cohort " << cohort;
    }
  }
}

// From any table, reference point and g_t: with β = 1, g_{t+1} = G_t + the mean change, whose expectation is
// ∇f(x_{t+1}).
TEST(RecursiveGradients, AreUnbiasedFromEveryStateWithBetaOne) {
  const Instance instance = random_quadratics(87);
  for (const auto& method : {"rg-saga"s, "rg-svrg"s}) {
    Stream stream(5, Purpose::generator);
    std::vector<Vector> table;
    for (int i = 0; i < 5; ++i) table.push_back(random_point(stream, 12));
    const Vector g = random_point(stream, 12);
    const Vector w = random_point(stream, 12);
    Vector mean = Vector::Zero(12);
    Vector x_next;
    const auto cohorts = all_subsets(2, 5);
    for (const auto& cohort : cohorts) {
      Settings settings = with(exact_composite, {{"beta", 1.0}, {"cohort", std::int64_t{2}}});
      if (method == "rg-svrg") settings.emplace_back("p", 0.01);
      Testbed bed(instance, method, settings, std::make_unique<GivenCohort>(cohort, 1000));
      bed.start();
      bed.vector("g") = g;
      if (method == "rg-saga") {
        for (std::size_t i = 0; i < 5; ++i) bed.client_vector("b_i", i) = table[i];
        bed.vector("b") = mean_over_clients(bed, "b_i", 5);
      } else {
        bed.vector("w") = w;
        bed.vector("g_w") = instance.gradient(w);
      }
      x_next = bed.rounds(1);
      mean += bed.vector("g") / static_cast<double>(cohorts.size());
    }
    const Vector expected = instance.gradient(x_next);
    EXPECT_LT((mean - expected).norm(), 1e-12 * (1.0 + expected.norm())) << method;
  }
}

TEST(RecursiveGradients, WithBetaZeroAreSarah) {
  const Instance instance = random_quadratics(88);
  for (const auto& method : {"rg-saga"s, "rg-svrg"s}) {
    Settings settings = with(exact_composite, {{"beta", 0.0}, {"cohort", std::int64_t{2}}});
    if (method == "rg-svrg") settings.emplace_back("p", 0.01);
    Testbed bed(instance, method, settings, std::make_unique<GivenCohort>(std::vector<ClientId>{1, 3}, 1000));
    bed.start();
    for (int t = 0; t < 6; ++t) {
      const Vector x = bed.x();
      const Vector g = bed.vector("g");
      bed.rounds(1);
      Vector change = Vector::Zero(12);
      for (const std::size_t i : {1U, 3U}) change += 0.5 * (instance.gradient(i, bed.x()) - instance.gradient(i, x));
      EXPECT_LT((bed.vector("g") - g - change).norm(), 1e-12) << method;
    }
  }
}

TEST(CompositeSteps, EachDecreasesTheLocalProblem) {
  const Instance instance = random_quadratics(89);
  const Vector& x = instance.start;
  const Vector shift = instance.gradient(x) - instance.gradient(0, x);
  const auto F = [&](const Vector& y) {
    return instance.clients[0]->value(y) + shift.dot(y) + 0.5 * 2.0 * (y - x).squaredNorm();
  };
  double before = F(x);
  for (std::size_t steps = 1; steps < 12; ++steps) {
    Testbed bed(instance, "rg-saga", {{"lambda", 2.0}, {"beta", 0.5}, {"p_loc", 0.1}, {"eta", instance.constants.L}},
                ScriptedChance::periodic(steps));
    const double now = F(bed.rounds(1));
    EXPECT_LT(now, before) << steps;
    before = now;
    EXPECT_EQ(bed.federation().busiest().steps, steps);
  }
}

TEST(RecursiveGradients, CountTheVectorsOfTheCohort) {
  const Instance instance = random_quadratics(90);
  const auto ledger_of = [&](const std::string& method, const Settings& more) {
    Testbed bed(instance, method, with(with(exact_composite, {{"beta", 0.5}}), more), ScriptedChance::periodic(1000));
    bed.rounds(4);
    return bed.federation().ledger();
  };
  const Settings two{{"cohort", std::int64_t{2}}};
  const Ledger saga = ledger_of("rg-saga", two);
  EXPECT_EQ(saga.exchanges, 5U);
  EXPECT_EQ(saga.vectors_up, 5U + 4U * 2U * 2U);
  EXPECT_EQ(saga.vectors_down, 5U + 4U * 2U * 2U);
  const Ledger svrg = ledger_of("rg-svrg", with(two, {{"p", 0.5}}));
  EXPECT_EQ(svrg.vectors_up, 5U + 4U * 2U);
  EXPECT_EQ(svrg.vectors_down, 5U + 4U * 2U * 3U);
  EXPECT_EQ(ledger_of("rg-saga", {}).vectors_down, 5U + 4U * 5U) << "everyone knows x_t";
}

TEST(OnNonConvexLogistic, GradientVanishes) {
  const Instance instance = non_convex_logistic(10, 0.05);
  const Settings rg{{"lambda", 0.3}, {"beta", 0.3}, {"p_loc", 0.1}, {"eta", 2.0}, {"cohort", std::int64_t{3}}};
  for (const auto& [method, settings] :
       std::vector<std::pair<std::string, Settings>>{{"rg-saga", rg}, {"rg-svrg", with(rg, {{"p", 0.3}})}}) {
    Testbed bed(instance, method, settings);
    for (int t = 0; t < 3000 && instance.gradient(bed.x()).norm() > 1e-7; ++t) bed.rounds(1);
    EXPECT_LE(instance.gradient(bed.x()).norm(), 1e-7) << method;
  }
}

}  // namespace
}  // namespace driftless::test
