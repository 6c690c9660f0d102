// Values from theory and theorem checks, through the program.
#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

const std::string quadratic = "[problem]\nkind = \"quadratic\"\ndim = 20\n[federation]\nclients = 5\n";
const std::string stop = "[stop]\nrounds = 12\n";
const std::string from_theory =
    "[[method]]\nname = \"dane+-gd\"\nlambda = \"theory\"\neta = \"theory\"\nmu = \"theory\"\n"
    "[[method]]\nname = \"fedred-gd\"\nlambda = \"theory\"\neta = \"theory\"\np = \"theory\"\n";

ProgramResult run_in(const TempFolder& folder, const std::string& config, std::vector<std::string> arguments) {
  folder.write("case.toml", config);
  arguments.insert(arguments.begin(), {"run", "case.toml"});
  return run_program({.arguments = std::move(arguments), .folder = folder.path()});
}

json read_json(const fs::path& file) { return json::parse(TempFolder::read(file)); }

std::string fingerprint(const fs::path& run, const std::string& label) {
  return without_column(read_csv(run / label / "metrics.csv"), "wall_s") + TempFolder::read(run / label / "model.npy");
}

TEST(TheoryValues, AreWrittenToTheConfigurationWhichRepeatsTheRunToTheBit) {
  const TempFolder folder;
  const ProgramResult result = run_in(folder, quadratic + from_theory + stop, {"--out", "one"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("dane+-gd, from theory: lambda = 8.94427 = 2 δ_A; eta = 100 = L"));
  const std::string text = TempFolder::read(folder / "one/config.toml");
  EXPECT_THAT(text, HasSubstr("  # theory: 2 δ_A\n"));
  EXPECT_THAT(text, HasSubstr("eta = 100  # theory: L\n"));
  EXPECT_THAT(text, Not(HasSubstr("\"theory\"")));
  ASSERT_EQ(run_program({.arguments = {"run", "one/config.toml", "--out", "two"}, .folder = folder.path()}).exit_code,
            0);
  for (const char* label : {"dane+-gd", "fedred-gd"})
    EXPECT_EQ(fingerprint(folder / "one", label), fingerprint(folder / "two", label)) << label;
  EXPECT_EQ(read_json(folder / "one/run.json").at("config_hash"), read_json(folder / "two/run.json").at("config_hash"));
  EXPECT_EQ(read_json(folder / "one/constants.json").at("L"), 100.0);
  EXPECT_FALSE(fs::exists(folder / "two/constants.json"));  // nothing asked for them
}

TEST(TheoryValues, AreMeasuredWhereTheProblemHasNoClosedForm) {
  const TempFolder folder;
  const ProgramResult result =
      run_in(folder,
             "[problem]\nkind = \"logistic\"\ndata = \"generated\"\nrows = 100\ndim = 8\n"
             "nonzeros_per_row = 4\nl2 = 0.01\n[federation]\nclients = 4\n[[method]]\nname = \"dane\"\n"
             "lambda = 1\n" +
                 stop,
             {"--out", "out", "-c", "method.lambda=theory"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json constants = read_json(folder / "out/constants.json");
  EXPECT_EQ(constants.at("at"), "start and optimum");
  EXPECT_EQ(constants.at("method"), "lanczos");
  EXPECT_GT(constants.at("delta_A"), 0.0);
}

TEST(TheoryValues, OfManyVariablesAreMeasuredAndRecordTheMethod) {
  const TempFolder folder;
  const ProgramResult result =
      run_in(folder,
             "[problem]\nkind = \"logistic\"\ndata = \"generated\"\nrows = 200\ndim = 3000\n"
             "nonzeros_per_row = 6\nl2 = 0.01\n[federation]\nclients = 2\n[[method]]\nname = "
             "\"fedred-gd\"\nlambda = \"theory\"\neta = \"theory\"\np = \"theory\"\ncertificate = true\n" +
                 stop,
             {"--out", "out"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("(measured by Lanczos at the start and at the optimum, to "));
  EXPECT_THAT(TempFolder::read(folder / "out/config.toml"),
              testing::ContainsRegex("lambda = [0-9.]+  # theory: δ_A; constants measured by Lanczos at the start"));
  const json constants = read_json(folder / "out/constants.json");
  EXPECT_EQ(constants.at("method"), "lanczos");
  EXPECT_EQ(constants.at("converged"), true);
  EXPECT_NEAR(constants.at("mu"), 0.01, 1e-15);  // there are fewer rows than columns
  EXPECT_LE(constants.at("errors").at("delta_A").get<double>(), 1e-7 * constants.at("delta_A").get<double>());
}

TEST(TheoryValues, ThatCannotBeUsedNameTheAssumption) {
  const TempFolder folder;
  const ProgramResult result =
      run_in(folder,
             "[problem]\nkind = \"quadratic\"\nclass = \"non-convex\"\ndim = 20\n[federation]\nclients = "
             "5\n[[method]]\nname = \"scaffnew\"\nstep = \"theory\"\np = \"theory\"\n" +
                 stop,
             {"--out", "out"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("p = min(1, √(γ μ))"));
  EXPECT_THAT(result.err, HasSubstr("strongly convex"));
}

TEST(TheoremChecks, AreWrittenAndShown) {
  const TempFolder folder;
  const ProgramResult result =
      run_in(folder, quadratic + from_theory + stop, {"--out", "out", "-c", "method.certificate=true"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("DANE+, inexact, relative errors"));
  EXPECT_THAT(result.out, HasSubstr("only a mean over seeds is a verdict"));
  const json certificate = read_json(folder / "out/dane+-gd/certificate.json");
  EXPECT_EQ(certificate.at("schema_version"), 1);
  EXPECT_EQ(certificate.at("verdict"), "holds");
  const json& theorem = certificate.at("theorems").at(0);
  EXPECT_EQ(theorem.at("rows").at("round").size(), 12U);
  EXPECT_EQ(theorem.at("rows").at("bound").size(), 12U);
  EXPECT_EQ(theorem.at("first_violation"), nullptr);
  EXPECT_THAT(theorem.at("erratum").get<std::string>(), HasSubstr("E-7"));
  EXPECT_EQ(theorem.at("assumptions").at(1).at("assumption"), "λ ≥ 2 δ_A");
  EXPECT_EQ(read_json(folder / "out/fedred-gd/certificate.json").at("verdict"), "observed");
  EXPECT_EQ(read_json(folder / "out/run.json").at("methods").at(0).at("certificate"), "holds");
}

TEST(TheoremChecks, JudgeMethodsThatDifferInTheirSeedTogether) {
  const TempFolder folder;
  std::string methods;
  for (const char* seed : {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"})
    methods +=
        std::string("[[method]]\nname = \"fedred-gd\"\nlambda = \"theory\"\neta = \"theory\"\np = \"theory\"\n") +
        "certificate = true\nseed = " + seed + "\n";
  const ProgramResult result = run_in(folder, quadratic + methods + stop, {"--out", "out", "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json out = json::parse(result.out);
  EXPECT_EQ(out.at("methods").at(2).at("certificate").at("verdict"), "holds");
  const json mean = read_json(folder / "out/fedred-gd-2/certificate.json").at("theorems").at(0).at("over_seeds");
  EXPECT_EQ(mean.at("methods").size(), 12U);
  EXPECT_EQ(mean.at("methods").at(2), "fedred-gd-3");
  EXPECT_EQ(mean.at("seeds_needed"), 12);
  EXPECT_EQ(mean.at("mean_ratio").size(), 12U);
}

TEST(TheoremChecks, NameTheAssumptionThatFails) {
  const TempFolder folder;
  const ProgramResult result =
      run_in(folder, quadratic + "[[method]]\nname = \"dane\"\nlambda = 0.1\ncertificate = true\n" + stop, {});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("not applicable"));
  EXPECT_THAT(result.out, HasSubstr("fails: λ ≥ δ_A; λ = 0.1"));
}

TEST(TheoremChecks, ThatFailEndTheRunWithSevenAfterEverythingIsWritten) {
  const TempFolder folder;
  const ProgramResult result =
      run_in(folder, quadratic + "[[method]]\nname = \"gd\"\nstep = 0.0202\ncertificate = \"force\"\n" + stop,
             {"--out", "out"});
  EXPECT_EQ(result.exit_code, 7) << result.err;
  EXPECT_THAT(result.err, HasSubstr("violates its theorem 'GD, any f'"));
  EXPECT_THAT(result.err, HasSubstr("its assumption γ ≤ 1/L_f does not hold"));
  EXPECT_THAT(TempFolder::read(folder / "out/config.toml"), HasSubstr("certificate = \"force\""));
  EXPECT_EQ(read_json(folder / "out/run.json").at("exit_code"), 7);
  const json certificate = read_json(folder / "out/gd/certificate.json");
  EXPECT_EQ(certificate.at("verdict"), "violated");
  EXPECT_GT(certificate.at("theorems").at(2).at("first_violation").at("round"), 0);
  EXPECT_TRUE(fs::exists(folder / "out/gd/model.npy"));
}

TEST(TheoremChecks, AcceptNoOtherText) {
  const TempFolder folder;
  const ProgramResult result =
      run_in(folder, quadratic + "[[method]]\nname = \"gd\"\nstep = 0.01\ncertificate = \"perhaps\"\n" + stop, {});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("true, false or \"force\""));
}

// Far out the logistic loss is nearly straight: constants measured at such a start alone promise far too long steps.
TEST(TheoremChecks, CannotBeDecidedByConstantsOfAStartThatIsFarOut) {
  const TempFolder folder;
  const ProgramResult result =
      run_in(folder,
             "[problem]\nkind = \"logistic\"\ndata = \"generated\"\nrows = 200\ndim = 8\n"
             "nonzeros_per_row = 4\nl2 = 0.01\nx0 = 30\nreference = \"none\"\n[federation]\nclients = 4\n"
             "[[method]]\nname = \"gd\"\nstep = \"theory\"\ncertificate = true\n[stop]\nrounds = 200\n",
             {"--out", "out"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("cannot be decided"));
  const json certificate = read_json(folder / "out/gd/certificate.json");
  EXPECT_EQ(certificate.at("verdict"), "cannot be decided");
  EXPECT_THAT(certificate.at("theorems").at(2).at("reason").get<std::string>(), HasSubstr("measured at single points"));
  EXPECT_GT(certificate.at("constants_everywhere").at("L_f"), certificate.at("constants").at("L_f"));
}

}  // namespace
}  // namespace driftless
