// The call that programs use: an objective of their own, methods by type and by name, callbacks, and what it rejects.
#include "driftless/driftless.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/testbed.hpp"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

// f(x) = ½‖Ax − b‖² + (λ/2)‖x‖², with no more than the library asks for.
struct Ridge {
  Matrix A;
  Vector b;
  double lambda;

  Index dim() const { return A.cols(); }
  double value_gradient(VecIn x, VecOut g) const {
    const Vector r = A * x - b;
    g = A.transpose() * r + lambda * x;
    return 0.5 * (r.squaredNorm() + lambda * x.squaredNorm());
  }
};
static_assert(Objective<Ridge> && !FiniteSum<Ridge> && !TwiceDifferentiable<Ridge>);

// The same with functions for the value and for the gradient alone.
struct FullRidge : Ridge {
  double value(VecIn x) const { return 0.5 * ((A * x - b).squaredNorm() + lambda * x.squaredNorm()); }
  void gradient(VecIn x, VecOut g) const { value_gradient(x, g); }
};

template <class F = Ridge>
std::vector<F> ridges(Index dim = 6) {
  std::vector<F> clients;
  Stream stream(5, Purpose::generator);
  for (int i = 0; i < 4; ++i) {
    F f{};
    f.A = Matrix::NullaryExpr(8, dim, [&] { return stream.normal() / 3.0; });
    f.b = Vector::NullaryExpr(8, [&] { return stream.normal(); });
    f.lambda = 0.3;
    clients.push_back(std::move(f));
  }
  return clients;
}

Vector minimizer_of(const std::vector<Ridge>& clients) {
  const Index d = clients.front().dim();
  Matrix H = Matrix::Zero(d, d);
  Vector c = Vector::Zero(d);
  for (const Ridge& f : clients) {
    H += f.A.transpose() * f.A + f.lambda * Matrix::Identity(d, d);
    c += f.A.transpose() * f.b;
  }
  return H.ldlt().solve(c);
}

FedRed fedred() { return FedRed({.lambda = 1.0, .eta = 6.0, .p = 0.2, .solver = FedRedSolver::gd}); }
const Settings fedred_settings{{"lambda", 1.0}, {"eta", 6.0}, {"p", 0.2}};

TEST(Minimize, FindsTheMinimumOfAnObjectiveWithTwoFunctions) {
  FedRed method = fedred();
  const Summary s = minimize(ridges(), method, {.stop = {.rounds = 500, .grad_norm = 1e-10}, .threads = 2, .seed = 3});
  EXPECT_EQ(s.reason, StopReason::grad_norm);
  EXPECT_LT((s.x - minimizer_of(ridges())).norm(), 1e-8);
  EXPECT_TRUE(s.output == s.x);
  EXPECT_LE(s.grad_norm, 1e-10);
  EXPECT_EQ(s.exchanges, 1 + 2 * s.rounds);
  EXPECT_EQ(s.bytes_up, s.bytes_down);
  EXPECT_EQ(s.messages * 6 * sizeof(double), s.bytes());
  EXPECT_EQ(s.rows.size(), s.rounds + 1);
  EXPECT_GT(s.grad_evals, s.rounds);
  EXPECT_FALSE(s.gap);
}

TEST(Minimize, GivesTheSameBitsByTypeAndByNameAndWithAnyNumberOfThreads) {
  FedRed method = fedred();
  const MinimizeOptions one{.stop = {.rounds = 20}, .threads = 1, .seed = 9};
  const MinimizeOptions many{.stop = {.rounds = 20}, .threads = 3, .seed = 9};
  const Summary by_type = minimize(ridges(), method, one);
  EXPECT_TRUE(minimize(ridges(), "fedred-gd", fedred_settings, one).x == by_type.x);
  EXPECT_TRUE(minimize(make_clients(ridges()), "fedred-gd", fedred_settings, many).x == by_type.x);
}

// With Hessian products.
struct CurvedRidge : Ridge {
  void hessian_vector(VecIn, VecIn v, VecOut hv) const { hv = A.transpose() * (A * v) + lambda * v; }
};

TEST(Minimize, WithoutAMethodChoosesOneAndTellsWhich) {
  const MinimizeOptions options{.stop = {.rounds = 100, .grad_norm = 1e-10}};
  const Summary s = minimize(ridges<CurvedRidge>(), options);
  EXPECT_EQ(s.reason, StopReason::grad_norm);
  EXPECT_LT((s.x - minimizer_of(ridges())).norm(), 1e-8);
  ASSERT_TRUE(s.decision);
  EXPECT_FALSE(s.decision->chosen.empty());
  EXPECT_FALSE(s.decision->reason.empty());
  EXPECT_FALSE(s.decision->measured.empty());
  const Summary by_name = minimize(ridges<CurvedRidge>(), "auto", {{"gradient_goal", 1e-10}}, options);
  EXPECT_TRUE(by_name.x == s.x);
  FedRed method = fedred();
  EXPECT_FALSE(minimize(ridges(), method, {.stop = {.rounds = 2}}).decision);
}

TEST(Minimize, UsesTheFunctionsThatAnObjectiveOffers) {
  const MinimizeOptions options{.stop = {.rounds = 20}};
  EXPECT_TRUE(minimize(ridges<FullRidge>(), "fedred-gd", fedred_settings, options).x ==
              minimize(ridges(), "fedred-gd", fedred_settings, options).x);
}

TEST(Minimize, StartsAgainWhereAMethodIsUsedTwice) {
  for (const MethodEntry& entry : method_catalog()) {
    const Instance instance = demo_quadratics(10);
    const MinimizeOptions options{.stop = {.rounds = 4}, .threads = 1, .seed = 2};
    const auto method = entry.make(entry.demo);
    const Vector first = minimize(instance.clients, *method, options).x;
    EXPECT_TRUE(minimize(instance.clients, *method, options).x == first) << entry.name;
  }
}

TEST(Minimize, TakesClientsOfDifferentTypes) {
  ClientObjectives clients;
  clients.push_back(make_client(ridges().front()));
  clients.push_back(make_client(ridges<FullRidge>().back()));
  clients.push_back(quadratic(Matrix::Identity(6, 6), Vector::Ones(6)));
  const Summary s = minimize(clients, "gd", {{"step", 0.3}}, {.stop = {.grad_norm = 1e-9}});
  EXPECT_EQ(s.reason, StopReason::grad_norm);
}

TEST(Minimize, ShowsEveryRoundAndStopsWhenAsked) {
  std::vector<std::uint64_t> rounds;
  const auto on_round = [&](const RoundInfo& r) {
    rounds.push_back(r.round);
    EXPECT_EQ(r.x.size(), 6);
    EXPECT_GT(r.f, 0.0);
    return r.round < 5;
  };
  const Summary s = minimize(ridges(), "gd", {{"step", 0.2}}, {.stop = {.rounds = 50}, .on_round = on_round});
  EXPECT_EQ(rounds, (std::vector<std::uint64_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(s.reason, StopReason::interrupted);
  EXPECT_EQ(s.rounds, 5U);
}

TEST(Minimize, SaysWhichRoundsWereNotMeasured) {
  std::vector<bool> measured;
  const auto on_round = [&](const RoundInfo& r) {
    measured.push_back(!std::isnan(r.f) && !std::isnan(r.grad_norm));
    return true;
  };
  minimize(ridges(), "gd", {{"step", 0.2}}, {.stop = {.rounds = 5}, .every = 2, .on_round = on_round});
  EXPECT_EQ(measured, (std::vector<bool>{false, true, false, true, true}));
}

TEST(Minimize, KnowsTheGapWhereTheMinimumIsGiven) {
  const Instance instance = demo_quadratics(10);
  const Summary s = minimize(instance.clients, "dane", {{"lambda", 5.0}},
                             {.stop = {.rounds = 100, .gap = 1e-6},
                              .output = OutputPoint::best,
                              .start = instance.start,
                              .reference = Reference{instance.minimizer, instance.minimum}});
  EXPECT_EQ(s.reason, StopReason::gap);
  EXPECT_LE(s.gap.value(), 1e-6);
  EXPECT_EQ(s.output.size(), 10);
}

TEST(Minimize, ReportsDivergenceAsAReason) {
  EXPECT_EQ(minimize(ridges(), "gd", {{"step", 1e3}}, {.stop = {.rounds = 500}}).reason, StopReason::diverged);
}

TEST(Minimize, SumsUpInOneLine) {
  const Summary s = minimize(ridges(), "gd", {{"step", 0.2}}, {.stop = {.rounds = 1}});
  EXPECT_THAT(s.brief(), testing::MatchesRegex("stopped after 1 round .limit of rounds., 1 exchange, 384 bytes: f = "
                                               "[0-9.]+, gradient norm = [0-9.]+"));
}

TEST(Minimize, RejectsWhatCannotRun) {
  Gd gd({.step = 0.1});
  const MinimizeOptions ten{.stop = {.rounds = 10}};
  const auto expect_rejected = [&](const MinimizeOptions& options, std::initializer_list<std::string> fragments) {
    expect_error<ConfigError>([&] { minimize(ridges(), gd, options); }, fragments);
  };
  expect_error<ConfigError>([&] { minimize(ClientObjectives{}, gd, ten); }, {"no clients"});
  ClientObjectives none(2);
  expect_error<ConfigError>([&] { minimize(none, gd, ten); }, {"client 0"});
  std::vector<Ridge> unlike = ridges(6);
  unlike.push_back(ridges(7).front());
  expect_error<ConfigError>([&] { minimize(unlike, gd, ten); }, {"client 4: 7"});
  expect_error<ConfigError>([&] { minimize(ridges(), "fedredgd", {}, ten); }, {"fedred-gd"});
  EXPECT_THROW(minimize(ridges(), "fedred", fedred_settings, ten), ConfigError);  // exact steps need Hessian products
  expect_rejected({}, {"nothing would end"});
  expect_rejected({.stop = {.grad_norm = -1.0}}, {"grad_norm"});
  expect_rejected({.stop = {.rounds = 3}, .every = 0}, {"every"});
  expect_rejected({.stop = {.rounds = 3}, .start = Vector::Zero(5)}, {"start", "5 entries"});
  expect_rejected({.stop = {.gap = 1e-3}}, {"reference"});
  expect_rejected({.stop = {.rounds = 3}, .reference = Reference{Vector::Zero(2), 0.0}}, {"reference.minimizer"});
  expect_rejected({.stop = {.rounds = 3}, .output = OutputPoint::weighted}, {"output"});
}

TEST(StandardClients, AreTheSameForDenseAndSparseRows) {
  Stream stream(7, Purpose::generator);
  std::vector<Dataset> dense;
  std::vector<Dataset> sparse;
  for (int i = 0; i < 3; ++i) {
    const Matrix rows =
        Matrix::NullaryExpr(20, 5, [&] { return stream.bernoulli(0.3) ? std::round(8 * stream.normal()) / 8 : 0.0; });
    const Vector labels = Vector::NullaryExpr(20, [&] { return stream.bernoulli(0.5) ? 1.0 : -1.0; });
    dense.push_back(labelled_rows(rows, labels));
    sparse.push_back(labelled_rows(Eigen::SparseMatrix<double, Eigen::RowMajor>(rows.sparseView()), labels));
  }
  const MinimizeOptions options{.stop = {.rounds = 30}};
  const LinearClientOptions regularized{.l2 = 0.1, .intercept = true};
  EXPECT_TRUE(minimize(logistic_regression(dense, regularized), "gd", {{"step", 0.5}}, options).x ==
              minimize(logistic_regression(sparse, regularized), "gd", {{"step", 0.5}}, options).x);
}

TEST(StandardClients, LeastSquaresIsTheMeanOverAllRows) {
  const Ridge one = ridges().front();
  const Ridge two = ridges().back();
  const std::vector<Dataset> data{labelled_rows(one.A, one.b), labelled_rows(two.A.topRows(4), two.b.head(4))};
  const Summary s = minimize(least_squares(data, {.l2 = 0.1}), "gd", {{"step", 0.5}}, {.stop = {.grad_norm = 1e-10}});
  const Matrix H = (one.A.transpose() * one.A + two.A.topRows(4).transpose() * two.A.topRows(4)) / 12.0 +
                   0.1 * Matrix::Identity(6, 6);
  const Vector c = (one.A.transpose() * one.b + two.A.topRows(4).transpose() * two.b.head(4)) / 12.0;
  EXPECT_LT((s.x - Vector(H.ldlt().solve(c))).norm(), 1e-8);
}

TEST(StandardClients, RejectDataThatDoesNotFit) {
  const Matrix rows = Matrix::Ones(3, 2);
  expect_error<DataError>([&] { labelled_rows(rows, Vector::Ones(2)); }, {"3 rows, 2 labels"});
  const std::vector<Dataset> halves{labelled_rows(rows, Vector::Constant(3, 0.5))};
  expect_error<DataError>([&] { logistic_regression(halves); }, {"label 0.5"});
  EXPECT_THROW(least_squares({}), DataError);
}

}  // namespace
}  // namespace driftless::test
