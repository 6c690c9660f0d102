// Choices that the paper leaves open: λ = p η, any distribution or sequence of clients for Rand, schedules of errors.
#include "driftless/solvers/local_solver_options.hpp"

#include "tests/support/testbed.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

const Settings p_eta{{"lambda", "p*eta"s}, {"eta", 12.0}, {"p", 0.25}};

TEST(LambdaIsPEta, IsTheNumber) {
  const Instance instance = random_quadratics(71);
  for (const char* method : {"fedred", "fedred-gd", "fedred-gd-drift"}) {
    Testbed product(instance, method, p_eta);
    Testbed given(instance, method, {{"lambda", 3.0}, {"eta", 12.0}, {"p", 0.25}});
    EXPECT_TRUE(product.rounds(5) == given.rounds(5)) << method;
    const MethodEntry::Echo lines = find_method(method).echo(p_eta);
    EXPECT_THAT(lines, testing::Contains(std::pair("lambda"s, "3"s))) << "config.toml has the number";
  }
}

TEST(LambdaIsPEta, FollowsAnEtaFromTheory) {
  const MethodEntry& entry = find_method("fedred-gd");
  const Settings settings{{"lambda", "p*eta"s}, {"eta", "theory"s}, {"p", 0.25}};
  entry.check(settings);
  EXPECT_THAT(entry.echo(settings), testing::Contains(std::pair("lambda"s, "\"p*eta\""s))) << "before it is known";
  const Constants c = demo_quadratics().constants;
  const Settings resolved = resolve_theory_values(entry, settings, c).settings;
  EXPECT_THAT(entry.echo(resolved), testing::Contains(std::pair("lambda"s, number(c.L / 4))));
}

TEST(LambdaIsPEta, IsOfferedByDescribeAndNoOtherTextIs) {
  const std::vector<OptionInfo>& options = find_method("fedred").options;
  EXPECT_THAT(std::ranges::find(options, "lambda", &OptionInfo::name)->allowed, HasSubstr("or \"p*eta\""));
  EXPECT_THROW(find_method("fedred").make({{"lambda", "p+eta"s}, {"eta", 12.0}, {"p", 0.25}}), ConfigError);
  EXPECT_THROW(find_method("dane").make({{"lambda", "p*eta"s}}), ConfigError);
}

TEST(LambdaIsPEta, NeedsBothFactorsAndNoPFromTheory) {
  const MethodEntry& entry = find_method("fedred-gd");
  const auto message = [&](const Settings& settings) -> std::string {
    try {
      entry.check(settings);
    } catch (const ConfigError& error) { return error.info().what + "; " + error.info().seen; }
    return "";
  };
  EXPECT_THAT(message({{"lambda", "p*eta"s}, {"eta", 12.0}}), HasSubstr("p is missing"));
  EXPECT_THAT(message({{"lambda", "p*eta"s}, {"eta", 12.0}, {"p", "theory"s}}),
              HasSubstr("whose value from theory follows from 'lambda'"));
}

TEST(ClientOfRand, IsThatOfTheSequence) {
  const Instance instance = random_quadratics(72);
  const Settings random{{"lambda", 6.0}, {"averaging", "random"s}};
  Testbed sequence(instance, "dane+", with(random, {{"client_sequence", std::vector<double>{2, 0, 4}}}));
  Testbed scripted(instance, "dane+", random,
                   std::make_unique<ScriptedChance>(std::deque<bool>{}, std::deque<ClientId>{2, 0, 4, 2, 0}));
  EXPECT_TRUE(sequence.rounds(5) == scripted.rounds(5));
  EXPECT_EQ(sequence.federation().tally(1).gradients + sequence.federation().tally(3).gradients,
            2 * sequence.federation().ledger().rounds)
      << "clients that are never chosen form the gradient for the corrections and no more";
}

TEST(ClientOfRand, IsDrawnWithItsWeight) {
  SeededChance chance(5);
  const std::vector<double> weights{1, 0, 3, 4};
  std::vector<int> hits(4, 0);
  for (std::uint64_t r = 1; r <= 4000; ++r) {
    chance.enter_round(r);
    ++hits[chance.client_by(weights)];
  }
  EXPECT_EQ(hits[1], 0);
  EXPECT_NEAR(hits[0], 500, 90) << "more than four standard deviations";
  EXPECT_NEAR(hits[2], 1500, 130);
  EXPECT_NEAR(hits[3], 2000, 130);
}

TEST(ClientOfRand, TakesTheOnlyClientWithAWeight) {
  const Instance instance = random_quadratics(73);
  const Settings random{{"lambda", 6.0}, {"averaging", "random"s}};
  Testbed weighted(instance, "dane+", with(random, {{"client_weights", std::vector<double>{0, 0, 0, 2, 0}}}));
  Testbed sequence(instance, "dane+", with(random, {{"client_sequence", std::vector<double>{3}}}));
  EXPECT_TRUE(weighted.rounds(4) == sequence.rounds(4));
}

TEST(ClientOfRand, RejectsWhatDoesNotFit) {
  const Settings random{{"lambda", 6.0}, {"averaging", "random"s}};
  const auto made = [&](const Settings& more) { return find_method("dane+").make(with(random, more)); };
  using List = std::vector<double>;
  EXPECT_THROW(made({{"averaging", "mean"s}, {"client_weights", List{1, 2}}}), ConfigError);
  EXPECT_THROW(made({{"client_weights", List{1, 2}}, {"client_sequence", List{0}}}), ConfigError);
  EXPECT_THROW(made({{"client_weights", List{0, 0}}}), ConfigError);
  EXPECT_THROW(made({{"client_weights", List{1, -1}}}), ConfigError);
  EXPECT_THROW(made({{"client_sequence", List{0.5}}}), ConfigError);
  EXPECT_THROW(made({{"client_sequence", List{-1}}}), ConfigError);
  EXPECT_THROW(made({{"client_weights", List{1, 2}}})->round_traffic(5), ConfigError) << "five clients";
  EXPECT_THROW(made({{"client_sequence", List{0, 5}}})->round_traffic(5), ConfigError) << "0 … 4";
  EXPECT_NO_THROW(made({{"client_sequence", List{0, 4}}})->round_traffic(5));
}

TEST(AbsoluteRule, HasASchedule) {
  LocalSolverOptions options{
      .solver = SolverName::gd, .eta = 10.0, .stop_rule = StopRuleName::absolute, .tolerance = 0.5, .decay = 2.0};
  EXPECT_EQ(absolute_error(options, 0), 0.5);
  EXPECT_EQ(absolute_error(options, 3), 0.5 / 16);
  EXPECT_EQ(std::get<GradientDescent>(options.at_round(3, 1.0)).stop.tolerance, 0.5 / 16);
  options.decay = 0.0;
  EXPECT_EQ(std::get<GradientDescent>(options.at_round(3, 1.0)).stop.tolerance, 0.5);
  options.decay = 1.0;
  options.stop_rule = StopRuleName::relative;
  EXPECT_THROW(options.check(), ConfigError);
}

}  // namespace
}  // namespace driftless::test
