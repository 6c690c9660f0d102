// What a site agrees to: its policy file, what it declines, and what it hears before it answers.
#include "driftless/methods/catalog.hpp"
#include "driftless/methods/second_order/whole_hessians.hpp"

#include "tests/cli/same_bits.hpp"
#include "tests/network/audit_lines.hpp"
#include "tests/network/table_silos.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using testing::HasSubstr;
using testing::Not;

const TablePipeline asked{.name = "asked",
                          .problem = "family = \"multinomial\"\nl2 = \"cv\"\nfolds = 4\npath_length = 5\n"
                                     "test = 0.25\nmin_count = 4\nmin_rows = 8\n"};

ProgramResult site(TableSilos& tables, const std::string& verb, const std::vector<std::string>& more) {
  Silos& silos = tables.silos();
  std::vector<std::string> arguments{verb,     silos.address(), "--tls", silos.certificates("north").string(),
                                     "--data", "table-0.csv"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program({.arguments = arguments, .folder = silos.home("north")});
}

struct Declined {
  std::string policy;
  std::string asked;  // in the message
  std::string line = "policy.toml:1: ";
};

TEST(Policy, WhatItDoesNotAllowIsDeclinedWithItsLineAndTheServerHearsWhy) {
  TableSilos tables(asked);
  Silos& silos = tables.silos();
  silos.start_server();
  silos.folder().write("north/own.toml", table_schema("visits"));
  const std::vector<Declined> cases{
      {"kinds = [\"logistic\"]", "kind of problem 'glm'"},
      {"families = [\"logistic\", \"poisson\"]", "family 'multinomial'"},
      {"methods = [\"newton-cg\"]", "'auto'"},
      {"schema = \"own.toml\"", "column 'visits': the server has role = \"ignored\"; this site has role = \"label\""},
      {"schema_digests = [\"" + std::string(64, 'a') + "\"]", "SHA-256 "},
      {"max_rounds = 900", "stop.rounds = 1000"},
      {"max_exchanges = 900", "stop.exchanges = any"},
      {"max_seconds = 60.5", "stop.seconds = any"},
      {"max_fits = 19", "4 folds of 5 values of l2"},
      {"min_rows = 9", "problem.min_rows = 8"},
      {"min_count = 5", "problem.min_count = 4"},
      {"matrices = false", "problem.standard_errors = true"},
      {"level_texts = false", "column 'ward' has no 'levels'"},
  };
  for (const Declined& one : cases) {
    SCOPED_TRACE(one.policy);
    silos.folder().write("north/policy.toml", one.policy + "\n");
    const ProgramResult result = site(tables, "join", {"--policy", "policy.toml"});
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(one.asked));
    EXPECT_THAT(result.err, HasSubstr(one.line + one.policy.substr(0, one.policy.find(' '))));
    EXPECT_THAT(result.err, HasSubstr("do:"));
    const ProgramResult before = site(tables, "preflight", {"--policy", "policy.toml"});
    EXPECT_EQ(before.exit_code, 2) << before.out;
    EXPECT_THAT(before.out, HasSubstr(one.asked));
  }
  const auto heard = audit_lines(silos.home("server") / "run" / "audit.jsonl", "declined");
  ASSERT_EQ(heard.size(), cases.size());
  for (std::size_t k = 0; k < cases.size(); ++k) {
    EXPECT_EQ(heard[k].at("site"), "north");
    EXPECT_THAT(heard[k].at("text").get<std::string>(), HasSubstr(cases[k].asked));
  }
  const auto own = audit_lines(silos.home("north") / "site-north" / "audit.jsonl", "declined");
  ASSERT_EQ(own.size(), cases.size());
  EXPECT_EQ(own.front().at("server"), "was told");
  EXPECT_TRUE(silos.prints("server", "site 'north' declines: "));
  silos.kill("server");
}

TEST(Policy, AServerThatWaitsInVainSaysWhatTheSiteDeclined) {
  TableSilos tables(asked);
  Silos& silos = tables.silos();
  silos.start_server({"--wait", "2"});
  silos.folder().write("north/policy.toml", "families = [\"logistic\"]\n");
  EXPECT_EQ(site(tables, "join", {"--policy", "policy.toml"}).exit_code, 2);
  const ProgramResult server = silos.wait("server");
  EXPECT_EQ(server.exit_code, 4);
  EXPECT_THAT(server.err, HasSubstr("site 'north' did not join within 2 s; it declines: the server asks for a family "
                                    "that this site does not allow (family 'multinomial'; policy.toml:1: "));
}

// A site that declined joins the same server with another policy, and the run is that of one process.
TEST(Policy, WhatItAllowsRunsAsWithoutOne) {
  TableSilos tables(asked);
  Silos& silos = tables.silos();
  const std::string bits = tables.bits_alone();
  silos.start_server();
  silos.folder().write("north/policy.toml", "kinds = [\"glm\"]\nmax_fits = 19\n");
  EXPECT_EQ(site(tables, "join", {"--policy", "policy.toml", "--out", "run"}).exit_code, 2);
  silos.folder().write("north/policy.toml",
                       "kinds = [\"glm\"]\nfamilies = [\"multinomial\"]\nmethods = [\"auto\"]\nmax_fits = 20\n"
                       "min_rows = 8\nmin_count = 4\nleast_rows = 30\nschema = \"own.toml\"\n");
  silos.folder().write("north/own.toml", "# the same, with a comment\n" + table_schema("outcome"));
  silos.start_site("north", {"--policy", "policy.toml"});
  for (const char* other : {"south", "west"}) silos.start_site(other);
  EXPECT_EQ(tables.fault(bits), "");
  const auto started = audit_lines(silos.home("north") / "run" / "audit.jsonl", "started");
  ASSERT_EQ(started.size(), 1U);
  EXPECT_THAT(started.front().at("policy").get<std::string>(), HasSubstr("max_fits = 20"));
}

TEST(Policy, TooFewRowsOfItsOwnEndTheRunWithAReason) {
  TableSilos tables(asked);
  Silos& silos = tables.silos();
  silos.folder().write("north/policy.toml", "# of our board\nleast_rows = 1000\n");
  silos.start_server();
  const ProgramResult before = site(tables, "preflight", {"--policy", "policy.toml"});
  EXPECT_EQ(before.exit_code, 2);
  EXPECT_THAT(before.out, HasSubstr("policy.toml:2: least_rows = 1000"));
  silos.start_site("north", {"--policy", "policy.toml"});
  for (const char* other : {"south", "west"}) silos.start_site(other);
  const std::optional<ProgramResult> north = silos.wait_for("north", 60);
  ASSERT_TRUE(north.has_value());
  EXPECT_EQ(north->exit_code, 2);
  EXPECT_THAT(north->err, HasSubstr("policy.toml:2: least_rows = 1000"));
  for (const char* who : {"server", "south", "west"}) {
    const std::optional<ProgramResult> result = silos.wait_for(who, 60);
    ASSERT_TRUE(result.has_value()) << who;
    EXPECT_EQ(result->exit_code, 3) << who << "\n" << result->err;
    EXPECT_THAT(result->err, HasSubstr("this site does not take part with so few rows")) << who;
  }
}

TEST(Policy, MeasuresOfItsOwnRowsStayAtTheSiteThatSaysSo) {
  TableSilos tables(asked);
  Silos& silos = tables.silos();
  silos.folder().write("north/policy.toml", "own_measures = false\n");
  silos.start_server();
  silos.start_site("north", {"--policy", "policy.toml"});
  for (const char* other : {"south", "west"}) silos.start_site(other);
  for (const std::string& who : silos.peers()) ASSERT_EQ(silos.wait(who).exit_code, 0) << who;
  const auto found = nlohmann::json::parse(TempFolder::read(silos.results("server") / "auto/evaluation.json"));
  std::size_t shown = 0;
  for (const auto& one : found.at("sites")) shown += one.contains("loss") ? 1 : 0;
  EXPECT_FALSE(found.at("sites")[0].contains("loss")) << "north";
  EXPECT_EQ(shown, 1U) << "a second one is left out, because the difference would show the first: " << found.dump();
  EXPECT_TRUE(found.at("test").contains("loss"));
}

TEST(Policy, IsReadStrictly) {
  const TempFolder folder;
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"max_round = 3", "did you mean 'max_rounds'?"},
      {"max_rounds = \"many\"", "policy.toml:1"},
      {"max_rounds = 0", "policy.toml:1"},
      {"matrices = 1", "true or false"},
      {"methods = [\"newton-gc\"]", "did you mean 'newton-cg'?"},
      {"kinds = [\"glmm\"]", "did you mean 'glm'?"},
      {"families = [\"poison\"]", "did you mean 'poisson'?"},
      {"schema_digests = [\"abc\"]", "64 hexadecimal digits"},
      {"[limits]\nmax_rounds = 3", "'limits'"},
      {"max_rounds = ", "policy.toml:1"},
  };
  for (const auto& [text, part] : wrong) {
    folder.write("policy.toml", text + "\n");
    const ProgramResult result = run_program(
        {.arguments = {"join", "127.0.0.1:1", "--plain", "--site", "north", "--policy", "policy.toml", "--wait", "0"},
         .folder = folder.path()});
    EXPECT_EQ(result.exit_code, 2) << text << "\n" << result.err;
    EXPECT_THAT(result.err, HasSubstr(part)) << text;
    EXPECT_THAT(result.err, HasSubstr("policy.toml")) << text;
  }
  const ProgramResult missing = run_program(
      {.arguments = {"join", "127.0.0.1:1", "--plain", "--site", "north", "--policy", "nowhere.toml", "--wait", "0"},
       .folder = folder.path()});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("nowhere.toml"));
}

TEST(Policy, AFlagReplacesTheKeyOfTheFile) {
  Silos silos(quadratic_config({"gd"}), {"north"});
  silos.folder().write("north/policy.toml", "max_rounds = 3\nmethods = [\"fedavg\"]\n");
  silos.start_server();
  const auto join = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"join",     silos.address(), "--tls", silos.certificates("north").string(),
                                       "--policy", "policy.toml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program({.arguments = arguments, .folder = silos.home("north")});
  };
  EXPECT_THAT(join({}).err, HasSubstr("policy.toml:2: methods = [\"fedavg\"]"));
  EXPECT_THAT(join({"--allow-methods", "gd"}).err, HasSubstr("stop.rounds = 8; policy.toml:1: max_rounds = 3"));
  EXPECT_THAT(join({"--allow-methods", "gd", "--max-rounds", "7"}).err, HasSubstr("--max-rounds: max_rounds = 7"));
  EXPECT_EQ(join({"--allow-methods", "gd", "--max-rounds", "8"}).exit_code, 0);
  EXPECT_EQ(silos.wait("server").exit_code, 0);
}

TEST(Offer, IsToldInPlainWordsBeforeAnythingIsDone) {
  TableSilos tables(asked);
  Silos& silos = tables.silos();
  silos.start_server();
  const ProgramResult plan = site(tables, "join", {"--dry-run"});
  EXPECT_EQ(plan.exit_code, 0) << plan.err;
  const std::vector<std::string> parts{
      "asks site 'north' to host 1 of 3 clients and to run auto",
      "family \"multinomial\"; explains 'outcome'",
      "numeric age, dose; categorical sex, ward; ordinal stage; nothing else",
      "schema: SHA-256 ",
      "test: 0.25 of the rows here",
      "gets: the levels of ward, where fewer than 4 rows here have one as \"(other)\"; the classes of outcome",
      "sums of squares about the mean",
      "4 folds of 5 values of l2, so 20 fits by auto, each of at most 500 rounds",
      "auto sends gradients, products with Hessians, or whole Hessians",
      "ends at: rounds = 1000, grad_norm_relative = 1e-10; without a limit of exchanges, seconds",
      "where they are at least 8",
      "local model: fitted to the rows here alone",
      "leaves for standard errors: two or three matrices",
  };
  for (const std::string& part : parts) EXPECT_THAT(plan.err, HasSubstr(part));
  EXPECT_THAT(plan.out, HasSubstr("[problem]"));
  EXPECT_FALSE(std::filesystem::exists(silos.home("north") / "site-north"));
  silos.folder().write("north/policy.toml", "level_texts = false\n");
  EXPECT_EQ(site(tables, "join", {"--dry-run", "--policy", "policy.toml"}).exit_code, 2);
  EXPECT_THAT(TempFolder::read(silos.home("server") / "run" / "audit.jsonl"), Not(HasSubstr("declined")));
  silos.kill("server");
}

TEST(Policy, RowsThatEverySiteSeesAreDeclined) {
  const std::string graph = "sonata-graph";
  for (const auto& [config, asked_for] :
       {std::pair{robust_config("aggregation = \"median\""), std::string("federation.aggregation = \"median\"")},
        std::pair{quadratic_config({graph}), "method '" + graph + "', which has no server"}}) {
    Silos silos(config, {"north", "south"});
    silos.start_server();
    silos.folder().write("north/policy.toml", "shared_rows = false\n");
    const ProgramResult result =
        run_program({.arguments = {"join", silos.address(), "--tls", silos.certificates("north").string(), "--policy",
                                   "policy.toml"},
                     .folder = silos.home("north")});
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr("every site sees the rows of the others"));
    EXPECT_THAT(result.err, HasSubstr(asked_for + "; policy.toml:1: shared_rows = false"));
    silos.kill("server");
  }
}

TEST(Policy, ASiteMayRequireThatRowsAreMasked) {
  for (const bool masked : {false, true}) {
    Silos silos(quadratic_config({"gd"}), {"north", "south", "west"}, masked ? "secure_sum = true\n" : "");
    silos.start_server();
    silos.folder().write("north/policy.toml", "secure_sum = true\n");
    const ProgramResult result =
        run_program({.arguments = {"join", silos.address(), "--tls", silos.certificates("north").string(), "--policy",
                                   "policy.toml", "--dry-run"},
                     .folder = silos.home("north")});
    EXPECT_EQ(result.exit_code, masked ? 0 : 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(masked ? "rows are masked" : "network.secure_sum = false; policy.toml:1"));
    silos.kill("server");
  }
}

TEST(Offer, TellsThatAllSitesGetTheRows) {
  Silos silos(robust_config("aggregation = \"median\""), {"north", "south"});
  silos.start_server();
  const ProgramResult plan =
      run_program({.arguments = {"join", silos.address(), "--tls", silos.certificates("north").string(), "--dry-run"},
                   .folder = silos.home("north")});
  EXPECT_EQ(plan.exit_code, 0) << plan.err;
  EXPECT_THAT(plan.err, HasSubstr("aggregation: median, for which all sites and the server get"));
  silos.kill("server");
}

// As counted: of the vectors that a client sends, most are those of matrices. `auto` sends what it chose.
TEST(Policy, TheMethodsThatSendHessiansAreThoseWhoseBytesAreTheirs) {
  const TempFolder folder;
  folder.write("case.toml", quadratic_config(all_method_names()));
  ASSERT_EQ(run_program({.arguments = {"run", "case.toml", "--out", "out"}, .folder = folder.path()}).exit_code, 0);
  for (const std::string& name : all_method_names()) {
    const Cells cells = read_csv(folder / "out" / name / "metrics.csv");
    const auto column = [&](const char* key) {
      return static_cast<std::size_t>(std::ranges::find(cells.front(), key) - cells.front().begin());
    };
    const double clients = 7, dim = 30, exchanges = std::stod(cells.back()[column("exchanges")]);
    const double vectors = std::stod(cells.back()[column("bytes_up")]) / (8 * clients * dim);
    EXPECT_TRUE(vectors <= 3 * exchanges || may_send_hessians(name, {})) << name << ": " << vectors / exchanges;
  }
}

}  // namespace
}  // namespace driftless
