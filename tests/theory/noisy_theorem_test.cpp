// FedRed-SGD: the noise of batches is measured, and the theorems with it are checked.
#include "tests/theory/check_theorems.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

// f_i(x) = (1/m) Σ_j (a/2)‖x‖² − ⟨e_j, x⟩ with Σ e_j = 0: the noise of a batch is the same at every x.
class Scattered {
 public:
  Scattered(double curvature, Matrix shifts) : curvature_(curvature), shifts_(std::move(shifts)) {}

  Index dim() const { return shifts_.rows(); }
  std::size_t samples() const { return static_cast<std::size_t>(shifts_.cols()); }
  double value_gradient(VecIn x, VecOut g) const {
    g = curvature_ * x;
    return curvature_ / 2.0 * x.squaredNorm();
  }
  void gradient(VecIn x, Batch batch, VecOut g) const {
    g = curvature_ * x;
    for (const std::int32_t j : batch) g -= shifts_.col(j) / static_cast<double>(batch.size());
  }

 private:
  double curvature_;
  Matrix shifts_;
};

Matrix shifts_of(std::size_t samples, double size) {
  Matrix shifts(3, static_cast<Index>(samples));
  Stream stream(samples, Purpose::generator);
  for (double& entry : shifts.reshaped()) entry = size * stream.normal();
  return shifts.colwise() - shifts.rowwise().mean();
}

// Two clients of curvature 0.9 and 1.1; x* = 0.
Instance scattered(double noise) {
  Instance instance{.start = Vector::Constant(3, 1.0), .minimizer = Vector::Zero(3), .minimum = 0.0};
  for (const double curvature : {0.9, 1.1}) {
    instance.hessians.push_back(Matrix::Identity(3, 3) * curvature);
    instance.clients.push_back(make_client(Scattered(curvature, shifts_of(curvature < 1.0 ? 4 : 6, noise))));
  }
  instance.constants = constants_of_hessians(instance.hessians);
  InProcessTransport transport(2);
  ThreadPool pool(1);
  Federation fed(instance.clients, transport, pool, 1);
  instance.constants.noise = sample_noise(fed, instance.start);
  return instance;
}

// Settings of theory for an accuracy ε, with the η of theory multiplied by `factor`.
MethodConfig steps_for(const Instance& instance, double epsilon, double factor = 1.0, const Settings& more = {}) {
  const Settings given = with({{"epsilon", epsilon}, {"batch", std::int64_t{2}}, {"draw", "independent"s}}, more);
  const MethodEntry& entry = find_method("fedred-sgd");
  const Settings theory = theory_settings(entry, instance.constants, given);
  const double eta = factor * std::get<double>(std::ranges::find(theory, "eta", &Settings::value_type::first)->second);
  return method_of("fedred-sgd", theory_settings(entry, instance.constants, with(given, {{"eta", eta}})),
                   OutputPoint::weighted);
}

TEST(SampleNoise, IsThatOfAllBatches) {
  const Matrix shifts = shifts_of(4, 2.0);
  double sum = 0.0;
  for (Index j = 0; j < 4; ++j)
    for (Index k = 0; k < j; ++k) sum += ((shifts.col(j) + shifts.col(k)) / 2.0).squaredNorm();
  const Instance instance = scattered(2.0);
  const SampleNoise& noise = instance.constants.noise;
  EXPECT_EQ(noise.samples, (std::vector<double>{4, 6}));
  EXPECT_NEAR(SampleNoise::of_batches(noise.variance[0], 4, 2), sum / 6.0, 1e-12);
  EXPECT_EQ(noise.of_batches(6), 0.0) << "all samples of both clients";
  const Instance single = toy();
  Testbed bed(single, "gd", {{"step", 0.1}});
  EXPECT_EQ(sample_noise(bed.federation(), scalar(0)).of_batches(1), 0.0) << "clients of one sample";
}

TEST(SampleNoise, OfIndependentBatchesHasTheMeanAndVarianceThatItSays) {
  BatchSampler sampler(7, 0);
  const Matrix shifts = shifts_of(6, 1.0);
  Vector mean = Vector::Zero(3);
  double variance = 0.0;
  constexpr int draws = 20000;
  for (int k = 0; k < draws; ++k) {
    Vector g = Vector::Zero(3);
    for (const std::int32_t j : sampler.next(6, 2, BatchDraw::independent)) g += shifts.col(j) / 2.0;
    mean += g / draws;
    variance += g.squaredNorm() / draws;
  }
  const double expected = SampleNoise::of_batches(shifts.squaredNorm() / 6.0, 6, 2);
  EXPECT_LT(mean.norm(), 5.0 * std::sqrt(expected / draws));
  EXPECT_NEAR(variance, expected, 0.03 * expected);
}

TEST(SampleNoise, BatchesAreDrawnAgainFromTheCursorAlone) {
  BatchSampler first(3, 1);
  for (int k = 0; k < 5; ++k) first.next(50, 7, BatchDraw::independent);
  BatchSampler restored(3, 1);
  restored.restore(first.cursor());
  const Batch a = first.next(50, 7, BatchDraw::independent);
  const Batch b = restored.next(50, 7, BatchDraw::independent);
  EXPECT_EQ(std::vector(a.begin(), a.end()), std::vector(b.begin(), b.end()));
  std::vector<std::int32_t> different(a.begin(), a.end());
  std::ranges::sort(different);
  EXPECT_EQ(std::ranges::adjacent_find(different), different.end());
}

TEST(NoisySteps, TheoremsHoldWithTheEtaOfTheAccuracy) {
  const Instance instance = scattered(1.0);
  const TheoremCheckReport report =
      check_over_seeds(ground_of(instance), steps_for(instance, 0.2), SeedMean::seeds_needed, {.rounds = 4});
  ASSERT_EQ(report.theorems.size(), 2U);
  EXPECT_EQ(report.theorems[0].theorem.name, "FedRed-SGD, convex");
  EXPECT_EQ(report.theorems[1].theorem.name, "FedRed-SGD, convex, accuracy ε");
  for (const TheoremReport& t : report.theorems) {
    EXPECT_EQ(t.verdict, Verdict::holds) << t.theorem.name << ": " << t.worst_ratio() << " "
                                         << (t.failed() != nullptr ? t.failed()->statement : t.reason);
    EXPECT_GT(t.worst_ratio(), 1e-4) << "the bound is not empty";
  }
}

// The plain average, for which the expectation is not that of a few runs.
TEST(NoisySteps, TheoremsHoldWithoutMuAfterManyRounds) {
  const Instance instance = scattered(1.0);
  const TheoremCheckReport report = check_over_seeds(ground_of(instance), steps_for(instance, 0.2, 1.0, {{"mu", 0.0}}),
                                                     SeedMean::seeds_needed, {.rounds = 60});
  for (const TheoremReport& t : report.theorems) {
    EXPECT_EQ(t.verdict, Verdict::holds) << t.theorem.name << ": " << t.worst_ratio() << " "
                                         << (t.failed() != nullptr ? t.failed()->statement : t.reason);
    EXPECT_GT(t.worst_ratio(), 1e-4) << "the bound is not empty";
  }
}

TEST(NoisySteps, SmallerEtaMissesTheAccuracy) {
  const Instance instance = scattered(3.0);
  const double epsilon = 0.05;
  const double eta = instance.constants.L + instance.constants.noise.of_batches(2) / epsilon;
  const MethodConfig hasty = steps_for(instance, epsilon, 1.05 * instance.constants.L / eta);
  const TheoremCheckReport respected = check_theorems(ground_of(instance), hasty, {.rounds = 4});
  ASSERT_NE(respected.theorems[1].failed(), nullptr);
  EXPECT_EQ(respected.theorems[1].failed()->statement, "η ≥ L + σ²/ε");
  EXPECT_EQ(respected.theorems[1].verdict, Verdict::not_applicable);
  const TheoremCheckReport ignored = check_over_seeds(ground_of(instance), hasty, SeedMean::seeds_needed,
                                                      {.rounds = 3, .assumptions = Assumptions::ignored});
  EXPECT_EQ(ignored.theorems[1].verdict, Verdict::violated) << ignored.theorems[1].worst_ratio();
  EXPECT_EQ(ignored.theorems[0].verdict, Verdict::holds) << "which is for every η > L";
}

TEST(NoisySteps, EtaBelowLHasNoBound) {
  const Instance instance = scattered(1.0);
  const double eta = instance.constants.L + instance.constants.noise.of_batches(2) / 0.2;
  const MethodConfig wrong = steps_for(instance, 0.2, 0.8 * instance.constants.L / eta);
  const TheoremCheckReport report =
      check_theorems(ground_of(instance), wrong, {.rounds = 4, .assumptions = Assumptions::ignored});
  EXPECT_EQ(report.verdict(), Verdict::not_applicable);
}

TEST(NoisySteps, CannotBeDecidedWhereTheNoiseExceedsTheSigmaGiven) {
  const Instance instance = scattered(1.0);
  const double sigma = 0.1 * std::sqrt(instance.constants.noise.of_batches(2));
  const TheoremCheckReport report = check_over_seeds(
      ground_of(instance), steps_for(instance, 0.2, 1.0, {{"sigma", sigma}}), SeedMean::seeds_needed, {.rounds = 5});
  for (const TheoremReport& t : report.theorems) {
    EXPECT_NE(t.verdict, Verdict::holds) << t.theorem.name;
    ASSERT_NE(t.failed(), nullptr);
    EXPECT_THAT(t.failed()->statement, testing::HasSubstr("at the clients' points, in round 1"));
  }
}

TEST(NoisySteps, AreNotCoveredWhereBatchesOfAnEpochDependOnEachOther) {
  const Instance instance = scattered(1.0);
  const TheoremCheckReport report =
      check_theorems(ground_of(instance), steps_for(instance, 0.2, 1.0, {{"draw", "epochs"s}}), {.rounds = 3});
  EXPECT_EQ(report.verdict(), Verdict::not_applicable);
  EXPECT_EQ(report.theorems[0].failed()->statement, "batches are independent of each other");
}

TEST(NoisySteps, TheTheoremForAnyFHolds) {
  const Instance instance = scattered(1.0);
  const Constants& c = instance.constants;
  const Settings settings{{"lambda", c.delta_B},    {"eta", 40.0 * c.L},      {"p", c.delta_B / c.L},
                          {"averaging", "random"s}, {"draw", "independent"s}, {"batch", std::int64_t{2}}};
  const TheoremCheckReport report =
      check_over_seeds(ground_of(instance), method_of("fedred-sgd", settings, OutputPoint::uniform),
                       SeedMean::seeds_needed, {.rounds = 10});
  EXPECT_EQ(report.theorems[0].theorem.name, "FedRed-SGD, any f");
  EXPECT_EQ(report.verdict(), Verdict::holds) << report.theorems[0].worst_ratio();
}

}  // namespace
}  // namespace driftless::test
