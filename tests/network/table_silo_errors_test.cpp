// Tables that do not fit: the site says what is wrong with which file, the server and the others hear it, and preflight
// finds it before the run.
#include "tests/network/table_silos.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>

namespace driftless {
namespace {

using testing::HasSubstr;

class TableErrors : public testing::Test {
 protected:
  void put(const std::string& site, const std::string& text) { silos().folder().write(site + "/table-0.csv", text); }
  // The table of a site with the cells changed that a pattern finds.
  void change(const std::string& site, const std::string& pattern, const std::string& cell) {
    const std::string text = TempFolder::read(silos().home(site) / "table-0.csv");
    put(site, std::regex_replace(text, std::regex(pattern), cell));
  }

  ProgramResult preflight(const std::string& site) {
    return run_program({.arguments = {"preflight", silos().address(), "--tls", silos().certificates(site).string(),
                                      "--data", "table-0.csv"},
                        .folder = silos().home(site)});
  }

  ProgramResult end_of(const std::string& who) {
    const std::optional<ProgramResult> result = silos().wait_for(who, 60);
    EXPECT_TRUE(result.has_value()) << who << " hangs\n" << silos().standard_error_of(who);
    return result.value_or(ProgramResult());
  }

  // At the site with its file, at the others with its name.
  void expect_told(const std::string& what, const std::string& seen) {
    silos().start_server();
    const ProgramResult before = preflight("south");
    EXPECT_EQ(before.exit_code, 5) << before.out;
    EXPECT_THAT(before.out, HasSubstr(seen));
    for (const std::string& site : silos().sites()) silos().start_site(site);
    const ProgramResult south = end_of("south");
    EXPECT_EQ(south.exit_code, 5) << south.err;
    EXPECT_THAT(south.err, HasSubstr(what));
    EXPECT_THAT(south.err, HasSubstr(seen));
    for (const char* who : {"server", "north", "west"}) {
      const ProgramResult result = end_of(who);
      EXPECT_EQ(result.exit_code, 3) << who << "\n" << result.err;
      EXPECT_THAT(result.err, HasSubstr("south")) << who;
      EXPECT_THAT(result.err, HasSubstr(what)) << who;
    }
  }

  Silos& silos() { return tables_.silos(); }

  TableSilos tables_{{.name = "plain", .problem = "family = \"multinomial\"\n"}, 30};
};

TEST_F(TableErrors, ATableWithoutTheColumnOfTheLabel) {
  change("south", ",outcome\n", ",result\n");
  expect_told("column", "'outcome'");
}

TEST_F(TableErrors, TextInAColumnWhereTheOthersHaveNumbers) {
  change("south", "\n3,[0-9]*,", "\n3,old,");
  expect_told("number", "table-0.csv:5");
}

TEST_F(TableErrors, ATableWithoutARowThatCanBeUsed) {
  change("south", "(better|same|worse)\n", "\n");
  expect_told("a client has no row that can be used", "table-0.csv");
}

TEST_F(TableErrors, ASiteWhoseRowsAllHaveOneClassTakesPart) {
  change("south", "(better|worse)\n", "same\n");
  const std::string bits = tables_.bits_alone();
  silos().start_server();
  const ProgramResult before = preflight("south");
  EXPECT_EQ(before.exit_code, 0) << before.out;
  EXPECT_THAT(before.out, HasSubstr("outcome = same: "));
  for (const std::string& site : silos().sites()) silos().start_site(site);
  EXPECT_EQ(tables_.fault(bits), "");
}

TEST_F(TableErrors, OneClassAtAllSitesIsTheSameErrorForAll) {
  for (const std::string& site : silos().sites()) change(site, "(better|worse)\n", "same\n");
  silos().start_all();
  for (const std::string& who : silos().peers()) {
    const ProgramResult result = end_of(who);
    EXPECT_EQ(result.exit_code, 5) << who << "\n" << result.err;
    EXPECT_THAT(result.err, HasSubstr("all rows of all clients have the same label")) << who;
  }
}

// With the classes in the schema the sites need not tell each other texts, and preflight compares which occur.
class NamedClasses : public TableErrors {
 protected:
  NamedClasses() {
    std::string schema = table_schema("outcome");
    schema += "levels = [\"better\", \"same\", \"worse\"]\n";
    silos().set_config("[problem]\nkind = \"glm\"\nfamily = \"multinomial\"\ndata = \"sites\"\nschema = '''\n" +
                       schema + "'''\n[federation]\nclients = 3\nthreads = 1\n");
  }
};

TEST_F(NamedClasses, ALabelThatIsNoneOfThem) {
  change("south", "(better|worse)\n", "dead\n");
  expect_told("a label is none of the classes", "'dead'");
}

TEST_F(NamedClasses, PreflightFindsThatAllSitesHaveOneClass) {
  for (const std::string& site : silos().sites()) change(site, "(better|worse)\n", "same\n");
  silos().start_server();
  EXPECT_EQ(preflight("north").exit_code, 0) << "the others may have other classes";
  EXPECT_EQ(preflight("south").exit_code, 0);
  const ProgramResult last = preflight("west");
  EXPECT_EQ(last.exit_code, 5);
  EXPECT_THAT(last.out, HasSubstr("all rows of all sites have the same label"));
  silos().kill("server");
}

}  // namespace
}  // namespace driftless
