#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

std::string small_data() {
  std::string text;
  for (int row = 0; row < 60; ++row)
    text += (row % 3 == 0 ? "1" : "-1") + std::string(" ") + std::to_string(1 + row % 4) + ":1 " +
            std::to_string(5 + row % 3) + ":1\n";
  return text;
}

TEST(BenchCommand, MeasuresMachinePassesSolvesAndExchanges) {
  const TempFolder folder;
  folder.write("small.svm", small_data());
  const ProgramResult result = run_program({.arguments = {"bench", "small.svm", "--clients", "3", "--seconds", "0.001",
                                                          "--out", "bench.json", "--format", "json"},
                                            .folder = folder.path()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, TempFolder::read(folder / "bench.json"));
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("schema_version"), 1);
  EXPECT_EQ(json.at("machine").at("levels").size(), 4U);
  for (const auto& level : json.at("machine").at("levels")) EXPECT_GT(level.at("read_one").get<double>(), 0.0);
  ASSERT_EQ(json.at("passes").size(), 2U);
  const auto& pass = json.at("passes").front();
  EXPECT_EQ(pass.at("clients"), 3);
  EXPECT_EQ(pass.at("nonzeros"), 120);
  for (const char* time : {"gradient_one_s", "gradient_s", "hessian_product_s", "eigen_s", "least_s"})
    EXPECT_GT(pass.at(time).get<double>(), 0.0) << time;
  ASSERT_EQ(json.at("solves").size(), 1U);
  EXPECT_LE(json.at("solves").front().at("grad_norm").get<double>(), 1e-9);
  EXPECT_EQ(json.at("exchanges").size(), 4U);
  EXPECT_EQ(json.at("interrupted"), false);
}

TEST(BenchCommand, PrintsTablesAndKnowsItsBounds) {
  const TempFolder folder;
  folder.write("small.svm", small_data());
  const ProgramResult result = run_program(
      {.arguments = {"bench", "small.svm", "--clients", "3", "--seconds", "0.001", "--growth", "--largest", "1e5"},
       .folder = folder.path()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* heading :
       {"reading from", "Eigen/ours", "newton-cg", "round of dane+", "nothing computed", "generated"})
    EXPECT_NE(result.out.find(heading), std::string::npos) << heading;
  EXPECT_EQ(run_program({.arguments = {"bench", "--largest", "7"}, .folder = folder.path()}).exit_code, 2);
  EXPECT_EQ(run_program({.arguments = {"bench", "nowhere.svm"}, .folder = folder.path()}).exit_code, 5);
}

}  // namespace
}  // namespace driftless
