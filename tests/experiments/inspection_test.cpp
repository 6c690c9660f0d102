#include "driftless/experiments/inspection.hpp"

#include "driftless/files/npy.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/temp_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using nlohmann::json;

const std::string logistic = "[problem]\nkind = \"logistic\"\ndata = \"generated\"\nrows = 300\ndim = 20\n"
                             "nonzeros_per_row = 6\nl2 = 0.01\n[federation]\nclients = 4\nsplit = \"dirichlet\"\n"
                             "[stop]\nrounds = 30\n[inspect]\ntrials = false\n";
const std::string quadratic =
    "[problem]\nkind = \"quadratic\"\ndim = 30\n[federation]\nclients = 5\n[stop]\nrounds = 20\n[inspect]\n"
    "trials = false\n";

Inspection inspected(const TempFolder& folder, const std::string& text, const InspectionOptions& options = {}) {
  return inspect(read_config(folder.write("case.toml", text), {}, MethodTables::optional), options);
}

TEST(Inspection, BoundsOfLogisticRegressionHoldAtOtherPoints) {
  const TempFolder folder;
  const Inspection zero = inspected(folder, logistic);
  ASSERT_TRUE(zero.bounds.L_upper && zero.bounds.delta_A_upper && zero.bounds.delta_B_upper && zero.bounds.mu_lower);
  EXPECT_NEAR(*zero.bounds.L_upper, zero.constants.L, 1e-9);  // the curvature of the loss is largest at 0
  EXPECT_EQ(*zero.bounds.mu_lower, 0.01);
  for (const double entry : {0.2, -1.5}) {
    write_npy(folder / "x.npy", Vector(Vector::Constant(20, entry)));
    const Inspection there = inspected(folder, logistic, {.at = (folder / "x.npy").string()});
    EXPECT_LT(there.constants.L, *zero.bounds.L_upper);
    EXPECT_LE(there.constants.delta_A, *zero.bounds.delta_A_upper);
    EXPECT_LE(there.constants.delta_B, *zero.bounds.delta_B_upper);
    EXPECT_GE(there.constants.mu, 0.01 - 1e-12);
    EXPECT_NEAR(*there.bounds.L_upper, *zero.bounds.L_upper, 1e-9);
  }
}

TEST(Inspection, BoundsOfTheNonConvexLogisticHoldAtOtherPoints) {
  const TempFolder folder;
  const std::string bounded = "[problem]\nbeta = 0.3" + logistic.substr(std::string("[problem]").size());
  const GlobalBounds convex = inspected(folder, logistic).bounds;
  const GlobalBounds b = inspected(folder, bounded).bounds;
  EXPECT_NEAR(*b.L_upper, *convex.L_upper + 0.6, 1e-8);
  EXPECT_NEAR(*b.mu_lower, 0.01 - 0.15, 1e-15);
  EXPECT_NEAR(*b.delta_B_upper, *convex.delta_B_upper, 1e-8) << "the term is common to all";
  for (const double entry : {0.2, -1.0}) {  // at 1 the term has its least curvature
    write_npy(folder / "x.npy", Vector(Vector::Constant(20, entry)));
    const Inspection there = inspected(folder, bounded, {.at = (folder / "x.npy").string()});
    EXPECT_LT(there.constants.L, *b.L_upper);
    EXPECT_GE(there.constants.mu, *b.mu_lower);
    EXPECT_LE(there.constants.delta_A, *b.delta_A_upper);
    EXPECT_NEAR(*there.bounds.L_upper, *b.L_upper, 1e-8);
  }
}

TEST(Inspection, AlongARunGivesLowerBoundsThatUpperBoundsRespect) {
  const TempFolder folder;
  const Inspection found = inspected(folder, logistic, {.at = "optimum", .along = "gd"});
  ASSERT_TRUE(found.secants.has_value());
  EXPECT_GT(found.secants->steps, 5U);
  EXPECT_GT(found.secants->delta_A, 0.0);
  EXPECT_GE(found.bounds.delta_A_lower, found.secants->delta_A);
  EXPECT_LE(found.bounds.delta_A_lower, *found.bounds.delta_A_upper);
  EXPECT_LE(found.secants->L, *found.bounds.L_upper);
  EXPECT_GE(found.secants->mu, *found.bounds.mu_lower);
}

TEST(Inspection, QuadraticsAreExactAndAgreeWithWhatIsMeasured) {
  const TempFolder folder;
  const Inspection found = inspected(folder, quadratic);
  EXPECT_TRUE(found.exact);
  EXPECT_NEAR(found.measured.values().delta_A, found.constants.delta_A, 1e-9);
  EXPECT_NEAR(found.measured.values().L, 100.0, 1e-9);
  EXPECT_EQ(*found.bounds.delta_B_upper, found.bounds.delta_B_lower);
  ASSERT_TRUE(found.predictions.has_value());
  EXPECT_EQ(found.predictions->lines.size(), 11U);
}

TEST(Inspection, TheNonConvexQuadraticHasBoundsAndNoPredictions) {
  const TempFolder folder;
  const Inspection found =
      inspected(folder, "[problem]\nkind = \"quadratic\"\nclass = \"non-convex\"\ndim = 30\n[federation]\nclients = 5\n"
                        "[stop]\nrounds = 2\n");
  EXPECT_FALSE(found.exact);
  EXPECT_FALSE(found.predictions.has_value());
  EXPECT_LE(found.constants.L, *found.bounds.L_upper * (1.0 + 1e-12));
  EXPECT_GE(found.constants.mu, *found.bounds.mu_lower);
  EXPECT_NEAR(found.constants.delta_B, 5.0, 1e-8);  // the regulariser is common to all
  EXPECT_THAT(inspection_text(found), testing::HasSubstr("optimum is not known"));
}

TEST(Inspection, FilesHaveTheAgreedKeys) {
  const TempFolder folder;
  const Inspection found = inspected(folder, logistic, {.out = (folder / "out").string()});
  const json constants = json::parse(TempFolder::read(folder / "out/constants.json"));
  for (const char* key : {"schema_version", "at", "L", "L_f", "mu", "mu_f", "delta_A", "delta_A_up", "delta_B",
                          "clients", "bounds", "method", "tolerance"})
    EXPECT_TRUE(constants.contains(key)) << key;
  EXPECT_EQ(constants.at("at"), "zero");
  EXPECT_EQ(constants.at("method"), "lanczos");
  ASSERT_EQ(constants.at("clients").size(), 4U);
  EXPECT_EQ(constants.at("clients")[2].at("id"), 2);
  EXPECT_EQ(constants.at("clients")[2].at("delta").get<double>(), found.measured.clients[2].delta.value);
  EXPECT_EQ(constants.at("delta_A").get<double>(), found.constants.delta_A);
  const json predictions = json::parse(TempFolder::read(folder / "out/predictions.json"));
  EXPECT_EQ(predictions.at("predictions")[0].at("method"), "gd");
  EXPECT_EQ(json::parse(inspection_json(found)).at("constants"), constants);
}

TEST(Inspection, RejectsPointsThatAreNotAvailable) {
  const TempFolder folder;
  write_npy(folder / "x.npy", Vector(Vector::Zero(3)));
  expect_error<DataError>([&] { inspected(folder, logistic, {.at = (folder / "x.npy").string()}); },
                          {"another dimension", "--at", "3 entries"});
  expect_error<DataError>([&] { inspected(folder, logistic, {.at = "nowhere.npy"}); }, {"nowhere.npy"});
  expect_error<ConfigError>(
      [&] {
        inspected(folder,
                  "[problem]\nkind = \"quadratic\"\nreference = \"none\"\ndim = 9\n[federation]\nclients = 2\n"
                  "[stop]\nrounds = 2\n",
                  {.at = "optimum"});
      },
      {"optimum", "--at optimum"});
  expect_error<ConfigError>([&] { inspected(folder, quadratic, {.along = "gdd"}); }, {"gdd", "did you mean 'gd'"});
}

TEST(Inspection, WritesNothingWhereAStopIsRequested) {
  const TempFolder folder;
  const Inspection found = inspected(
      folder, logistic, {.out = (folder / "out").string(), .stop_token = [] { return StopSignal::interrupted; }});
  EXPECT_TRUE(found.interrupted);
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

}  // namespace
}  // namespace driftless
