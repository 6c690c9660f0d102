// The methods for nets: where they rest, what holds after every round, and what units and axes change.
#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "tests/methods/nets_settings.hpp"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

Vector mean_of(Testbed& bed, const std::string& name, std::size_t clients) {
  Vector sum = bed.client_vector(name, 0);
  for (std::size_t i = 1; i < clients; ++i) sum += bed.client_vector(name, i);
  return sum / static_cast<double>(clients);
}

// Δ = 0 at 15/11, where FedAvg rests, and nowhere else: not at the minimiser 3/2.
TEST(FedOptFixedPoints, AreThoseOfFedAvg) {
  const Instance instance = toy();
  for (const std::string& name : adaptive) {
    Testbed there(instance, name, two_steps);
    EXPECT_NEAR(there.from(scalar(15.0 / 11)).rounds(5)[0], 15.0 / 11, 1e-12) << name;
    Testbed elsewhere(instance, name, two_steps);
    EXPECT_GT(std::abs(elsewhere.from(instance.minimizer).rounds(5)[0] - 1.5), 1e-3) << name;
  }
}

TEST(FedOptFixedPoints, IsTheMinimizerForOneLocalStep) {
  const Instance instance = random_quadratics(7);
  for (const std::string& name : adaptive) {
    Testbed bed(instance, name, {{"step", 0.05}, {"local_steps", std::int64_t{1}}, {"tau", 0.5}});
    EXPECT_LT((bed.from(instance.minimizer).rounds(20) - instance.minimizer).norm(), 1e-10) << name;
  }
}

// (1 − β_1)(η/τ) η_l K L < 2 (1 + β_1): here η/τ < 76.
TEST(FedOptFixedPoints, HoldAdamOnlyForShortEnoughSteps) {
  Instance instance{.start = scalar(1.0)};
  instance.clients.push_back(make_client(DenseQuadratic(Matrix::Identity(1, 1), scalar(0.0))));
  const auto distance = [&](double server_step) {
    Testbed bed(instance, "fedadam",
                {{"step", 0.5}, {"local_steps", std::int64_t{1}}, {"tau", 0.01}, {"server_step", server_step}});
    bed.rounds(5000);
    double longest = 0.0;
    for (int t = 0; t < 200; ++t) longest = std::max(longest, bed.rounds(1).norm());
    return longest;
  };
  EXPECT_LT(distance(0.7), 1e-12);
  EXPECT_GT(distance(0.82), 1e-6);
}

// h_i = (g_i − ∇f_i(x*))/α with any g_i of mean 0, ḡ = h̄ = 0: one choice for each share.
TEST(FedDcFixedPoints, AreTheMinimizerWithEverySplitOfTheCorrections) {
  const Instance instance = random_quadratics(8);
  const double alpha = 2.0;
  for (const double share : {0.0, 0.3, 1.0})
    for (const std::int64_t cohort : {0, 2}) {
      Testbed bed(instance, "feddc", with(four_steps, {{"alpha", alpha}, {"cohort", cohort}}));
      bed.from(instance.minimizer).start();
      for (std::size_t i = 0; i < 5; ++i) {
        const Vector gradient = instance.gradient(i, instance.minimizer);
        bed.client_vector("g_i", i) = share * gradient;
        bed.client_vector("h_i", i) = (share - 1.0) * gradient / alpha;
      }
      EXPECT_LT((bed.rounds(5) - instance.minimizer).norm(), 1e-10) << "share " << share << ", cohort " << cohort;
    }
}

TEST(FedDcFixedPoints, AreReachedFromAColdStartAtTheMinimizer) {
  const Instance instance = random_quadratics(9);
  Testbed bed(instance, "feddc", with(four_steps, {{"alpha", 2.0}}));
  bed.from(instance.minimizer);
  EXPECT_GT((bed.rounds(1) - instance.minimizer).norm(), 1e-3);
  EXPECT_LT((bed.rounds(400) - instance.minimizer).norm(), 1e-9);
}

// e_{t+2} − (2 − cα − 2ca) e_{t+1} + (1 − cα − ca) e_t = 0 for e = w − x*, c = ηK with K = 1, one client.
TEST(FedDcFixedPoints, AreApproachedAsTheRecursionOfOneClientSays) {
  const double a = 3.0;
  const double c = 0.05;
  const double alpha = 4.0;
  Instance instance{.start = scalar(1.0)};
  instance.clients.push_back(make_client(DenseQuadratic(Matrix::Constant(1, 1, a), scalar(0.0))));
  Testbed bed(instance, "feddc", {{"step", c}, {"local_steps", std::int64_t{1}}, {"alpha", alpha}});
  std::vector<double> e{1.0};
  for (int t = 1; t <= 30; ++t) e.push_back(bed.rounds(1)[0]);
  for (std::size_t t = 0; t + 2 < e.size(); ++t)
    EXPECT_NEAR(e[t + 2], (2 - c * alpha - 2 * c * a) * e[t + 1] - (1 - c * alpha - c * a) * e[t], 1e-13);
}

// About √(1/(ηKμ)) log(1/ε) rounds on quadratics for α = 2√(μ/(ηK)) − 2μ: error by 1 − √(ηKμ) per round.
TEST(FedDcFixedPoints, AreApproachedFastForTheRightPull) {
  const Instance instance = demo_quadratics();
  for (const auto& [step, k] :
       {std::pair{0.001, std::int64_t{10}}, {0.0004, std::int64_t{10}}, {0.002, std::int64_t{2}}}) {
    const double c = step * static_cast<double>(k);
    const double alpha = 2.0 * std::sqrt(1.0 / c) - 2.0;
    Testbed bed(instance, "feddc", {{"step", step}, {"local_steps", k}, {"alpha", alpha}});
    const auto rounds = static_cast<std::size_t>(std::ceil(std::log(1e5) / std::sqrt(c)));
    const double first = instance.value(instance.start) - instance.minimum;
    EXPECT_LT(instance.value(bed.rounds(rounds)) - instance.minimum, 1e-9 * first) << "step " << step;
  }
}

// (μ/K) h_i = ∇f_i(w): every w is a fixed point, the minimiser among them.
TEST(AdaBestFixedPoints, AreEveryPointWithMatchingDriftEstimates) {
  const Instance instance = random_quadratics(10);
  for (const Vector& w : {instance.minimizer, instance.start}) {
    Testbed bed(instance, "adabest", with(four_steps, {{"mu", 2.0}}));
    bed.from(w).start();
    for (std::size_t i = 0; i < 5; ++i) bed.client_vector("h_i", i) = 4.0 / 2.0 * instance.gradient(i, w);
    EXPECT_LT((bed.rounds(5) - w).norm(), 1e-10);
  }
  Testbed cold(instance, "adabest", with(four_steps, {{"mu", 2.0}}));
  EXPECT_GT((cold.from(instance.minimizer).rounds(5) - instance.minimizer).norm(), 1e-3);
}

// argmin f + (μ(1 − β)/(2K))‖x − x⁰‖²
TEST(AdaBestFixedPoints, PullTowardsTheStart) {
  const Instance instance = random_quadratics(11);
  const double mu = 4.0;
  const double beta = 0.5;
  const double pull = mu * (1 - beta) / 4;
  Matrix mean = Matrix::Zero(12, 12);
  for (const Matrix& a : instance.hessians) mean += a / 5.0;
  const Vector expected =
      (mean + pull * Matrix::Identity(12, 12)).llt().solve(mean * instance.minimizer + pull * instance.start);
  Testbed bed(instance, "adabest", with(four_steps, {{"mu", mu}, {"beta", beta}}));
  EXPECT_LT((bed.rounds(600) - expected).norm(), 1e-9);
  EXPECT_GT((expected - instance.minimizer).norm(), 1e-2);
}

TEST(FedPvrFixedPoints, AreTheMinimizerOnlyIfEverythingIsCorrected) {
  const Instance instance = random_quadratics(12);
  for (const double corrected : {1.0, 0.5, 0.0}) {
    Testbed bed(instance, "fedpvr", with(four_steps, {{"corrected", corrected}}));
    bed.from(instance.minimizer).start();
    const Index part = bed.vector("c").size();
    for (std::size_t i = 0; i < 5; ++i)
      bed.client_vector("c_i", i) = instance.gradient(i, instance.minimizer).tail(part);
    const double moved = (bed.rounds(5) - instance.minimizer).norm();
    if (corrected == 1.0) EXPECT_LT(moved, 1e-10);
    else EXPECT_GT(moved, 1e-3) << corrected;
  }
}

// Eight entries alike for all clients, twelve unlike: corrections for those twelve remove the whole bias.
TEST(FedPvrFixedPoints, AreTheMinimizerWhereClientsDifferInTheCorrectedPartAlone) {
  const Instance unlike = random_quadratics(13);
  const Index d = 20;
  Instance instance{.start = Vector::Constant(d, 2.0), .minimizer = Vector::Zero(d)};
  instance.minimizer.tail(12) = unlike.minimizer;
  for (std::size_t i = 0; i < 5; ++i) {
    Matrix a = 3.0 * Matrix::Identity(d, d);
    a.bottomRightCorner(12, 12) = unlike.hessians[i];
    Vector centre = Vector::Zero(d);
    centre.tail(12) = -unlike.hessians[i].llt().solve(unlike.gradient(i, Vector::Zero(12)));
    instance.clients.push_back(make_client(DenseQuadratic(a, centre)));
  }
  const auto distance = [&](const std::string& method, const Settings& more) {
    Testbed bed(instance, method, with(four_steps, more));
    return (bed.rounds(400) - instance.minimizer).norm();
  };
  EXPECT_LT(distance("fedpvr", {{"corrected", 0.6}}), 1e-9);
  EXPECT_GT(distance("fedpvr", {{"corrected", 0.4}}), 1e-3);
  EXPECT_GT(distance("fedavg", {}), 1e-3);
}

TEST(NetsInvariants, FedDcServerStateIsTheMeanForEveryCohort) {
  for (const std::int64_t cohort : {0, 1, 2, 4}) {
    const Instance instance = random_quadratics(14);
    Testbed bed(instance, "feddc", with(four_steps, {{"alpha", 2.0}, {"cohort", cohort}}));
    for (int t = 0; t < 8; ++t) {
      bed.rounds(1);
      EXPECT_LT((bed.vector("g") - mean_of(bed, "g_i", 5)).norm(), 1e-11) << "cohort " << cohort;
      EXPECT_LT((bed.vector("h") - mean_of(bed, "h_i", 5)).norm(), 1e-11) << "cohort " << cohort;
    }
    EXPECT_GT(bed.vector("g").norm(), 1e-3);
  }
}

TEST(NetsInvariants, FedPvrServerControlIsTheMeanForEveryCohort) {
  for (const std::int64_t cohort : {0, 1, 2, 4}) {
    const Instance instance = random_quadratics(15);
    Testbed bed(instance, "fedpvr", with(four_steps, {{"corrected", 0.25}, {"cohort", cohort}}));
    for (int r = 0; r < 8; ++r) {
      bed.rounds(1);
      EXPECT_EQ(bed.vector("c").size(), 3);
      EXPECT_LT((bed.vector("c") - mean_of(bed, "c_i", 5)).norm(), 1e-12) << "cohort " << cohort;
    }
  }
}

// Σ_i h_i = n (x⁰ − θ̄_t + β (θ̄_{t−1} − x⁰)), with batches as well.
TEST(NetsInvariants, AdaBestDriftEstimatesTelescope) {
  const Instance instance = demo_quadratics();
  const double beta = 0.6;
  Testbed bed(instance, "adabest", with(with(sampled, {{"cohort", std::int64_t{0}}}), {{"mu", 40.0}, {"beta", beta}}));
  Vector before = instance.start;
  for (int t = 1; t <= 8; ++t) {
    const Vector now = bed.rounds(1);
    const Vector expected = instance.start - now + beta * (before - instance.start);
    EXPECT_LT((mean_of(bed, "h_i", 5) - expected).norm(), 1e-11 * instance.start.norm()) << "round " << t;
    before = now;
  }
}

// Client 0 is seen in rounds 1 and 6, so what it knew counts a fifth.
TEST(NetsInvariants, AdaBestDriftEstimatesFadeWithAbsence) {
  const Instance instance = random_quadratics(16);
  Testbed bed(instance, "adabest", with(four_steps, with(one_client, {{"mu", 2.0}})),
              std::make_unique<ScriptedChance>());
  bed.rounds(5);
  EXPECT_EQ(bed.client_vector("t_i", 0)[0], 1.0);
  const Vector known = bed.client_vector("h_i", 0);
  const Vector w = bed.vector("w");
  const Vector theta = bed.rounds(1);  // of client 0 alone
  EXPECT_EQ(bed.client_vector("t_i", 0)[0], 6.0);
  EXPECT_LT((bed.client_vector("h_i", 0) - (known / 5.0 + w - theta)).norm(), 1e-12);
  EXPECT_GT(known.norm(), 1e-3);
}

TEST(NetsInvariants, CorrectionsVanishForIdenticalClients) {
  const Instance one = random_quadratics(17, 1);
  Instance same{.start = one.start, .minimizer = one.minimizer};
  const Vector centre = one.minimizer;
  for (int i = 0; i < 3; ++i) same.clients.push_back(make_client(DenseQuadratic(one.hessians[0], centre)));
  Testbed dc(same, "feddc", with(four_steps, {{"alpha", 1.0}}));
  Testbed pvr(same, "fedpvr", with(four_steps, {{"corrected", 0.5}}));
  for (int r = 0; r < 5; ++r) {
    dc.rounds(1);
    pvr.rounds(1);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_LT((dc.client_vector("g_i", i) - dc.vector("g")).norm(), 1e-11);
      EXPECT_LT((pvr.client_vector("c_i", i) - pvr.vector("c")).norm(), 1e-11);
    }
  }
}

struct Unit {
  std::string method;
  std::function<Settings(double)> settings;  // for f in units of 1/scale
};

const std::vector<Unit> units{
    {"fedadam", [](double) { return Settings{}; }},
    {"fedyogi", [](double) { return Settings{}; }},
    {"fedadagrad", [](double) { return Settings{}; }},
    {"feddc", [](double scale) { return Settings{{"alpha", 2.0 * scale}}; }},
    {"adabest", [](double scale) { return Settings{{"mu", 3.0 * scale}}; }},
    {"fedpvr", [](double) { return Settings{{"corrected", 0.5}}; }},
};

TEST(NetsUnits, OfTheObjectiveDoNotMatter) {
  const Instance plain = random_quadratics(18);
  const Instance large = transformed(plain, 8.0, Matrix::Identity(12, 12));
  for (const auto& [method, settings] : units) {
    Testbed a(plain, method, with(four_steps, settings(1.0)));
    Testbed b(large, method, with(with(four_steps, settings(8.0)), {{"step", 0.04 / 8.0}}));
    for (int r = 1; r <= 10; ++r)
      EXPECT_LE((a.rounds(1) - b.rounds(1)).norm(), 1e-9 * a.x().norm()) << method << ", round " << r;
  }
}

double change_by_rotation(const std::string& method, const Settings& settings) {
  const Matrix Q = random_rotation(19, 12);
  const Instance plain = random_quadratics(19);
  const Instance turned = transformed(plain, 1.0, Q);
  Testbed a(plain, method, with(four_steps, settings));
  Testbed b(turned, method, with(four_steps, settings));
  return (Q * a.rounds(10) - b.rounds(10)).norm() / a.x().norm();
}

TEST(NetsUnits, AxesMatterToAdaptiveServersAndToPartsOnly) {
  for (const std::string& name : adaptive) EXPECT_GT(change_by_rotation(name, {{"server_step", 0.1}}), 1e-3) << name;
  EXPECT_GT(change_by_rotation("fedpvr", {{"corrected", 0.5}}), 1e-3);
  EXPECT_LT(change_by_rotation("fedopt", {{"server_optimizer", "sgd"s}}), 1e-9);
  EXPECT_LT(change_by_rotation("fedpvr", {{"corrected", 1.0}}), 1e-9);
  EXPECT_LT(change_by_rotation("feddc", {{"alpha", 2.0}}), 1e-9);
  EXPECT_LT(change_by_rotation("adabest", {{"mu", 3.0}}), 1e-9);
}
}  // namespace
}  // namespace driftless::test
