#include "driftless/federation/client_objective.hpp"
#include "driftless/torch/device.hpp"

#include "tests/torch/small_images.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

// What a client is lent in a solve.
struct Lent {
  Workspace scratch;
  BatchSampler batches;
  SolveContext context{scratch, batches};

  explicit Lent(Index dim) : scratch(dim), batches(11, 0) {}
};

Vector direction(Index dim, std::uint64_t seed) {
  Stream chance(seed, Purpose::generator);
  Vector v(dim);
  for (double& entry : v) entry = chance.normal();
  return v / v.norm();
}

class EveryNet : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, EveryNet, ::testing::Values("softmax", "mlp", "cnn", "resnet18"));

TEST_P(EveryNet, GradientIsThatOfFiniteDifferences) {
  NetSpec spec = exact_net(GetParam());
  spec.l2 = 0.1;
  const NetProblem net = small_net(spec);
  const ClientObjective& f = *net.clients[1];
  Vector g(f.dim());
  const double value = f.value_gradient(net.start, g);
  EXPECT_NEAR(value, f.value(net.start), 1e-12 * value);
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Vector v = direction(f.dim(), seed);
    constexpr double h = 1e-6;
    const double slope = (f.value(net.start + h * v) - f.value(net.start - h * v)) / (2.0 * h);
    EXPECT_NEAR(g.dot(v), slope, 1e-6 * g.norm());
  }
}

TEST_P(EveryNet, HessianProductIsThatOfFiniteDifferences) {
  NetSpec spec = exact_net(GetParam());
  spec.l2 = 0.1;
  const NetProblem net = small_net(spec);
  const ClientObjective& f = *net.clients[1];
  const Vector v = direction(f.dim(), 1);
  Vector hv(f.dim()), ahead(f.dim()), behind(f.dim());
  f.hessian_vector(net.start, v, hv);
  constexpr double h = 1e-6;
  f.gradient(net.start + h * v, ahead);
  f.gradient(net.start - h * v, behind);
  EXPECT_LT((hv - (ahead - behind) / (2.0 * h)).norm(), 1e-5 * hv.norm());
}

// A solve on the device is the ordinary loop; the ordinary loop is what a record asks for.
TEST_P(EveryNet, StepsOnTheDeviceAreThoseOfTheSolverToTheBit) {
  NetSpec spec = exact_net(GetParam());
  spec.l2 = 0.1;
  spec.augment = true;
  const NetProblem net = small_net(spec);
  const ClientObjective& f = *net.clients[0];
  const Vector h = 0.01 * direction(f.dim(), 4);
  const Vector c = net.start + 0.1 * direction(f.dim(), 5);
  const Sgd sgd{.eta = 10.0, .batch = 8, .steps = 5};
  Subproblem s{.shift = &h, .center = &c, .lambda = 0.5};

  Vector whole = net.start;
  Lent first(f.dim());
  const SolveReport report = f.minimize(s, whole, sgd, first.context);
  EXPECT_EQ(report.steps, 5U);
  EXPECT_EQ(report.gradients, 5U);

  IterateRecord record{.point = Vector::Zero(f.dim())};
  s.record = &record;
  Vector stepwise = net.start;
  Lent second(f.dim());
  f.minimize(s, stepwise, sgd, second.context);
  EXPECT_EQ(whole, stepwise);
  EXPECT_EQ(first.batches.cursor(), second.batches.cursor());
  EXPECT_NE(whole, net.start);
}

TEST(NetObjective, TheMeanOfTheClientsIsTheMeanOverAllImages) {
  const NetProblem apart = small_net(exact_net("mlp"), 3);
  const NetProblem together = small_net(exact_net("mlp"), 1);
  double mean = 0.0;
  Vector g(apart.start.size()), sum = Vector::Zero(apart.start.size());
  for (const auto& f : apart.clients) {
    mean += f->value_gradient(apart.start, g) / 3.0;
    sum += g / 3.0;
  }
  EXPECT_NEAR(mean, together.clients[0]->value_gradient(apart.start, g), 1e-12);
  EXPECT_LT((sum - g).norm(), 1e-12);
}

TEST(NetObjective, TheMeanOfTheBatchesIsTheGradient) {
  const NetProblem net = small_net(exact_net("cnn"), 1);
  const ClientObjective& f = *net.clients[0];
  Vector g(f.dim());
  f.gradient(net.start, g);
  // Steps of length 1e-6 with each batch once move by −1e-6 times the sum of the batch gradients, all but exactly.
  Vector y = net.start;
  Lent lent(f.dim());
  f.minimize({}, y, Sgd{.eta = 1e6, .batch = 12, .steps = 5}, lent.context);
  EXPECT_LT(((net.start - y) * 1e6 / 5.0 - g).norm(), 1e-4 * g.norm());
}

TEST(NetObjective, AugmentationChangesMinibatchesAndNothingElse) {
  NetSpec spec = exact_net("cnn");
  const NetProblem plain = small_net(spec);
  spec.augment = true;
  const NetProblem augmented = small_net(spec);
  EXPECT_EQ(plain.clients[0]->value(plain.start), augmented.clients[0]->value(plain.start));
  const auto stepped = [&](const NetProblem& net) {
    Vector y = net.start;
    Lent lent(y.size());
    net.clients[0]->minimize({}, y, Sgd{.eta = 10.0, .batch = 8, .steps = 2}, lent.context);
    return y;
  };
  EXPECT_NE(stepped(plain), stepped(augmented));
  EXPECT_EQ(stepped(augmented), stepped(augmented));
}

TEST(NetObjective, FullGradientSolversWorkOnIt) {
  const NetProblem net = small_net(exact_net("softmax"));
  const ClientObjective& f = *net.clients[0];
  Vector y = net.start;
  Lent lent(f.dim());
  f.minimize({}, y, GradientDescent{.step = 0.01, .stop = {.max_steps = 20}}, lent.context);
  EXPECT_LT(f.value(y), f.value(net.start));
}

TEST(NetTest, ScoresAreThoseOfTheModelAtThePoint) {
  NetSpec spec = exact_net("softmax");
  const NetProblem net = small_net(spec);
  const TestScore at_zero = net.test->score(Vector::Zero(net.start.size()), Vector());
  EXPECT_NEAR(at_zero.loss, std::log(4.0), 1e-12);
  Vector y = net.start;
  Lent lent(y.size());
  net.clients[0]->minimize({}, y, Sgd{.eta = 200.0, .batch = 8, .steps = 300}, lent.context);
  EXPECT_GT(net.test->score(y, Vector()).accuracy, 0.9);
}

TEST(NetStatistics, AreFoundAtThePointOrKeptFromTraining) {
  NetSpec spec = exact_net("resnet18");
  const NetProblem found = small_net(spec);
  spec.statistics = NormStatistics::average;
  const NetProblem kept = small_net(spec);
  const auto of = [](const NetProblem& net, const Vector& x) {
    Vector s(net.clients[0]->statistics_size());
    net.clients[0]->statistics(x, s);
    return s;
  };
  ASSERT_GT(found.clients[0]->statistics_size(), 0);
  EXPECT_EQ(of(found, found.start), of(kept, found.start));  // nobody has trained yet
  Vector y = found.start;
  Lent lent(y.size());
  kept.clients[0]->minimize({}, y, Sgd{.eta = 20.0, .batch = 8, .steps = 5}, lent.context);
  EXPECT_NE(of(kept, found.start), of(found, found.start));
  EXPECT_EQ(of(kept, found.start), of(kept, y));  // they are the training's, wherever they are asked for
  EXPECT_NE(of(found, found.start), of(found, y));
}

TEST(NetStatistics, OfTrainingAreRememberedAndForgotten) {
  NetSpec spec = exact_net("resnet18");
  spec.statistics = NormStatistics::average;
  const NetProblem trained = small_net(spec);
  const NetProblem fresh = small_net(spec);
  EXPECT_EQ(trained.clients[0]->memory().size(), 0);
  Vector y = trained.start;
  Lent lent(y.size());
  trained.clients[0]->minimize({}, y, Sgd{.eta = 20.0, .batch = 8, .steps = 5}, lent.context);
  const Vector memory = trained.clients[0]->memory();
  ASSERT_EQ(memory.size(), trained.clients[0]->statistics_size());
  fresh.clients[0]->remember(memory);
  EXPECT_EQ(fresh.clients[0]->memory(), memory);
  Vector s(memory.size());
  fresh.clients[0]->statistics(fresh.start, s);
  EXPECT_EQ(s, memory);
  fresh.clients[0]->remember(Vector());
  EXPECT_EQ(fresh.clients[0]->memory().size(), 0);
}

TEST(NetProblem, ACloneGivesTheSame) {
  const NetProblem net = small_net(exact_net("mlp"));
  EXPECT_EQ(net.clients[1]->clone()->value(net.start), net.clients[1]->value(net.start));
}

TEST(NetProblem, MoreImagesThanThereAreAreRejected) {
  NetSpec spec = exact_net("mlp");
  spec.images = 61;
  EXPECT_THROW(small_net(spec), ConfigError);
}

#ifdef DRIFTLESS_CUDA
class OnCuda : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!cuda_present()) GTEST_SKIP() << "no CUDA device here";
  }
  static NetSpec on_cuda(Precision precision) {
    NetSpec spec = exact_net(GetParam());
    spec.device = DeviceChoice::cuda;
    spec.precision = precision;
    return spec;
  }
};
INSTANTIATE_TEST_SUITE_P(Models, OnCuda, ::testing::Values("softmax", "mlp", "cnn", "resnet18"));

// Enough passes that recordings are replayed.
TEST_P(OnCuda, GradientsAreThoseOfTheProcessorPlainAndReplayed) {
  const NetProblem here = small_net(exact_net(GetParam()));
  const NetProblem there = small_net(on_cuda(Precision::float64));
  Vector expected(here.start.size()), seen(here.start.size());
  here.clients[0]->gradient(here.start, expected);
  for (int pass = 0; pass < 6; ++pass) {
    there.clients[0]->gradient(here.start, seen);
    EXPECT_LT((seen - expected).norm(), 1e-9 * expected.norm()) << "pass " << pass;
  }
}

TEST_P(OnCuda, StepsAreThoseOfTheProcessor) {
  NetSpec spec = on_cuda(Precision::float64);
  spec.augment = true;
  const NetProblem there = small_net(spec);
  spec.device = DeviceChoice::cpu;
  const NetProblem here = small_net(spec);
  const Vector h = 0.01 * direction(here.start.size(), 4);
  const auto stepped = [&](const NetProblem& net) {
    Vector y = net.start;
    Lent lent(y.size());
    net.clients[0]->minimize({.shift = &h, .center = &net.start, .lambda = 0.5}, y,
                             Sgd{.eta = 20.0, .batch = 8, .steps = 12}, lent.context);
    return y;
  };
  const Vector expected = stepped(here);
  EXPECT_LT((stepped(there) - expected).norm(), 1e-7 * (expected - here.start).norm());
}

TEST_P(OnCuda, ShortNumbersAreNearTheExactOnes) {
  const NetProblem here = small_net(exact_net(GetParam()));
  Vector expected(here.start.size()), seen(here.start.size());
  here.clients[0]->gradient(here.start, expected);
  for (const auto& [precision, cosine] :
       {std::pair(Precision::float32, 0.99999), std::pair(Precision::tf32, 0.995), std::pair(Precision::bf16, 0.9)}) {
    small_net(on_cuda(precision)).clients[0]->gradient(here.start, seen);
    EXPECT_GT(seen.dot(expected), cosine * seen.norm() * expected.norm()) << enum_name(precision);
    EXPECT_NEAR(seen.norm(), expected.norm(), 0.2 * expected.norm()) << enum_name(precision);
  }
}
#else
TEST(NetProblem, WhatNeedsCudaIsRejectedWithoutIt) {
  NetSpec spec = exact_net("mlp");
  spec.precision = Precision::bf16;
  EXPECT_THROW(small_net(spec), ConfigError);
  spec = exact_net("mlp");
  spec.device = DeviceChoice::cuda;
  EXPECT_THROW(small_net(spec), ConfigError);
}
#endif

}  // namespace
}  // namespace driftless
