// Models of public tables, divided among sites, agree with what R finds for all rows in one table. public_tables.R has
// the tables and R's side. Skipped where R is not installed.
#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace driftless {
namespace {

using nlohmann::json;

constexpr const char* r_program = "/usr/bin/Rscript";
constexpr double tolerance = 1e-8;
constexpr std::array<const char*, 6> columns{"estimate", "error", "statistic", "p", "low", "high"};

// The same as in public_tables.R.
const std::vector<std::string> cases{"mtcars", "infert",   "birthwt",    "pima",  "esoph",     "swiss",   "airquality",
                                     "states", "longley",  "warpbreaks", "quine", "insurance", "insects", "trees",
                                     "quakes", "chickens", "housing",    "iris",  "stackloss", "cars",    "pima_hinge"};

bool is_installed() { return std::filesystem::exists(r_program); }

ProgramResult run_r(const std::filesystem::path& folder, const std::vector<std::string>& arguments) {
  std::vector<std::string> all{std::string(DRIFTLESS_SOURCE_FOLDER) + "/tests/cli/r/public_tables.R"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return run_program({.arguments = all, .folder = folder, .program = r_program});
}

struct ExpectedCoefficient {
  std::string name;
  std::array<double, columns.size()> value;
};

struct Expected {
  std::map<std::string, double> facts;
  std::map<std::string, std::vector<ExpectedCoefficient>> coefficients;  // by the source of the errors
};

Expected read_expected(const std::filesystem::path& file) {
  Expected expected;
  std::istringstream text(TempFolder::read(file));
  for (std::string line; std::getline(text, line);) {
    std::vector<std::string> cells;
    std::istringstream rest(line);
    for (std::string cell; std::getline(rest, cell, '\t');) cells.push_back(cell);
    if (cells.size() < 3) throw std::runtime_error("a line of expected.tsv is short: " + line);
    if (cells[0] == "fact") {
      expected.facts[cells[1]] = std::stod(cells[2]);
      continue;
    }
    ExpectedCoefficient& one = expected.coefficients[cells[0]].emplace_back(ExpectedCoefficient{cells[1], {}});
    for (std::size_t k = 0; k < columns.size(); ++k) one.value[k] = std::strtod(cells.at(2 + k).c_str(), nullptr);
  }
  return expected;
}

// Largest differences by column.
using Differences = std::array<double, columns.size()>;

// Relative to R's number. Where a coefficient or the end of an interval is smaller than its standard error, that is its
// scale; a probability has at least the scale 1e-3.
double difference(double found, const ExpectedCoefficient& expected, std::size_t column) {
  const std::string name = columns[column];
  const double error = expected.value[1];
  const double least = name == "p" ? 1e-3 : name == "error" || name == "statistic" ? 0.0 : error;
  return std::abs(found - expected.value[column]) / std::max(std::abs(expected.value[column]), least);
}

class RComparison : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!is_installed()) GTEST_SKIP() << r_program << " is not installed; 'scripts/install-packages r' installs it";
    const ProgramResult made = run_r(folder_.path(), {GetParam(), folder_.path().string()});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    expected_ = read_expected(folder_ / "expected.tsv");
    const ProgramResult run =
        run_program({.arguments = {"run", "case.toml", "--out", "fit"}, .folder = folder_.path()});
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }

  json summary(const std::string& source) const {
    const ProgramResult result = run_program(
        {.arguments = {"summary", "fit", "--errors", source, "--format", "json"}, .folder = folder_.path()});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out);
  }

  void compare_facts(const json& found) const {
    for (const auto& [name, value] : expected_.facts) {
      const bool exact = name == "rows" || name == "sites" || name == "degrees";
      EXPECT_NEAR(found.at(name).get<double>(), value, exact ? 0.0 : tolerance * std::abs(value)) << name;
    }
  }

  Differences compare_coefficients(const json& found, const std::vector<ExpectedCoefficient>& expected) const {
    Differences largest{};
    EXPECT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < std::min(found.size(), expected.size()); ++k) {
      EXPECT_EQ(found[k].at("name"), expected[k].name);
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const double one = difference(found[k].at(columns[c]).get<double>(), expected[k], c);
        EXPECT_LE(one, tolerance) << columns[c] << " of " << expected[k].name;
        largest[c] = std::max(largest[c], one);
      }
    }
    return largest;
  }

  // A line of the table in docs/tables.md, which scripts/compare-with-r prints.
  void print_line(const json& found, const Differences& model, const Differences& robust) const {
    const auto rounded = [](double value) { return value > 0.0 ? fmt::format("{:.0e}", value) : "0"; };
    fmt::print("| {} | {} | {:.0f} | {:.0f} | {} | {} | {} | {} |\n", GetParam(), found.at("family").get<std::string>(),
               expected_.facts.at("rows"), expected_.facts.at("sites"), found.at("coefficients").size(),
               rounded(std::max(model[0], robust[0])),
               expected_.coefficients.contains("model") ? rounded(model[1]) : "-", rounded(robust[1]));
  }

  const TempFolder folder_;
  Expected expected_;
};

TEST_P(RComparison, CoefficientsErrorsTestsAndDeviancesAreThoseOfAllRowsInOneTable) {
  ASSERT_TRUE(expected_.coefficients.contains("row") && expected_.coefficients.contains("site"));
  ASSERT_GE(expected_.coefficients.at("row").size(), 2U);
  Differences of_model{}, of_robust{};
  json found;
  for (const auto& [source, coefficients] : expected_.coefficients) {
    SCOPED_TRACE("errors by " + source);
    found = summary(source);
    Differences& largest = source == "model" ? of_model : of_robust;
    const Differences own = compare_coefficients(found.at("coefficients"), coefficients);
    for (std::size_t c = 0; c < own.size(); ++c) largest[c] = std::max(largest[c], own[c]);
  }
  compare_facts(found);
  print_line(found, of_model, of_robust);
}

INSTANTIATE_TEST_SUITE_P(PublicTables, RComparison, testing::ValuesIn(cases),
                         [](const auto& each) { return each.param; });

TEST(RComparisonCases, AreThoseOfTheScript) {
  if (!is_installed()) GTEST_SKIP() << r_program << " is not installed";
  const TempFolder folder;
  const ProgramResult listed = run_r(folder.path(), {});
  ASSERT_EQ(listed.exit_code, 0) << listed.err;
  std::istringstream text(listed.out);
  std::vector<std::string> names;
  for (std::string name; std::getline(text, name);) names.push_back(name);
  EXPECT_THAT(cases, testing::UnorderedElementsAreArray(names));
}

}  // namespace
}  // namespace driftless
