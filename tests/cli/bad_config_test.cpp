// Malformed configurations: each ends with exit code 2 and a message that names its line.
#include "tests/cli/bad_case.hpp"

namespace driftless {
namespace {

BadCase bad_config(std::string name, std::string config, std::vector<std::string> fragments) {
  return {.name = std::move(name),
          .config = std::move(config),
          .flags = {},
          .files = {},
          .fragments = std::move(fragments)};
}

// The quadratics with another method, under the coordinate-wise median.
std::string with_median(const std::string& method) {
  return edit(edit(quadratic, "clients = 4", "clients = 4\naggregation = \"median\""),
              "name = \"fedred-gd\"\nlambda = 5\neta = 100\np = 0.1\n", method);
}

// Keys, tables and values that a configuration may not have.
std::vector<BadCase> bad_configurations() {
  const auto q = [](const std::string& from, const std::string& to) { return edit(quadratic, from, to); };
  return {
      bad_config("SyntaxError", q("dim = 20", "dim = = 20"), {"not valid TOML", "case.toml:4"}),
      bad_config("KeyTwice", q("dim = 20", "dim = 20\ndim = 30"), {"not valid TOML", "case.toml:5"}),
      bad_config("EmptyFile", "", {"no 'kind'", "case.toml"}),
      bad_config("UnknownTable", q("[stop]", "[stopp]"),
                 {"unknown table 'stopp'", "case.toml:12", "did you mean 'stop'"}),
      bad_config("TableAsValue", q("seed = 1\n", "seed = 1\nstop = 3\n"), {"not valid TOML"}),
      bad_config("ValueAsTable", "seed = 1\nproblem = 3\n", {"'problem' is a table", "case.toml:2"}),
      bad_config("SingleMethodTable", q("[[method]]", "[method]"), {"list of tables", "case.toml:7", "[[method]]"}),
      bad_config("UnknownTopKey", q("seed = 1", "sede = 1"),
                 {"unknown key 'sede'", "case.toml:1", "did you mean 'seed'"}),
      bad_config("NegativeSeed", q("seed = 1", "seed = -1"), {"'seed'", "case.toml:1: seed = -1", "whole number"}),
      bad_config("UnknownProblemKey", q("dim = 20", "dims = 20"),
                 {"unknown key 'dims'", "case.toml:4: dims = 20", "did you mean 'dim'"}),
      bad_config("UnknownKind", q("\"quadratic\"", "\"quadratics\""),
                 {"case.toml:3", "quadratic | logistic | least-squares"}),
      bad_config("NetworkWithoutModel", edit(q("\"quadratic\"", "\"torch\""), "dim = 20\n", ""),
                 {"'model' is required", "case.toml:2"}),
      bad_config("NetworkWithoutLibTorch", edit(q("\"quadratic\"", "\"torch\""), "dim = 20", "model = \"mlp\""),
                 {"need LibTorch", "case.toml:3: kind", "DRIFTLESS_WITH_TORCH=ON"}),
      bad_config("NetworkFromFiles",
                 edit(edit(q("\"quadratic\"", "\"torch\""), "dim = 20", "model = \"mlp\""), "clients = 4",
                      "files = [\"a.svm\"]"),
                 {"one folder", "case.toml:5"}),
      bad_config("NetworkUnknownKey", quadratic + "[network]\nsite = [\"north\"]\n",
                 {"unknown key 'site'", "did you mean 'sites'"}),
      bad_config("NetworkBadSiteName", quadratic + "[network]\nsites = [\"North Pole\"]\n",
                 {"lower-case letters", "\"North Pole\""}),
      bad_config("NetworkTwoSitesOfOneName", quadratic + "[network]\nsites = [\"a\", \"a\"]\n", {"same name"}),
      bad_config("NetworkMoreSitesThanClients", quadratic + "[network]\nsites = [\"a\", \"b\", \"c\", \"d\", \"e\"]\n",
                 {"more sites than clients"}),
      bad_config("NetworkHostsOthers", quadratic + "[network]\nsites = [\"a\", \"b\"]\nhosts = [1, 2]\n",
                 {"does not divide the clients", "the sum 3"}),
      bad_config("NetworkQuorum", quadratic + "[network]\nsites = [\"a\", \"b\"]\nquorum = 3\n",
                 {"more than there are sites", "quorum = 3"}),
      bad_config("NetworkOnLoss", quadratic + "[network]\nsites = [\"a\"]\non_loss = \"wait\"\n", {"abort | drop"}),
      bad_config("WrongType", q("dim = 20", "dim = \"twenty\""),
                 {"'dim'", "case.toml:4: dim = \"twenty\"", "a whole number >= 1"}),
      bad_config("FractionForCount", q("dim = 20", "dim = 2.5"), {"case.toml:4: dim = 2.5", "whole number"}),
      bad_config("DateAsValue", q("dim = 20", "dim = 2020-01-01"), {"type that is not supported", "case.toml:4"}),
      bad_config("NestedTable", q("dim = 20", "dim = {a = 1}"), {"type that is not supported", "case.toml:4"}),
      bad_config("TooFewVariables", q("dim = 20", "dim = 1"), {"too few variables", "case.toml:4: dim = 1"}),
      bad_config("ImpossibleConstants", q("dim = 20", "dim = 20\nL = 10"), {"do not fit below L", "case.toml:5"}),
      bad_config("ClientsInProblem", q("dim = 20", "clients = 4"), {"[federation]", "case.toml:4"}),
      bad_config("ZeroClients", q("clients = 4", "clients = 0"), {"case.toml:6: clients = 0", "whole number >= 1"}),
      bad_config("MissingClients", q("clients = 4\n", ""), {"'clients' is required", "case.toml:5"}),
      bad_config("UnknownAggregation", q("clients = 4", "clients = 4\naggregation = \"mode\""),
                 {"case.toml:7", "mean | median | trimmed-mean | geometric-median"}),
      bad_config("TrimOfAMedian", q("clients = 4", "clients = 4\naggregation = \"median\"\ntrim = 0.2"),
                 {"trimmed mean alone", "trim = 0.2"}),
      bad_config("TrimOfAHalf", q("clients = 4", "clients = 4\naggregation = \"trimmed-mean\"\ntrim = 0.5"),
                 {"case.toml:8: trim = 0.5"}),
      bad_config("RobustMeanOnAGraph", with_median("name = \"sonata-graph\"\nlambda = 1\n"),
                 {"needs the mean of its rows itself", "aggregation = \"median\", method \"sonata-graph\"", "gd, agd"}),
      bad_config(
          "RobustMeanOfSecureSums",
          with_median("name = \"gd\"\nstep = 0.1\n") + "[network]\nsites = [\"a\", \"b\", \"c\"]\nsecure_sum = true\n",
          {"secure sums hide the rows", "aggregation = \"median\"", "leave 'secure_sum' out"}),
      bad_config("RobustMeanByDefault", edit(with_median(""), "[[method]]\n", ""),
                 {"needs the mean of its rows itself", "\"auto\""}),
      bad_config("RobustMeanOfCodes", with_median("name = \"gd\"\nstep = 0.1\ncompressor = \"natural\"\n"),
                 {"codes of rows are summed", "leave 'compressor' out"}),
      bad_config("RobustMeanWithTheorems", with_median("name = \"gd\"\nstep = 0.01\ncertificate = true\n"),
                 {"theorems hold for the mean", "leave 'certificate' out"}),
      bad_config("NegativeThreads", q("clients = 4", "clients = 4\nthreads = -1"), {"case.toml:7: threads = -1"}),
      bad_config("TooManyThreads", q("clients = 4", "clients = 4\nthreads = 5000"),
                 {"case.toml:7: threads = 5000", "1024"}),
      bad_config("SplitOfQuadratics", q("clients = 4", "clients = 4\nsplit = \"iid\""),
                 {"no rows to split", "case.toml:5"}),
      bad_config("BadX0", q("dim = 20", "dim = 20\nx0 = \"start.txt\""), {"case.toml:5: x0 = \"start.txt\"", ".npy"}),
      bad_config("EmptyStop", q("rounds = 2\n", ""), {"nothing ends the run", "case.toml:12", "rounds"}),
      bad_config("NoStop", q("[stop]\nrounds = 2\n", ""), {"nothing ends the run", "case.toml"}),
      bad_config("UnknownStop", q("rounds = 2", "round = 2"),
                 {"unknown key 'round'", "case.toml:13", "did you mean 'rounds'"}),
      bad_config("NegativeGap", q("rounds = 2", "gap = -1"), {"case.toml:13: gap = -1"}),
      bad_config("GapWithoutReference",
                 edit(q("rounds = 2", "gap = 1e-3"), "dim = 20", "dim = 20\nreference = \"none\""),
                 {"'gap' needs the optimum", "case.toml:14"}),
      bad_config("GapOfNonConvex", edit(q("rounds = 2", "gap = 1e-3"), "dim = 20", "dim = 20\nclass = \"non-convex\""),
                 {"'gap' needs the optimum", "case.toml:14"}),
      bad_config("EveryZero", quadratic + "[output]\nevery = 0\n", {"case.toml:15: every = 0"}),
      bad_config("PathAsOutputName", quadratic + "[output]\nname = \"a/b\"\n", {"'name'", "a/b"}),
  };
}

// Methods and options that do not exist or do not fit each other.
std::vector<BadCase> bad_methods() {
  const auto q = [](const std::string& from, const std::string& to) { return edit(quadratic, from, to); };
  const auto method = [](const std::string& lines) {
    return edit(quadratic, "name = \"fedred-gd\"\nlambda = 5\neta = 100\np = 0.1", lines);
  };
  return {
      bad_config("UnknownMethod", q("\"fedred-gd\"", "\"fedred-dg\""),
                 {"no method 'fedred-dg'", "case.toml:8", "did you mean 'fedred-gd'"}),
      bad_config("MethodWithoutName", q("name = \"fedred-gd\"\n", ""), {"no name", "case.toml:7"}),
      bad_config("UnknownOption", q("lambda = 5", "lamda = 5"),
                 {"unknown key 'lamda'", "case.toml:9: lamda = 5", "did you mean 'lambda'"}),
      bad_config("NegativeLambda", q("lambda = 5", "lambda = -5"),
                 {"'lambda'", "case.toml:9: lambda = -5", "a number >= 0"}),
      bad_config("InfiniteLambda", q("lambda = 5", "lambda = inf"), {"case.toml:9: lambda = inf"}),
      bad_config("ProbabilityAboveOne", q("p = 0.1", "p = 1.5"), {"'p'", "case.toml:11: p = 1.5"}),
      bad_config("ProbabilityZero", q("p = 0.1", "p = 0"), {"'p'", "case.toml:11: p = 0"}),
      bad_config("MissingEta", q("eta = 100\n", ""), {"'eta' is required", "case.toml:7"}),
      bad_config("FixedOption", q("p = 0.1", "p = 0.1\nsolver = \"exact\""),
                 {"'solver' is settled by the name", "case.toml:12"}),
      bad_config("UnknownSolver", method("name = \"dane+\"\nlambda = 5\nsolver = \"magic\""),
                 {"'solver'", "case.toml:10: solver = \"magic\"", "newton-cg"}),
      bad_config("SolverWithoutEta", method("name = \"dane+\"\nlambda = 5\nsolver = \"gd\""),
                 {"needs 'eta'", "case.toml:7: eta = 0"}),
      bad_config("DriftWithRandom", q("p = 0.1", "p = 0.1\ncontrol_variate = \"drift\"\naveraging = \"random\""),
                 {"drift", "case.toml:12", "averaging"}),
      bad_config("SgdWithRule", method("name = \"dane+-sgd\"\nlambda = 5\neta = 100\nstop_rule = \"e_r\""),
                 {"'sgd'", "case.toml:11: stop_rule = \"e_r\""}),
      bad_config("DuplicateLabels",
                 q("p = 0.1", "p = 0.1\nlabel = \"a\"\n[[method]]\nname = \"gd\"\nstep = 1\nlabel = \"a\""),
                 {"same label", "case.toml:16", "case.toml:7"}),
      bad_config("LabelMeetsAutomaticOne", q("p = 0.1", "p = 0.1\nlabel = \"gd\"\n[[method]]\nname = \"gd\"\nstep = 1"),
                 {"same label", "case.toml:13"}),
      bad_config("TitleHasALineEnd", q("p = 0.1", "p = 0.1\ntitle = \"a\\nb\""), {"'title'", "case.toml:12: title = "}),
      bad_config("TitleIsBlank", q("p = 0.1", "p = 0.1\ntitle = \" \""), {"'title'", "case.toml:12: title = \" \""}),
      bad_config("LabelIsPath", q("p = 0.1", "p = 0.1\nlabel = \"../up\""),
                 {"'label'", "case.toml:12: label = \"../up\""}),
      bad_config("UnknownOutputPoint", q("p = 0.1", "p = 0.1\noutput = \"middle\""),
                 {"case.toml:12: output = \"middle\"", "best-gradient"}),
      bad_config("AutoSavesSomethingElse", method("name = \"auto\"\nsave = \"money\""),
                 {"'save'", "case.toml:9: save = \"money\"", "exchanges | bytes | messages | local | time"}),
      bad_config("AutoSavesTimeOnNoLink", method("name = \"auto\"\nsave = \"time\""),
                 {"needs the network", "case.toml:7", "link = \"20ms,100Mbit\""}),
      bad_config("AutoHasAnIdleLink", method("name = \"auto\"\nlink = \"20ms,100Mbit\""),
                 {"'link' is used only", "case.toml:9", "save = \"time\""}),
      bad_config("AutoHasALinkOfNoSpeed", method("name = \"auto\"\nsave = \"time\"\nlink = \"20ms,fast\""),
                 {"a part of a link was not understood", "link = \"20ms,fast\": 'fast'", "100Mbit"}),
      bad_config("OutputPointOfOthers", method("name = \"gd\"\nstep = 0.01\noutput = \"weighted\""),
                 {"'output'", "case.toml:10: output = \"weighted\""}),
  };
}

class BadConfiguration : public testing::TestWithParam<BadCase> {};

TEST_P(BadConfiguration, IsRejectedWithItsLineAndAdvice) { expect_rejection(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Tables, BadConfiguration, testing::ValuesIn(bad_configurations()), name_of);
INSTANTIATE_TEST_SUITE_P(Methods, BadConfiguration, testing::ValuesIn(bad_methods()), name_of);

}  // namespace
}  // namespace driftless
