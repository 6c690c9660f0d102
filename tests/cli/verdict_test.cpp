// What the program says of runs that went wrong without a failure: f that rises, optima that do not exist, local solves
// that do not finish, rounds that do not end.
#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <chrono>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <thread>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Rows whose classes overlap, with entries up to `scale` in absolute value.
std::string overlapping_rows(double scale) {
  std::uint32_t state = 7;
  const auto next = [&] { return (state = state * 1664525U + 1013904223U) >> 16; };
  std::string text;
  for (int row = 0; row < 80; ++row) {
    text += next() % 2 == 0 ? "1" : "-1";
    for (int column = 1; column <= 5; ++column)
      text += " " + std::to_string(column) + ":" + std::to_string(scale * (next() % 2001 / 1000.0 - 1.0));
    text += "\n";
  }
  return text;
}

struct Case {
  std::string rows;
  std::string method;  // with its options, as lines
  std::string problem = {};
  std::string stop = "rounds = 100\n";
};

ProgramResult run_case(const TempFolder& folder, const Case& c) {
  folder.write("data.svm", c.rows);
  folder.write("case.toml", "[problem]\nkind = \"logistic\"\ndata = \"data.svm\"\n" + c.problem +
                                "[federation]\nclients = 2\n[[method]]\n" + c.method + "[stop]\n" + c.stop);
  return run_program({.arguments = {"run", "case.toml", "--out", "out"}, .folder = folder.path()});
}

json record_of(const TempFolder& folder) { return json::parse(TempFolder::read(folder / "out/run.json")); }
std::string reason_in(const TempFolder& folder) { return record_of(folder).at("methods")[0].at("stop_reason"); }

TEST(Verdict, ALossThatRisesWithBoundedGradientsIsADivergence) {
  for (const char* method : {"name = \"gd\"\nstep = 1\n", "name = \"fedavg\"\nstep = 5\n"}) {
    const TempFolder folder;
    const ProgramResult said = run_case(folder, {.rows = overlapping_rows(300.0), .method = method});
    EXPECT_EQ(said.exit_code, 1) << said.err;
    EXPECT_THAT(said.err, AllOf(HasSubstr("diverged in round"), HasSubstr("smaller step")));
    EXPECT_EQ(reason_in(folder), "diverged");
  }
}

TEST(Verdict, ASmallRiseIsAWarning) {
  const TempFolder folder;
  const ProgramResult said = run_case(folder, {.rows = overlapping_rows(3.0), .method = "name = \"gd\"\nstep = 3\n"});
  EXPECT_EQ(said.exit_code, 0) << said.err;
  EXPECT_THAT(said.err, HasSubstr("gd: f is "));
  EXPECT_THAT(said.err, HasSubstr("at the start; try a smaller step"));
}

TEST(Verdict, SeparableDataWithoutL2HaveNoOptimum) {
  const TempFolder folder;
  const ProgramResult said = run_case(folder, {.rows = "1 1:1 2:0.5\n1 1:2\n-1 1:-1 2:0.3\n-1 1:-3\n",
                                               .method = "name = \"gd\"\nstep = 1\n",
                                               .problem = "l2 = 0\n"});
  EXPECT_EQ(said.exit_code, 0) << said.err;
  EXPECT_THAT(said.err, HasSubstr("gaps and distances are left out: f has no minimiser"));
  EXPECT_TRUE(record_of(folder).at("problem").at("minimum").is_null());
  EXPECT_TRUE(record_of(folder).at("problem").at("minimum_error").is_null());
}

TEST(Verdict, FeaturesThatOverflowHaveNoOptimumAndAreADataError) {
  const TempFolder folder;
  const ProgramResult said = run_case(
      folder, {.rows = "1 1:1 2:1e160\n-1 1:2\n-1 1:-1 2:-1e160\n1 1:-3\n", .method = "name = \"gd\"\nstep = 1\n"});
  EXPECT_EQ(said.exit_code, 5) << said.err;
  EXPECT_THAT(said.err, HasSubstr("gaps and distances are left out: f or its gradient is not finite"));
  EXPECT_THAT(said.err, AllOf(HasSubstr("the data are too large"), HasSubstr("1e+160 in column 2")));
  EXPECT_THAT(said.err, Not(HasSubstr("smaller step"))) << "no method is to blame";
}

TEST(Verdict, LabelsThatOverflowAreADataError) {
  const TempFolder folder;
  folder.write("data.svm", "1e200 1:1\n-1 1:2\n3 1:-1\n1 1:-3\n");
  folder.write("case.toml", "[problem]\nkind = \"least-squares\"\ndata = \"data.svm\"\n[federation]\nclients = 2\n"
                            "[[method]]\nname = \"gd\"\nstep = 1e-3\n[stop]\nrounds = 5\n");
  const ProgramResult said = run_program({.arguments = {"run", "case.toml", "--out", "out"}, .folder = folder.path()});
  EXPECT_EQ(said.exit_code, 5) << said.err;
  EXPECT_THAT(said.err, AllOf(HasSubstr("the data are too large"), HasSubstr("scale labels and features")));
  EXPECT_THAT(said.err, Not(HasSubstr("diverged")));
}

TEST(Verdict, AnOptimumCarriesABoundOnItsError) {
  const TempFolder folder;
  for (const char* l2 : {"l2 = 0.01\n", "l2 = 0\n"}) {
    const ProgramResult said =
        run_case(folder, {.rows = overlapping_rows(1.0), .method = "name = \"gd\"\nstep = 1\n", .problem = l2});
    ASSERT_EQ(said.exit_code, 0) << said.err;
    const double error = record_of(folder).at("problem").at("minimum_error");
    EXPECT_GE(error, 0.0);
    EXPECT_LT(error, 1e-18);
    fs::remove_all(folder / "out");
  }
}

TEST(Verdict, FeaturesTooLargeForTheConstantsAreADataErrorThatNamesTheColumn) {
  const TempFolder folder;
  const ProgramResult said = run_case(folder, {.rows = "1 1:1 2:1e150\n-1 1:2\n-1 1:-1 2:-2e150\n1 1:-3\n",
                                               .method = "name = \"gd\"\nstep = \"theory\"\n"});
  EXPECT_EQ(said.exit_code, 5) << said.err;
  EXPECT_THAT(said.err, AllOf(HasSubstr("column 2 has the value -2e+150"), HasSubstr("scale the features")));
  EXPECT_THAT(said.err, Not(HasSubstr("internal error")));
}

TEST(Verdict, LocalSolvesThatEndAtTheStepLimitAreAWarning) {
  const TempFolder folder;
  const ProgramResult said = run_case(folder, {.rows = overlapping_rows(1.0),
                                               .method = "name = \"dane+-gd\"\nlambda = 0.1\neta = 1000\nstop_rule = "
                                                         "\"relative\"\ntolerance = 1e-8\nmax_steps = 5\n",
                                               .stop = "rounds = 3\n"});
  EXPECT_EQ(said.exit_code, 0) << said.err;
  EXPECT_THAT(said.err, HasSubstr("dane+-gd: 6 of 6 local solves (100 %) ended at the step limit"));
  EXPECT_THAT(said.err, HasSubstr("raise tolerance or max_steps"));
}

// The first round draws about 10¹² coins.
constexpr const char* endless = "name = \"scaffnew\"\nstep = 0.1\np = 1e-12\n";

TEST(Verdict, StopSecondsAndGradientsEndARoundThatDoesNotEnd) {
  for (const char* stop : {"seconds = 0.6\n", "grad_evals = 1000\n"}) {
    const TempFolder folder;
    const ProgramResult said = run_case(folder, {.rows = overlapping_rows(1.0), .method = endless, .stop = stop});
    EXPECT_EQ(said.exit_code, 0) << said.err;
    EXPECT_THAT(stop, testing::StartsWith(reason_in(folder)));
    EXPECT_EQ(read_csv(folder / "out/scaffnew/metrics.csv").size(), 2U) << "the head and the start";
  }
}

TEST(Verdict, SignalsEndARoundThatDoesNotEnd) {
  for (const auto& [signal, exit_code] : {std::pair(SIGINT, 130), std::pair(SIGTERM, 143)}) {
    const TempFolder folder;
    folder.write("case.toml", std::string("[problem]\nkind = \"quadratic\"\ndim = 20\n[federation]\nclients = 2\n") +
                                  "[[method]]\n" + endless + "[stop]\nrounds = 5\n");
    Program program({.arguments = {"run", "case.toml", "--out", "out"}, .folder = folder.path()});
    while (program.running() && read_csv(folder / "out/scaffnew/metrics.csv").size() < 2)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    program.send(signal);
    const ProgramResult said = program.wait();
    EXPECT_EQ(said.exit_code, exit_code) << said.err;
    EXPECT_EQ(reason_in(folder), "interrupted");
    EXPECT_TRUE(fs::exists(folder / "out/scaffnew/model.npy"));
    EXPECT_TRUE(fs::exists(folder / "out/scaffnew/state.bin"));
  }
}

}  // namespace
}  // namespace driftless
