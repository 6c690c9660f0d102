// Methods whose vectors are sent in code: DCGD, EF14, DIANA and EF21 as gd, FedAvg and FedLin with codes.
#include "driftless/components/compression/compressed_mean.hpp"
#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "tests/support/testbed.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace driftless::test {
namespace {

using namespace std::string_literals;

Settings code(const std::string& compressor, const std::string& memory, double keep = 0.25) {
  return {{"compressor", compressor}, {"memory", memory}, {"keep", keep}};
}

Settings gd(double step, const Settings& coded) { return with({{"step", step}}, coded); }

// f_1 = ‖x‖²/2, f_2 = 3‖x − (2, 1)‖²/2, start 0; one of two entries is sent. ∇f_2(0) = (−6, −3). γ = 1/4, so that
// x_1 = (3/4, 0) whatever is remembered; there ∇f_1 = (3/4, 0), ∇f_2 = (−15/4, −3).
struct ByHand {
  std::string memory;
  Vector second;
};
class CodedGdByHand : public testing::TestWithParam<ByHand> {};

TEST_P(CodedGdByHand, SendsTheLargerEntry) {
  Instance instance{.start = Vector::Zero(2)};
  instance.clients.push_back(make_client(DenseQuadratic(Matrix::Identity(2, 2), Vector::Zero(2))));
  instance.clients.push_back(make_client(DenseQuadratic(3 * Matrix::Identity(2, 2), Vector{{2.0, 1.0}})));
  Testbed bed(instance, "gd", gd(0.25, code("top-k", GetParam().memory, 0.5)));
  EXPECT_EQ(bed.rounds(1), (Vector{{3.0 / 4, 0.0}}));
  EXPECT_EQ(bed.rounds(1), GetParam().second);
}

INSTANTIATE_TEST_SUITE_P(All, CodedGdByHand,
                         testing::Values(ByHand{"none", Vector{{9.0 / 8, 0.0}}},                  // c_2 = (−15/4, 0)
                                         ByHand{"error-feedback", Vector{{21.0 / 32, 3.0 / 4}}},  // c_2 = (0, −6)
                                         ByHand{"difference", Vector{{45.0 / 32, 3.0 / 8}}}),     // c_2 = (0, −3)
                         [](const auto& c) { return std::to_string(c.index); });

TEST(Codes, OfIdentityLeaveEveryBit) {
  const Instance instance = random_quadratics(6);
  const Settings steps{{"step", 0.02}, {"local_steps", std::int64_t{3}}};
  const std::vector<std::pair<std::string, Settings>> methods{
      {"gd", {{"step", 0.05}}}, {"fedavg", with(steps, {{"cohort", std::int64_t{3}}})}, {"fedlin", steps}};
  for (const auto& [name, settings] : methods)
    for (const std::string memory : {"none", "error-feedback", "difference"}) {
      Testbed plain(instance, name, settings);
      Testbed coded(instance, name, with(settings, code("identity", memory)));
      EXPECT_EQ(plain.rounds(8), coded.rounds(8)) << name << ' ' << memory;
      EXPECT_EQ(plain.federation().ledger().bytes_up, coded.federation().ledger().bytes_up);
    }
}

TEST(Codes, ThatKeepEveryEntryLeaveTheMethod) {
  const Instance instance = random_quadratics(6);
  const Settings steps{{"step", 0.02}, {"local_steps", std::int64_t{3}}};
  const std::vector<std::pair<std::string, Settings>> methods{
      {"gd", {{"step", 0.05}}}, {"fedavg", steps}, {"fedlin", steps}};
  for (const auto& [name, settings] : methods)
    for (const std::string compressor : {"top-k", "rand-k"})
      for (const std::string memory : {"none", "error-feedback", "difference"}) {
        Testbed plain(instance, name, settings);
        Testbed coded(instance, name, with(settings, code(compressor, memory, 1.0)));
        EXPECT_LE((plain.rounds(10) - coded.rounds(10)).norm(), 1e-12 * plain.x().norm()) << name << ' ' << memory;
      }
}

// DIANA: γ = 1/(L(1 + 6ω/n)). EF21: γ = 1/(L(1 + √(2β/θ))).
double theory_step(const Compressor& C, const Instance& instance) {
  const Index d = instance.start.size();
  const double n = static_cast<double>(instance.clients.size());
  const double L = instance.constants.L;
  if (C.unbiased()) return 1 / (L * (1 + 6 * C.omega(d) / n));
  const double theta = 1 - std::sqrt(1 - C.alpha(d));
  const double beta = (1 - C.alpha(d)) / theta;
  return 1 / (L * (1 + std::sqrt(2 * beta / theta)));
}

struct Converging {
  std::string title;
  CompressorOptions options;
};
class Differences : public testing::TestWithParam<Converging> {};

TEST_P(Differences, ConvergeLinearlyWithTheStepOfTheory) {
  const Instance instance = demo_quadratics();
  const auto& options = GetParam().options;
  const double step = theory_step(Compressor(options), instance);
  Testbed bed(instance, "gd", gd(step, code(std::string(enum_name(options.compressor)), "difference", options.keep)));
  const double first = instance.value(instance.start) - instance.minimum;
  const double rounds = std::log(1e10) / (step * instance.constants.mu);  // (1 − γμ)^rounds = 1e-10
  EXPECT_LT(instance.value(bed.rounds(static_cast<std::size_t>(rounds))) - instance.minimum, 1e-10 * first);
}

// Without memory the same code, at the same step, ends where its error does, and the floor stays.
TEST_P(Differences, ReachWhatCodesWithoutMemoryDoNot) {
  const Instance instance = demo_quadratics();
  const auto& options = GetParam().options;
  const double step = theory_step(Compressor(options), instance);
  Testbed bed(instance, "gd", gd(step, code(std::string(enum_name(options.compressor)), "none", options.keep)));
  const double first = instance.value(instance.start) - instance.minimum;
  const auto rounds = static_cast<std::size_t>(std::log(1e10) / (step * instance.constants.mu));
  EXPECT_GT(instance.value(bed.rounds(rounds)) - instance.minimum, 1e-8 * first);
  EXPECT_GT(instance.value(bed.rounds(rounds)) - instance.minimum, 1e-8 * first);
}

INSTANTIATE_TEST_SUITE_P(All, Differences,
                         testing::Values(Converging{"RandK", {.compressor = CompressorName::rand_k, .keep = 0.25}},
                                         Converging{"TopK", {.compressor = CompressorName::top_k, .keep = 0.25}},
                                         Converging{"Natural", {.compressor = CompressorName::natural}},
                                         Converging{"Qsgd", {.compressor = CompressorName::qsgd}}),
                         [](const auto& c) { return c.param.title; });

TEST(Codes, TakeTheBytesOfTheirFormulas) {
  const Instance instance = demo_quadratics();
  const Compressor C({.compressor = CompressorName::top_k, .keep = 0.25});
  const auto ledger = [&](const std::string& method, const Settings& more) {
    Testbed bed(instance, method, with(with({{"step", 0.001}}, code("top-k", "difference")), more));
    bed.rounds(3);
    return bed.federation().ledger();
  };
  EXPECT_EQ(C.bytes(40), 80U + 8U) << "10 values, 10 indices of 6 bits";
  EXPECT_EQ(ledger("gd", {}).bytes_up, 3U * 5 * 88);
  EXPECT_EQ(ledger("gd", {}).vectors_up, 3U * 5);
  EXPECT_EQ(ledger("fedavg", {}).bytes_up, 3U * 5 * 88);
  EXPECT_EQ(ledger("fedavg", {{"cohort", std::int64_t{2}}}).bytes_up, 3U * 2 * 88);
  EXPECT_EQ(ledger("fedlin", {}).bytes_up, 3U * 5 * (88 + 320)) << "gradients in code, then points as they are";
  EXPECT_EQ(ledger("fedlin", {}).bytes_down, 3U * 5 * 2 * 320);
}

TEST(Diana, ServerKnowsTheMeanOfWhatClientsRemember) {
  const Instance instance = random_quadratics(8);
  for (const std::string compressor : {"rand-k", "qsgd", "top-k"}) {
    Testbed bed(instance, "gd", gd(0.02, code(compressor, "difference")));
    bed.rounds(20);
    Vector mean = Vector::Zero(12);
    for (std::size_t i = 0; i < 5; ++i) mean += bed.client_vector("s_i", i) / 5;
    EXPECT_LT((bed.vector("s") - mean).norm(), 1e-12);
  }
}

// E V_k ≤ (1 − min(γμ, α/2))^k V_0, V = ‖x − x*‖² + (4ωγ²/α)(1/n²) Σ‖s_i − ∇f_i(x*)‖², as the mean over 200 runs.
TEST(Diana, PotentialFallsAtTheRateOfItsTheorem) {
  const Instance instance = random_quadratics(9);
  const Compressor C({.compressor = CompressorName::rand_k, .keep = 0.25});
  const double gamma = theory_step(C, instance);
  const double alpha = C.alpha(12);
  const auto potential = [&](Testbed& bed) {
    double memory = 0.0;
    for (std::size_t i = 0; i < 5; ++i)
      memory += (bed.client_vector("s_i", i) - instance.gradient(i, instance.minimizer)).squaredNorm() / 25;
    return (bed.x() - instance.minimizer).squaredNorm() + 4 * C.omega(12) * gamma * gamma / alpha * memory;
  };
  const double rate = 1 - std::min(gamma * instance.constants.mu, alpha / 2);
  std::vector<double> v(6, 0.0);
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Testbed bed(instance, "gd", gd(gamma, code("rand-k", "difference")), {}, 1, seed);
    bed.start();
    for (double& mean : v) {
      mean += potential(bed) / 200;
      bed.rounds(20);
    }
  }
  for (std::size_t k = 1; k < v.size(); ++k) EXPECT_LE(v[k], std::pow(rate, 20) * v[k - 1]) << k;
}

// Ψ_k ≤ (1 − γμ)^k Ψ_0, Ψ = f − f* + (γ/θ)(1/n) Σ‖s_i − ∇f_i(x)‖² with the s_i that were sent at x.
TEST(Ef21, PotentialFallsInEveryRound) {
  const Instance instance = random_quadratics(10);
  const Compressor C({.compressor = CompressorName::top_k, .keep = 0.25});
  const double gamma = theory_step(C, instance);
  const double theta = 1 - std::sqrt(1 - C.alpha(12));
  ASSERT_LE(gamma * instance.constants.mu, theta / 2);
  Testbed bed(instance, "gd", gd(gamma, code("top-k", "difference")));
  double before = std::numeric_limits<double>::infinity();
  for (int r = 0; r < 200; ++r) {
    const Vector x = bed.x();
    bed.rounds(1);  // s_i is now what was sent at x
    double psi = instance.value(x) - instance.minimum;
    for (std::size_t i = 0; i < 5; ++i)
      psi += gamma / theta * (bed.client_vector("s_i", i) - instance.gradient(i, x)).squaredNorm() / 5;
    EXPECT_LE(psi, (1 - gamma * instance.constants.mu) * before * (1 + 1e-9)) << "round " << r;
    before = psi;
  }
}

TEST(DianaAndEf21, ReachTheMinimizerWithTheValuesOfTheCatalogue) {
  const Instance instance = demo_quadratics();
  const double first = instance.value(instance.start) - instance.minimum;
  for (const std::string name : {"diana", "ef21"}) {
    const Settings settings = theory_settings(find_method(name), instance.constants);
    const double step = std::get<double>(settings.at(0).second);
    Testbed bed(instance, name, settings);
    const auto rounds = static_cast<std::size_t>(std::log(1e10) / (step * instance.constants.mu));
    EXPECT_LT(instance.value(bed.rounds(rounds)) - instance.minimum, 1e-10 * first) << name;
  }
}

// The floor of error feedback is of the order of γ², in f; that of no memory does not depend on γ.
TEST(ErrorFeedback, HasAFloorThatFallsWithTheStep) {
  const Instance instance = random_quadratics(11);
  const auto floor = [&](const std::string& memory, double step) {
    Testbed bed(instance, "gd", gd(step, code("top-k", memory)));
    bed.rounds(static_cast<std::size_t>(60 / step));
    return instance.value(bed.x()) - instance.minimum;
  };
  EXPECT_LT(floor("error-feedback", 0.005), 0.1 * floor("error-feedback", 0.02));
  EXPECT_GT(floor("error-feedback", 0.005), 1e-12);
  EXPECT_GT(floor("none", 0.005), 0.5 * floor("none", 0.02));
}

// As they are, unbiased codes of large variance are no contractions: errors would grow without bound.
TEST(ErrorFeedback, ComesNearWithUnbiasedCodesToo) {
  const Instance instance = demo_quadratics();
  const double first = instance.value(instance.start) - instance.minimum;
  for (const std::string compressor : {"rand-k", "natural", "qsgd"}) {
    Testbed bed(instance, "gd", gd(0.005, code(compressor, "error-feedback")));
    EXPECT_LT(instance.value(bed.rounds(6000)) - instance.minimum, 1e-3 * first) << compressor;
  }
}

TEST(CodedFedLin, ReachesTheMinimizerWithDifferences) {
  const Instance instance = demo_quadratics();
  const double first = instance.value(instance.start) - instance.minimum;
  for (const std::string compressor : {"top-k", "natural", "qsgd"}) {
    Testbed bed(instance, "fedlin", with({{"step", 0.0002}}, code(compressor, "difference", 0.5)));
    EXPECT_LT(instance.value(bed.rounds(8000)) - instance.minimum, 1e-10 * first) << compressor;
  }
}

// As in its article: top-k with error feedback comes to a neighbourhood that shrinks with the step.
TEST(CodedFedLin, ComesNearWithErrorFeedback) {
  const Instance instance = random_quadratics(12);
  const double first = instance.value(instance.start) - instance.minimum;
  const auto reached = [&](double step) {
    Testbed bed(instance, "fedlin",
                with({{"step", step}, {"local_steps", std::int64_t{4}}}, code("top-k", "error-feedback", 0.5)));
    return instance.value(bed.rounds(static_cast<std::size_t>(20 / step))) - instance.minimum;
  };
  EXPECT_LT(reached(0.005), 1e-3 * first);
  EXPECT_LT(reached(0.00125), 0.2 * reached(0.005));
}

TEST(CodedFedAvg, HasTheLimitOfFedAvg) {
  const Instance instance = random_quadratics(12);
  const Settings steps{{"step", 0.005}, {"local_steps", std::int64_t{4}}};
  Testbed plain(instance, "fedavg", steps);
  plain.rounds(3000);
  for (const std::string compressor : {"top-k", "rand-k", "natural", "qsgd"}) {
    Testbed coded(instance, "fedavg", with(steps, code(compressor, "difference", 0.5)));
    EXPECT_LT((coded.rounds(3000) - plain.x()).norm(), 1e-10) << compressor;
  }
}

TEST(Codes, GiveTheSameBitsForEveryNumberOfThreads) {
  const Instance instance = demo_quadratics();
  for (const std::string memory : {"none", "error-feedback", "difference"}) {
    const auto reached = [&](std::size_t threads) {
      Testbed bed(instance, "gd", gd(0.002, code("rand-k", memory)), {}, threads);
      return Vector(bed.rounds(7));
    };
    EXPECT_EQ(reached(1), reached(3)) << memory;
  }
}

}  // namespace
}  // namespace driftless::test
