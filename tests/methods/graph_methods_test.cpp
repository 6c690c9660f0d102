// Methods without a server: steps worked out by hand, the star as the complete graph, conserved means, consensus, rates
// and traffic.
#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "tests/support/temp_folder.hpp"
#include "tests/support/testbed.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

const Settings complete{{"graph", "complete"s}};
const Settings from_mean{{"graph", "complete"s}, {"tracker_start", "mean"s}};

Settings steps(std::int64_t K) { return {{"mixing_steps", K}}; }

Vector mean_of(Testbed& bed, const std::string& name, std::size_t n) {
  Vector mean = Vector::Zero(bed.x().size());
  for (std::size_t i = 0; i < n; ++i) mean += bed.client_vector(name, i) / static_cast<double>(n);
  return mean;
}

// √Σ‖v_i − v̄‖²
double spread(Testbed& bed, const std::string& name, std::size_t n) {
  const Vector mean = mean_of(bed, name, n);
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) sum += (bed.client_vector(name, i) - mean).squaredNorm();
  return std::sqrt(sum);
}

int rounds_of(const Instance& instance, const std::string& method, const Settings& settings, int most = 3000) {
  Testbed bed(instance, method, settings);
  const double enough = 1e-10 * (instance.value(instance.start) - instance.minimum);
  for (int r = 1; r < most; ++r)
    if (instance.value(bed.rounds(1)) - instance.minimum <= enough) return r;
  return most;
}

// Two clients are one edge with weights ½, so a mixing is the mean; the first trackers are ∇f_1(0) = 0 and ∇f_2(0) =
// −6.
TEST(SonataGraphToy, FirstRoundsByHand) {
  const Instance instance = toy();
  Testbed bed(instance, "sonata-graph", {{"lambda", 1.0}});
  EXPECT_NEAR(bed.rounds(1)[0], 3.0 / 4, 1e-15);  // x̂ = (0, 3/2)
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_NEAR(bed.client_vector("x_i", i)[0], 3.0 / 4, 1e-15);
    EXPECT_NEAR(bed.client_vector("y_i", i)[0], -3.0 / 2, 1e-15);
  }
  EXPECT_NEAR(bed.rounds(1)[0], 21.0 / 16, 1e-15);  // x̂ = (3/2, 9/8)
  Testbed half(instance, "sonata-graph", {{"lambda", 1.0}, {"step", 0.5}});
  EXPECT_NEAR(half.rounds(1)[0], 3.0 / 8, 1e-15);
  Testbed star(instance, "sonata-graph", with(from_mean, {{"lambda", 1.0}}));
  EXPECT_NEAR(star.rounds(1)[0], 9.0 / 8, 1e-15);
  EXPECT_NEAR(star.rounds(1)[0], 45.0 / 32, 1e-15);
}

// β = 4, μ = 1: κ = 3, α = ½. v = (0, 3/5), z = 3/10, ∇F_i(z) = (6/5, −21/5), centre 2/5, correction −6/5.
TEST(AccSonataGraphToy, FirstRoundByHand) {
  const Instance instance = toy();
  const Settings once{{"lambda", 4.0}, {"mu", 1.0}, {"inner_rounds", std::int64_t{1}}};
  Testbed bed(instance, "acc-sonata-graph", once);
  EXPECT_NEAR(bed.rounds(1)[0], 3.0 / 10, 1e-15);
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_NEAR(bed.client_vector("x_i", i)[0], 2.0 / 5, 1e-15);
    EXPECT_NEAR(bed.client_vector("y_i", i)[0], -27.0 / 10, 1e-15);
  }
  EXPECT_NEAR(bed.client_vector("g_i", 0)[0], 0.0, 1e-15);
  EXPECT_NEAR(bed.client_vector("g_i", 1)[0], -27.0 / 5, 1e-15);
  Testbed star(instance, "acc-sonata-graph", with(from_mean, once));
  EXPECT_NEAR(star.rounds(1)[0], 27.0 / 80, 1e-15);
  EXPECT_NEAR(star.rounds(1)[0], 4077.0 / 6400, 1e-15);
}

// A path 0 − 1 − 2 has weights 2/3, 1/3 at its ends and 1/3 in the middle. What is compared is a round from the
// trackers y_i = ∇f_i(x⁰), so x̂_i minimises f_i + (λ/2)‖· − x⁰‖².
TEST(SonataGraphToy, ARoundOnAPathMixesWithItsWeights) {
  const TempFolder folder;
  const std::string edges = folder.write("path.txt", "0 1\n1 2\n").string();
  const Instance instance = random_quadratics(3, 3, 4);
  Testbed bed(instance, "sonata-graph", {{"lambda", 2.0}, {"graph", "file"s}, {"graph_file", edges}});
  bed.rounds(1);
  const auto mixed = [](const std::vector<Vector>& v) {
    return std::vector<Vector>{(2.0 * v[0] + v[1]) / 3.0, (v[0] + v[1] + v[2]) / 3.0, (v[1] + 2.0 * v[2]) / 3.0};
  };
  std::vector<Vector> x;
  for (std::size_t i = 0; i < 3; ++i) {
    const Matrix H = instance.hessians[i] + 2.0 * Matrix::Identity(4, 4);
    x.emplace_back(instance.start - H.llt().solve(instance.gradient(i, instance.start)));
  }
  x = mixed(x);
  std::vector<Vector> y;
  for (std::size_t i = 0; i < 3; ++i) y.push_back(instance.gradient(i, x[i]));
  y = mixed(y);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_LT((bed.client_vector("x_i", i) - x[i]).norm(), 1e-12);
    EXPECT_LT((bed.client_vector("y_i", i) - y[i]).norm(), 1e-12);
  }
  EXPECT_LT((bed.x() - (x[0] + x[1] + x[2]) / 3.0).norm(), 1e-12)
      << "the mean, which nobody knows, is what is reported";
}

struct StarPair {
  std::string name;
  std::string over_graph;
  Settings graph_settings;
  std::string star;
  Settings star_settings;
};

class CompleteGraph : public testing::TestWithParam<StarPair> {};

TEST_P(CompleteGraph, WithTheMeanGradientAtTheStartIsTheStar) {
  const auto& [name, over_graph, graph_settings, star_name, star_settings] = GetParam();
  for (const std::uint64_t seed : {41U, 42U, 43U}) {
    const Instance instance = random_quadratics(seed);
    Testbed graph(instance, over_graph, with(graph_settings, complete));
    Testbed star(instance, star_name, star_settings);
    for (int r = 0; r < 12; ++r)
      EXPECT_LT((graph.rounds(1) - star.rounds(1)).norm(), 1e-11) << "seed " << seed << ", round " << r;
  }
}

INSTANTIATE_TEST_SUITE_P(
    GraphMethods, CompleteGraph,
    testing::Values(
        StarPair{"Sonata", "sonata-graph", {{"lambda", 2.0}, {"tracker_start", "mean"s}}, "sonata", {{"tau", 2.0}}},
        StarPair{"SonataMixedStart",
                 "sonata-graph",
                 {{"lambda", 2.0}, {"tracker_start", "mixed"s}},
                 "sonata",
                 {{"tau", 2.0}}},
        StarPair{"SonataPartOfTheWayWithSeveralSteps",
                 "sonata-graph",
                 {{"lambda", 2.0}, {"step", 0.6}, {"tracker_start", "mean"s}, {"mixing_steps", std::int64_t{3}}},
                 "sonata",
                 {{"tau", 2.0}, {"step", 0.6}}},
        StarPair{"SonataGradientSteps",
                 "sonata-graph",
                 {{"lambda", 2.0}, {"tracker_start", "mean"s}, {"solver", "gd"s}, {"eta", 10.0}},
                 "sonata",
                 {{"tau", 2.0}, {"solver", "gd"s}, {"eta", 10.0}}},
        StarPair{"NetworkDane", "network-dane", {{"lambda", 2.0}}, "dane", {{"lambda", 2.0}}},
        StarPair{"AccSonata",
                 "acc-sonata-graph",
                 {{"lambda", 3.0}, {"mu", 1.0}, {"step", 0.8}, {"tracker_start", "mean"s}},
                 "acc-sonata",
                 {{"lambda", 3.0}, {"mu", 1.0}, {"step", 0.8}}}),
    [](const auto& pair) { return pair.param.name; });

// y_i = ∇f_i(x⁰) differs from ∇f(x⁰) in the first step alone: after it the trackers are ∇f at the common point.
TEST(SonataGraphReduction, WithLocalTrackersOnlyTheFirstStepDiffersFromTheStar) {
  const Instance instance = random_quadratics(44);
  Testbed graph(instance, "sonata-graph", with(complete, {{"lambda", 2.0}}));
  Testbed other(instance, "sonata", {{"tau", 2.0}});
  graph.rounds(1);
  EXPECT_GT((graph.x() - other.rounds(1)).norm(), 1e-3);
  Testbed star(instance, "sonata", {{"tau", 2.0}});
  star.from(graph.x());
  for (int r = 0; r < 12; ++r) EXPECT_LT((graph.rounds(1) - star.rounds(1)).norm(), 1e-11) << r;
}

TEST(SonataGraphReduction, AcceleratedWithBetaMuIsSeveralRounds) {
  const Instance instance = random_quadratics(45, 6);
  Testbed fast(instance, "acc-sonata-graph",
               {{"lambda", 1.0}, {"mu", 1.0}, {"inner_rounds", std::int64_t{2}}, {"mixing_steps", std::int64_t{2}}});
  Testbed plain(instance, "sonata-graph", with(steps(2), {{"lambda", 1.0}}));
  for (int r = 0; r < 8; ++r) EXPECT_LT((fast.rounds(1) - plain.rounds(2)).norm(), 1e-12 * (1.0 + plain.x().norm()));
}

// As its paper writes it: s_i⁰ = ∇f_i(y_i⁰), y_i⁰ = x_i⁰; then y_i = Mix(x_i), s_i = Mix(s_i + ∇f_i(y_i) −
// ∇f_i(before)), x_i = argmin f_i(z) − ⟨∇f_i(y_i) − s_i, z⟩ + (λ/2)‖z − y_i‖². A round here ends with the next y_i and
// s_i.
TEST(NetworkDaneReduction, FollowsItsOwnOrderOfSteps) {
  constexpr std::size_t n = 6;
  const Instance instance = random_quadratics(46, n);
  Testbed bed(instance, "network-dane", {{"lambda", 3.0}});
  const auto mix = [](const std::vector<Vector>& v) {
    std::vector<Vector> w;
    for (std::size_t i = 0; i < n; ++i) w.emplace_back((v[(i + n - 1) % n] + v[i] + v[(i + 1) % n]) / 3.0);
    return w;
  };
  std::vector<Vector> x(n, instance.start);
  std::vector<Vector> y = x;
  std::vector<Vector> s;
  for (std::size_t i = 0; i < n; ++i) s.push_back(instance.gradient(i, y[i]));
  bed.start();
  for (int t = 0; t < 10; ++t) {
    const std::vector<Vector> before = y;
    y = mix(x);
    for (std::size_t i = 0; i < n; ++i) s[i] += instance.gradient(i, y[i]) - instance.gradient(i, before[i]);
    s = mix(s);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_LT((bed.client_vector("x_i", i) - y[i]).norm(), 1e-10) << t;
      EXPECT_LT((bed.client_vector("y_i", i) - s[i]).norm(), 1e-10) << t;
      x[i] = y[i] - (instance.hessians[i] + 3.0 * Matrix::Identity(12, 12)).llt().solve(s[i]);
    }
    bed.rounds(1);
  }
}

TEST(SonataGraphInvariants, MeanOfTheTrackersIsTheMeanOfTheGradients) {
  for (const auto& graph : {"ring"s, "torus"s, "complete"s, "erdos-renyi"s})
    for (const auto& start : {"local"s, "mixed"s, "mean"s}) {
      const Instance instance = random_quadratics(47, 6);
      Testbed bed(instance, "sonata-graph",
                  {{"lambda", 3.0}, {"step", 0.7}, {"graph", graph}, {"tracker_start", start}});
      for (int r = 0; r < 15; ++r) {
        bed.rounds(r == 0 ? 0 : 1);
        Vector mean = Vector::Zero(12);
        for (std::size_t i = 0; i < 6; ++i) mean += instance.gradient(i, bed.client_vector("x_i", i)) / 6.0;
        EXPECT_LT((mean_of(bed, "y_i", 6) - mean).norm(), 1e-11) << graph << ", " << start << ", round " << r;
      }
    }
}

// F_i = f_i + (κ/2)‖· − x_i‖², also right after the centres have moved.
TEST(AccSonataGraphInvariants, MeanOfTheTrackersIsTheMeanGradientOfTheRegularisedLosses) {
  const Instance instance = random_quadratics(48, 6);
  const double kappa = 3.0 - 1.0;
  Testbed bed(instance, "acc-sonata-graph", with(steps(2), {{"lambda", 3.0}, {"mu", 1.0}, {"step", 0.6}}));
  for (int r = 0; r < 10; ++r) {
    bed.rounds(1);
    Vector mean = Vector::Zero(12);
    for (std::size_t i = 0; i < 6; ++i) {
      const Vector& z = bed.client_vector("z_i", i);
      mean += (instance.gradient(i, z) + kappa * (z - bed.client_vector("x_i", i))) / 6.0;
    }
    EXPECT_LT((mean_of(bed, "y_i", 6) - mean).norm(), 1e-11) << r;
    EXPECT_LT((mean_of(bed, "g_i", 6) - mean).norm(), 1e-11) << r;
  }
}

class EveryGraph : public testing::TestWithParam<std::string> {};

// Everybody ends at x* with y_i = 0: consensus errors of both vanish.
TEST_P(EveryGraph, BringsEveryClientToTheMinimizer) {
  constexpr std::size_t n = 12;
  const Instance instance = random_quadratics(49, n);
  const Settings common{{"graph", GetParam()}, {"edge_probability", 0.3}, {"lambda", 4.0}};
  for (const auto& [method, settings] : std::vector<std::pair<std::string, Settings>>{
           {"sonata-graph", with(common, with(steps(5), {{"mixing", "chebyshev"s}}))},
           {"sonata-graph", with(common, {{"step", 0.5}})},
           {"network-dane", with(common, steps(5))},
           {"acc-sonata-graph", with(common, with(steps(5), {{"mu", 1.0}}))}}) {
    Testbed bed(instance, method, settings);
    bed.rounds(1500);  // one exchange per mixing on the ring needs 1000 of them
    const auto* at = method == "acc-sonata-graph" ? "z_i" : "x_i";
    EXPECT_LT((bed.x() - instance.minimizer).norm(), 1e-10 * instance.start.norm()) << method;
    EXPECT_LT(spread(bed, at, n), 1e-10 * instance.start.norm()) << method;
    EXPECT_LT(spread(bed, "y_i", n) + mean_of(bed, "y_i", n).norm(), 1e-9 * instance.start.norm()) << method;
  }
}

INSTANTIATE_TEST_SUITE_P(GraphMethods, EveryGraph, testing::Values("ring", "torus", "complete", "erdos-renyi"),
                         [](const auto& graph) { return graph.param.substr(0, 5); });

TEST(GraphFixedPoint, IsTheMinimizerWithVanishingTrackers) {
  const Instance instance = random_quadratics(50, 6);
  for (const auto& method : {"sonata-graph"s, "network-dane"s, "acc-sonata-graph"s}) {
    const Settings mu = method == "acc-sonata-graph" ? Settings{{"mu", 1.0}} : Settings{};
    Testbed bed(instance, method, with(mu, {{"lambda", 2.0}}));
    bed.from(instance.minimizer).start();
    for (std::size_t i = 0; i < 6; ++i) bed.client_vector("y_i", i).setZero();  // ∇f(x*)
    bed.rounds(3);
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_LT((bed.client_vector("x_i", i) - instance.minimizer).norm(), 1e-12) << method;
      EXPECT_LT(bed.client_vector("y_i", i).norm(), 1e-11) << method;
    }
  }
}

TEST(GraphFixedPoint, IsLeftWhereTrackersStartWithUnlikeGradients) {
  const Instance instance = random_quadratics(50, 6);
  Testbed bed(instance, "sonata-graph", {{"lambda", 2.0}});
  bed.from(instance.minimizer);
  EXPECT_GT((bed.rounds(1) - instance.minimizer).norm(), 1e-3);
}

// (1 + τ/μ) log(1/ε) rounds with τ = δ_B, and with enough mixing as many as the star needs.
TEST(SonataGraphTheorem, NeedsTheRoundsOfTheStarOnceMixingSuffices) {
  const Instance instance = demo_quadratics();
  const Settings theory = theory_settings(find_method("sonata-graph"), instance.constants);
  const int star = rounds_of(instance, "sonata", {{"tau", instance.constants.delta_B}});
  const double bound = (1.0 + instance.constants.delta_B / instance.constants.mu) * std::log(1e10);
  EXPECT_LE(star, bound);
  EXPECT_LE(rounds_of(instance, "sonata-graph", with(theory, steps(3))), bound);
  EXPECT_LE(std::abs(rounds_of(instance, "sonata-graph", with(theory, steps(8))) - star), 2);
}

// f_i = 5(x − c_i)²: b = 10/(10 + τ). W has the eigenvalue −0.6 on the torus of 4 × 4, and 0.36(2b − 1) + 1.2 < 1 where
// b < 2/9; the lazy weights have no eigenvalue below 0.2, W² none below 0.
TEST(SonataGraphTheorem, DivergesWhereMixingTurnsDisagreementsRoundTooFar) {
  Instance instance;
  Stream stream(54, Purpose::generator);
  for (int i = 0; i < 16; ++i)
    instance.clients.push_back(make_client(DenseQuadratic(Matrix::Constant(1, 1, 10.0), scalar(stream.normal()))));
  instance.start = scalar(3.0);
  const auto disagreement = [&](double tau, const Settings& settings, std::size_t rounds) {
    Testbed bed(instance, "sonata-graph", with({{"lambda", tau}, {"graph", "torus"s}}, settings));
    bed.rounds(rounds);
    return spread(bed, "x_i", 16);
  };
  EXPECT_GT(disagreement(0.1, {}, 300), 1e20);
  EXPECT_LT(disagreement(0.1, {{"weights", "lazy"s}}, 1500), 1e-10);
  EXPECT_LT(disagreement(0.1, steps(2), 300), 1e-10);
  EXPECT_GT(disagreement(30.0, {}, 1500), 1e10) << "b = 1/4";
  EXPECT_LT(disagreement(40.0, {}, 1500), 1e-10) << "b = 1/5";
  const Settings long_ring{{"graph", "ring"s}, {"mixing", "chebyshev"s}};
  EXPECT_GT(disagreement(0.1, with(long_ring, steps(2)), 300), 1e20);
  EXPECT_LT(disagreement(0.1, with(long_ring, steps(3)), 300), 1e-10);
}

TEST(AccSonataGraphTheorem, RoundsGrowWithTheRootOfBeta) {
  const Instance instance = demo_quadratics();
  const auto rounds = [&](double beta) {
    return rounds_of(instance, "acc-sonata-graph",
                     with(steps(5), {{"lambda", beta}, {"mu", 1.0}, {"inner_rounds", std::int64_t{10}}}));
  };
  EXPECT_NEAR(rounds(80.0) / static_cast<double>(rounds(20.0)), 2.0, 0.25);
  EXPECT_NEAR(rounds(320.0) / static_cast<double>(rounds(80.0)), 2.0, 0.25);
}

TEST(GraphTraffic, IsTwoMixingsARoundOverEveryEdge) {
  constexpr std::size_t n = 12;
  const Instance instance = random_quadratics(51, n);
  const std::vector<std::pair<std::string, std::uint64_t>> edges{{"ring", 12}, {"torus", 24}, {"complete", 66}};
  for (const auto& [graph, count] : edges)
    for (const std::uint64_t K : {1U, 3U}) {
      const Settings settings = with(steps(static_cast<std::int64_t>(K)), {{"graph", graph}, {"lambda", 2.0}});
      Testbed bed(instance, "sonata-graph", settings);
      bed.rounds(4);
      const Ledger& ledger = bed.federation().ledger();
      EXPECT_EQ(ledger.exchanges, 4 * 2 * K);
      EXPECT_EQ(ledger.vectors_up, 4 * 2 * K * 2 * count);
      EXPECT_EQ(ledger.bytes_up, 4 * 2 * K * 2 * count * 12 * 8);
      EXPECT_EQ(ledger.vectors_down + ledger.bytes_down, 0U);
      const Traffic fast = find_method("acc-sonata-graph").make(with(settings, {{"mu", 1.0}}))->round_traffic(n);
      EXPECT_EQ(fast, (Traffic{.exchanges = 3 * 2 * K, .up = 3 * 2 * K * 2 * count}));
    }
}

TEST(GraphTraffic, OfTheStartIsThatOfTheFirstTrackers) {
  const auto start = [](const std::string& rule) {
    return find_method("sonata-graph")
        .make(with(steps(3), {{"lambda", 2.0}, {"tracker_start", rule}}))
        ->start_traffic(10);
  };
  EXPECT_EQ(start("local"), Traffic{});
  EXPECT_EQ(start("mixed"), (Traffic{.exchanges = 3, .up = 3 * 20}));
  EXPECT_EQ(start("mean"), (Traffic{.exchanges = 1, .up = 10, .down = 10}));
  const Instance instance = random_quadratics(52, 10);
  for (const auto& rule : {"local"s, "mixed"s, "mean"s}) {
    Testbed bed(instance, "sonata-graph", with(steps(3), {{"lambda", 2.0}, {"tracker_start", rule}}));
    bed.start();
    const Ledger& ledger = bed.federation().ledger();
    EXPECT_EQ((Traffic{ledger.exchanges, ledger.vectors_up, ledger.vectors_down}), start(rule));
  }
}

// Identical clients never disagree, for any graph: the proximal point method of their one function.
TEST(SonataGraphReduction, OfIdenticalClientsIsThatOfOne) {
  const Instance one = random_quadratics(55, 1);
  const Vector zero = Vector::Zero(12);
  const Vector centre = -one.hessians[0].llt().solve(one.gradient(0, zero));
  Instance many;
  many.start = one.start;
  for (int i = 0; i < 7; ++i) many.clients.push_back(make_client(DenseQuadratic(one.hessians[0], centre)));
  for (const auto& graph : {"ring"s, "complete"s, "erdos-renyi"s}) {
    Testbed together(many, "sonata-graph", {{"lambda", 2.0}, {"graph", graph}});
    Testbed alone(one, "sonata-graph", {{"lambda", 2.0}});
    for (int r = 0; r < 6; ++r) EXPECT_LT((together.rounds(1) - alone.rounds(1)).norm(), 1e-12) << graph;
    EXPECT_LT(spread(together, "y_i", 7), 1e-11);
  }
}

TEST(SonataGraphReduction, OneClientAloneIsTheProximalPointMethod) {
  const Instance instance = random_quadratics(53, 1);
  Testbed alone(instance, "sonata-graph", {{"lambda", 2.0}});
  Testbed star(instance, "dane", {{"lambda", 2.0}});
  for (int r = 0; r < 5; ++r) EXPECT_LT((alone.rounds(1) - star.rounds(1)).norm(), 1e-12);
  EXPECT_EQ(alone.federation().ledger().messages(), 0U);
}

}  // namespace
}  // namespace driftless::test
