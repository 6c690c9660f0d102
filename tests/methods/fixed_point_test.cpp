// A drift-corrected method that starts at the minimiser with the right corrections stays there; FedAvg, FedProx and
// MimeLite do not.
#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

struct Row {
  std::string title;
  std::string method;
  Settings settings;
  bool stays;
  std::string corrections;  // the variable to set to ∇f_i(x*), if any
  double sign = 1.0;        // or to its negative
};

class FixedPoint : public testing::TestWithParam<Row> {};

TEST_P(FixedPoint, IsTheMinimizerExactlyForUnbiasedMethods) {
  const Row& row = GetParam();
  for (const Instance& instance : {toy(), random_quadratics(7)}) {
    Testbed bed(instance, row.method, row.settings);
    bed.from(instance.minimizer).start();
    for (std::size_t i = 0; !row.corrections.empty() && i < instance.clients.size(); ++i)
      bed.client_vector(row.corrections, i) = row.sign * instance.gradient(i, instance.minimizer);
    const double moved = (bed.rounds(5) - instance.minimizer).norm();
    if (row.stays) EXPECT_LT(moved, 1e-10);
    else EXPECT_GT(moved, 1e-3);
  }
}

const Settings three_steps{{"step", 0.03}, {"local_steps", std::int64_t{3}}};

const Settings sampled_composite{{"lambda", 4.0}, {"beta", 0.5}, {"p_loc", 0.2}, {"eta", 12.0}};
const Settings fedred{{"lambda", 1.0}, {"eta", 12.0}, {"p", 0.3}};
const Settings drift{{"control_variate", "drift"s}};

const std::vector<Row> rows{
    {"Gd", "gd", {{"step", 0.1}}, true, ""},
    {"Agd", "agd", {{"step", 0.1}}, true, ""},
    {"FedAvg", "fedavg", three_steps, false, ""},
    {"FedProx", "fedprox", {{"lambda", 1.0}}, false, ""},
    {"ScaffoldOption1", "scaffold", with(three_steps, {{"control_variate", "option1"s}}), true, "c_i"},
    {"ScaffoldOption2", "scaffold", with(three_steps, {{"control_variate", "option2"s}}), true, "c_i"},
    {"ScaffoldExact", "scaffold", with(three_steps, {{"control_variate", "exact"s}}), true, ""},
    {"FedLin", "fedlin", three_steps, true, ""},
    {"Scaffnew", "scaffnew", {{"step", 0.08}, {"p", 0.3}}, true, "h_i"},
    {"FedDyn", "feddyn", {{"alpha", 2.0}}, true, "g_i"},
    {"FedDynSampled", "feddyn", {{"alpha", 2.0}, {"cohort", std::int64_t{1}}}, true, "g_i"},
    {"FedPd", "fedpd", {{"step", 0.2}}, true, "lambda_i", -1.0},
    {"FedPdSkipping", "fedpd", {{"step", 0.2}, {"p", 0.5}}, false, "lambda_i", -1.0},
    {"Dane", "dane", {{"lambda", 1.0}}, true, ""},
    {"Sonata", "sonata", {{"tau", 1.0}, {"step", 0.7}}, true, ""},
    {"CeLgd", "ce-lgd", three_steps, true, ""},
    {"Svrp", "svrp", {{"step", 0.5}, {"p", 0.3}}, true, ""},
    {"SvrpGd", "svrp", {{"step", 0.5}, {"p", 0.3}, {"solver", "gd"s}, {"eta", 12.0}}, true, ""},
    {"Svrs", "svrs", {{"step", 0.2}, {"p", 0.3}}, true, ""},
    {"AccSvrs", "acc-svrs", {{"step", 0.2}, {"p", 0.3}, {"tau", 0.2}, {"alpha", 0.4}, {"mu", 1.0}}, true, ""},
    {"RgSaga", "rg-saga", with(sampled_composite, {{"cohort", std::int64_t{1}}}), true, ""},
    {"RgSvrg", "rg-svrg", with(sampled_composite, {{"cohort", std::int64_t{1}}, {"p", 0.3}}), true, ""},
    {"Mime", "mime", with(three_steps, {{"b", 0.5}}), true, ""},
    {"MimeLite", "mimelite", with(three_steps, {{"b", 0.5}}), false, ""},
    {"MimeMvr", "mime-mvr", with(three_steps, {{"a", 0.3}}), true, ""},
    {"MimeMvrLagged", "mime-mvr", with(three_steps, {{"a", 0.3}, {"lagged", true}}), true, ""},
    {"MimeLiteMvr", "mime-mvr", with(three_steps, {{"a", 0.3}, {"correction", false}}), false, ""},
    {"DanePlusNewtonCg", "dane+", {{"lambda", 1.0}, {"solver", "newton-cg"s}, {"stop_rule", "absolute"s}}, true, ""},
    {"DanePlusRand", "dane+", {{"lambda", 1.0}, {"averaging", "random"s}}, true, ""},
    {"DanePlusGd", "dane+-gd", {{"lambda", 1.0}, {"eta", 12.0}}, true, ""},
    {"DanePlusFgd", "dane+-fgd", {{"lambda", 1.0}, {"eta", 12.0}, {"mu", 1.0}}, true, ""},
    {"DanePlusDrift", "dane+", with({{"lambda", 1.0}}, drift), true, "h_i"},
    {"DanePlusNone", "dane+", {{"lambda", 1.0}, {"control_variate", "none"s}}, false, ""},
    {"InexactDane", "inexact-dane", {{"lambda", 1.0}, {"damping", 0.7}}, true, ""},
    {"Aide", "aide", {{"lambda", 1.0}, {"tau", 2.0}, {"mu", 1.0}}, true, ""},
    {"DaneHb", "dane-hb", {{"lambda", 2.0}, {"beta", 0.2}}, true, ""},
    {"SpagFixed", "spag", {{"lambda", 2.0}, {"mu", 1.0}, {"gain_rule", "fixed"s}}, true, ""},
    {"SpagSearch", "spag", {{"lambda", 2.0}, {"mu", 1.0}, {"gain_rule", "search"s}}, true, ""},
    {"SpagMerged", "spag", {{"lambda", 2.0}, {"mu", 1.0}}, true, ""},
    {"AegsEstimatingSequence", "aegs", {{"lambda", 2.0}, {"mu", 1.0}}, true, ""},
    {"AegsExtragradient", "aegs", {{"lambda", 2.0}, {"mu", 1.0}, {"form", "extragradient"s}}, true, ""},
    {"Giant", "giant", {}, true, ""},
    {"NewtonCg", "newton-cg", {}, true, ""},
    {"NewtonCgJacobi", "newton-cg", {{"preconditioner", "jacobi"s}}, true, ""},
    {"NewtonCgMerged", "newton-cg", {{"directions", std::int64_t{3}}}, true, ""},
    {"Lbfgs", "l-bfgs", {}, true, ""},
    {"Disco", "disco", {{"lambda", 1.0}}, true, ""},
    {"DiscoDamped", "disco", {{"lambda", 1.0}, {"step", "damped"s}}, true, ""},
    {"AccSonata", "acc-sonata", {{"lambda", 2.0}, {"mu", 1.0}}, true, ""},
    {"AdaptiveDanePlus", "adaptive-dane+", {}, true, ""},
    {"AdaptiveFedRed", "adaptive-fedred", {}, true, ""},
    {"FedRedExact", "fedred", fedred, true, ""},
    {"FedRedGd", "fedred-gd", fedred, true, ""},
    {"FedRedGdWithoutRestart", "fedred-gd", with(fedred, {{"restart", false}}), true, ""},
    {"FedRedGdRand", "fedred-gd", with(fedred, {{"averaging", "random"s}}), true, ""},
    {"FedRedGdDrift", "fedred-gd", with(fedred, drift), true, "h_i"},
    {"FedRedGdNone", "fedred-gd", with(fedred, {{"control_variate", "none"s}}), false, ""},
};

INSTANTIATE_TEST_SUITE_P(Spec, FixedPoint, testing::ValuesIn(rows), [](const auto& row) { return row.param.title; });

// With the same batch at both points the noise vanishes where y = x, so batches do not move Mime away either.
TEST(FixedPointOfBatches, IsTheMinimizerForMimeOnly) {
  const Instance instance = demo_quadratics();
  const Settings batches{{"step", 0.001}, {"local_steps", std::int64_t{5}}, {"batch", std::int64_t{3}}};
  const auto moved = [&](const std::string& method, const Settings& more) {
    Testbed bed(instance, method, with(batches, more));
    return (bed.from(instance.minimizer).rounds(5) - instance.minimizer).norm();
  };
  EXPECT_LT(moved("mime", {}), 1e-9);
  EXPECT_LT(moved("mime-mvr", {{"a", 0.3}}), 1e-9);
  EXPECT_GT(moved("mimelite", {}), 1e-3);
  EXPECT_GT(moved("fedavg", {}), 1e-3);
}

}  // namespace
}  // namespace driftless::test
