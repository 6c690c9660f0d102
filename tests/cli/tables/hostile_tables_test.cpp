// Tables, schemas and settings that no model can be made of, or that a model must be warned of, through the program:
// one line each with the exit code and what is said. What the reader rejects by itself is in
// tests/data/tables/malformed_csv_test.cpp.
#include "tests/cli/bad_case.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/tables/hostile_table.hpp"
#include "tests/support/temp_folder.hpp"

#include <functional>
#include <gmock/gmock.h>

namespace driftless {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

struct TableCase {
  std::string name;
  int exit_code;
  std::vector<std::string> fragments;  // of standard error
  std::string a = table(0, 20);
  std::string b = table(20, 20);
  std::string problem = "family = \"logistic\"";
  std::string schema = usual_schema;
  std::string federation = "files = [\"a.csv\", \"b.csv\"]";
};

std::ostream& operator<<(std::ostream& out, const TableCase& one) { return out << one.name; }

TableCase both(std::string name, int exit_code, std::vector<std::string> fragments, const Change& change,
               std::string problem = "family = \"logistic\"") {
  return {.name = std::move(name),
          .exit_code = exit_code,
          .fragments = std::move(fragments),
          .a = table(0, 20, change),
          .b = table(20, 20, change),
          .problem = std::move(problem)};
}

TableCase with_schema(std::string name, int exit_code, std::vector<std::string> fragments, std::string schema) {
  return {
      .name = std::move(name), .exit_code = exit_code, .fragments = std::move(fragments), .schema = std::move(schema)};
}

TableCase with_problem(std::string name, int exit_code, std::vector<std::string> fragments, std::string problem) {
  return {.name = std::move(name),
          .exit_code = exit_code,
          .fragments = std::move(fragments),
          .problem = std::move(problem)};
}

TableCase with_weights(std::string name, int exit_code, std::vector<std::string> fragments,
                       const std::function<std::string(int)>& w, const std::string& role = "weight") {
  return {.name = std::move(name),
          .exit_code = exit_code,
          .fragments = std::move(fragments),
          .a = table_with(0, w),
          .b = table_with(20, w),
          .schema = schema_with(role)};
}

class HostileTables : public testing::TestWithParam<TableCase> {
 protected:
  ProgramResult run() const {
    const TableCase& one = GetParam();
    folder_.write("a.csv", one.a);
    folder_.write("b.csv", one.b);
    folder_.write("schema.toml", one.schema);
    folder_.write("case.toml", "[problem]\nkind = \"glm\"\nschema = \"schema.toml\"\n" + one.problem +
                                   "\n[federation]\n" + one.federation + "\n");
    return run_program({.arguments = {"run", "case.toml", "--out", "fit"}, .folder = folder_.path()});
  }

  const TempFolder folder_;
};

TEST_P(HostileTables, EndWithAClearErrorOrAreFittedWithAStatement) {
  const TableCase& one = GetParam();
  const ProgramResult result = run();
  ASSERT_EQ(result.signal, 0) << result.err;
  EXPECT_EQ(result.exit_code, one.exit_code) << result.err;
  for (const std::string& fragment : one.fragments) EXPECT_THAT(result.err, HasSubstr(fragment));
  EXPECT_EQ(std::filesystem::exists(folder_ / "fit/auto/model.json"), one.exit_code == 0);
  if (one.exit_code == 0) return;
  for (const char* part : {"error: ", "\n  seen: ", "\n  do:   "}) EXPECT_THAT(result.err, HasSubstr(part));
}

std::string name_of_case(const testing::TestParamInfo<TableCase>& each) { return each.param.name; }

const auto number_label = [](TableRow& row, int k) { row.y = std::to_string(3 * std::stoi(row.x) + k * 29 % 31); };
const auto count_label = [](TableRow& row, int k) { row.y = std::to_string(k * 29 % 7); };

INSTANTIATE_TEST_SUITE_P(
    Likelihood, HostileTables,
    testing::Values(
        both("PerfectSeparation", 0,
             {"warning: The labels are separated by", "without a penalty the coefficients grow without limit",
              "set problem.l2 above 0", "is one of these columns a copy of the label"},
             [](TableRow& row, int) { row.y = std::stoi(row.x) > 0 ? "yes" : "no"; }),
        both("QuasiSeparation", 0, {"warning: The labels are separated by", "c=b"},
             [](TableRow& row, int) { row.y = row.c == "a" ? "yes" : row.y; }),
        both(
            "SeparationOfOneOfThreeClasses", 0, {"warning: The labels are separated by", "c: c=c"},
            [](TableRow& row, int k) { row.y = row.c == "c" ? "c" : (k % 2 == 0 ? "a" : "b"); },
            "family = \"multinomial\""),
        both(
            "SeparationOfCounts", 0, {"warning: The labels are separated by", "c=b"},
            [](TableRow& row, int k) { row.y = row.c == "a" ? "0" : std::to_string(1 + k % 4); },
            "family = \"poisson\""),
        both(
            "CountsAllZero", 0, {"warning: "}, [](TableRow& row, int) { row.y = "0"; }, "family = \"poisson\""),
        both(
            "APenaltyEndsSeparation", 0, {"is one of these columns a copy of the label", "'c'"},
            [](TableRow& row, int) { row.c = row.y == "yes" ? "p" : "q"; }, "family = \"squared-hinge\"\nl2 = 1e-12"),
        both("LabelLeakOfAText", 0, {"predicted without an error by 'c'", "or known only after it?"},
             [](TableRow& row, int) { row.c = row.y == "yes" ? "p" : "q"; }),
        both(
            "LabelLeakOfANumber", 0, {"predicted without an error by 'x'", "or known only after it?"},
            [](TableRow& row, int) { row.y = std::to_string(2 * std::stoi(row.x) + 7); }, "family = \"least-squares\""),
        both(
            "LabelLeakOfALargeNumber", 0, {"predicted without an error by 'x'"},
            [](TableRow& row, int) { row.y = std::to_string(1'000'000 + std::stoi(row.x)); },
            "family = \"least-squares\""),
        both("LevelsThatNameRows", 0, {"The rows do not determine", "problem.l2 above 0"},
             [](TableRow& row, int k) { row.c = "id" + std::to_string(k); }),
        both(
            "ConstantNumbersAsLabels", 0, {"All labels are equal, or nearly so"},
            [](TableRow& row, int) { row.y = "7"; }, "family = \"least-squares\""),
        both("CollinearColumns", 0, {"The rows do not determine", "combinations of each other"},
             [](TableRow& row, int) {
               row.c = std::stoi(row.x) > 0 ? "p" : "q";
               row.x = row.c == "p" ? "3" : "1";
             })),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    Cells, HostileTables,
    testing::Values(both("AllCellsOfAColumnMissing", 0, {"warning: column 'x' has one value at all sites", "left out"},
                         [](TableRow& row, int) { row.x = "NA"; }),
                    both("AllCellsOfAllColumnsMissing", 0, {"column 'x' has one value", "column 'c' has one value"},
                         [](TableRow& row, int) { row.x = row.c = ""; }),
                    both("SomeCellsMissing", 0, {"40 rows used; 10 missing cells were filled"},
                         [](TableRow& row, int k) { row.x = k % 4 == 0 ? "?" : row.x; }),
                    both("AConstantColumn", 0, {"warning: column 'x' has one value at all sites"},
                         [](TableRow& row, int) { row.x = "3"; }),
                    both(
                        "AllColumnsConstantWithoutAnIntercept", data_fault,
                        {"no column is left that could explain the label"},
                        [](TableRow& row, int) {
                          row.x = "3";
                          row.c = "a";
                        },
                        "family = \"logistic\"\nintercept = false"),
                    both("AllLabelsMissing", data_fault, {"a client has no row that can be used", "20 without label"},
                         [](TableRow& row, int) { row.y = ""; }),
                    both("SomeLabelsMissing", 0, {"36 rows used; 4 rows without label left out"},
                         [](TableRow& row, int k) { row.y = k % 10 == 0 ? "NA" : row.y; }),
                    both("HugeNumbers", data_fault, {"the numbers of a column are too large", "column 'x'"},
                         [](TableRow& row, int k) { row.x = k == 3 ? "1e300" : row.x; }),
                    both("HugeNumbersOfBothSigns", data_fault, {"the numbers of a column are too large", "column 'x'"},
                         [](TableRow& row, int k) { row.x = k % 2 == 0 ? "1e308" : "-1e308"; }),
                    both("DenormalNumbers", 0, {"column 'x' has one value at all sites, up to rounding"},
                         [](TableRow& row, int k) { row.x = std::to_string(k) + "e-320"; }),
                    both("ALargeMeanAndASmallSpread", 0, {"auto: stopped"},
                         [](TableRow& row, int k) { row.x = "1000000000." + std::to_string(10 + k % 7); }),
                    both("AControlCharacterInALevel", 0, {"auto: stopped"},
                         [](TableRow& row, int) { row.c = row.c == "b" ? "\x1b[31m" : row.c; })),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    Labels, HostileTables,
    testing::Values(both("ASingleClass", data_fault, {"all rows of all clients have the same label", "column 'y'"},
                         [](TableRow& row, int) { row.y = "no"; }),
                    both("ThreeClassesForTwo", data_fault, {"more than two classes", "family = \"multinomial\""},
                         [](TableRow& row, int) { row.y = row.c; }),
                    with_problem("TextsForNumbers", data_fault, {"not a number", "a.csv:2: column 'y'"},
                                 "family = \"least-squares\""),
                    both(
                        "NegativeCounts", data_fault,
                        {"a label does not suit the family", "a.csv: column 'y', row 4: -1", "labels of poisson"},
                        [](TableRow& row, int k) { row.y = k == 3 ? "-1" : "2"; }, "family = \"poisson\""),
                    both(
                        "CountsThatAreNotWhole", 0, {"auto: stopped"},
                        [](TableRow& row, int k) { row.y = k % 2 == 0 ? "1.5" : "2"; }, "family = \"poisson\""),
                    both(
                        "ZeroAsALabelOfGamma", data_fault, {"a label does not suit the family", "row 4: 0", "positive"},
                        [](TableRow& row, int k) { row.y = k == 3 ? "0" : "2"; }, "family = \"gamma\""),
                    both(
                        "HugeLabels", data_fault, {"too large for double precision", "scale labels"},
                        [](TableRow& row, int k) { row.y = k == 3 ? "1e300" : "1"; }, "family = \"least-squares\""),
                    both(
                        "LabelsOfAnyScaleEndAFit", 0, {"stopped after 1 rounds (gradient norm reached)"},
                        [](TableRow& row, int k) {
                          number_label(row, k);
                          row.y += "e12";
                        },
                        "family = \"least-squares\""),
                    both(
                        "SmallLabelsAreFittedToo", 0, {"stopped after 1 rounds (gradient norm reached)"},
                        [](TableRow& row, int k) {
                          number_label(row, k);
                          row.y += "e-12";
                        },
                        "family = \"least-squares\""),
                    both(
                        "CountsOfVeryDifferentSizeEnd", 0, {"auto: stopped after"},
                        [](TableRow& row, int k) { row.y = k == 3 ? "1e15" : "2"; }, "family = \"poisson\""),
                    both(
                        "HuberFarFromTheLabels", 0, {"l-bfgs", "gradient norm reached"},
                        [](TableRow& row, int k) {
                          number_label(row, k);
                          row.y = "9" + std::to_string(1000 + std::stoi(row.y));
                        },
                        "family = \"huber\""),
                    both(
                        "QuantileFarFromTheLabels", 0, {"l-bfgs", "gradient norm reached"},
                        [](TableRow& row, int k) {
                          number_label(row, k);
                          row.y = "9" + std::to_string(1000 + std::stoi(row.y));
                        },
                        "family = \"quantile\""),
                    TableCase{.name = "AFitThatEndsEarlyIsNoMinimum",
                              .exit_code = 0,
                              .fragments = {"this is not the minimum"},
                              .federation = "files = [\"a.csv\", \"b.csv\"]\n[stop]\nrounds = 1"}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    Shapes, HostileTables,
    testing::Values(TableCase{.name = "OneRow",
                              .exit_code = 0,
                              .fragments = {"All labels are equal", "no more rows than coefficients"},
                              .a = "x,c,y\n1,a,3\n",
                              .problem = "family = \"least-squares\"",
                              .federation = "files = [\"a.csv\"]"},
                    TableCase{.name = "OneRowOfAClass",
                              .exit_code = data_fault,
                              .fragments = {"same label"},
                              .a = "x,c,y\n1,a,no\n",
                              .federation = "files = [\"a.csv\"]"},
                    TableCase{.name = "MoreCoefficientsThanRows",
                              .exit_code = 0,
                              .fragments = {"The rows do not determine", "no more rows than coefficients"},
                              .a = "x,c,y\n1,a,3\n2,b,5\n7,c,9\n",
                              .b = "x,c,y\n4,d,3\n",
                              .problem = "family = \"least-squares\""},
                    TableCase{.name = "AnEmptyTable",
                              .exit_code = data_fault,
                              .fragments = {"the table is empty", "a.csv"},
                              .a = ""},
                    TableCase{.name = "AHeaderOnly",
                              .exit_code = data_fault,
                              .fragments = {"a header and no rows", "b.csv"},
                              .b = "x,c,y\n"},
                    TableCase{.name = "DuplicateNames",
                              .exit_code = data_fault,
                              .fragments = {"two columns have the same name", "b.csv:1: column 4"},
                              .b = "x,c,y,x\n1,a,no,2\n"},
                    TableCase{.name = "NoColumnOfTheLabel",
                              .exit_code = data_fault,
                              .fragments = {"the table has no column 'y'", "b.csv:1"},
                              .b = "x,c\n1,a\n"},
                    TableCase{.name = "ARaggedRow",
                              .exit_code = data_fault,
                              .fragments = {"a row has 2 cells, but the header has 3", "b.csv:3"},
                              .b = "x,c,y\n1,a,no\n2,b\n"},
                    TableCase{.name = "ANulByte",
                              .exit_code = data_fault,
                              .fragments = {"NUL byte", "b.csv:2"},
                              .b = "x,c,y\n1,a\0,no\n"s},
                    TableCase{.name = "ACellOfTenMegabytes",
                              .exit_code = data_fault,
                              .fragments = {"more than 1048576 bytes", "b.csv:2: column 'c'"},
                              .b = "x,c,y\n1," + std::string(10'000'000, 'z') + ",no\n"},
                    TableCase{.name = "AQuoteThatIsNotClosed",
                              .exit_code = data_fault,
                              .fragments = {"a quoted cell is not closed", "b.csv:2"},
                              .b = "x,c,y\n1,\"a,no\n"},
                    TableCase{.name = "TheSameTableTwice",
                              .exit_code = 0,
                              .fragments = {"have the same bytes: their rows count twice"},
                              .b = table(0, 20)},
                    TableCase{.name = "MoreClientsThanRows",
                              .exit_code = usage,
                              .fragments = {"more clients than rows", "clients = 50"},
                              .problem = "data = \"a.csv\"",
                              .federation = "clients = 50"},
                    TableCase{.name = "AFileThatIsNotThere",
                              .exit_code = data_fault,
                              .fragments = {"'z.csv' was not found"},
                              .federation = "files = [\"a.csv\", \"z.csv\"]"}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    Weights, HostileTables,
    testing::Values(with_weights("AllZero", data_fault, {"the weights of all rows are zero", "column 'w'"},
                                 [](int) { return "0"; }),
                    with_weights("ZeroAtOneSite", 0, {"auto: stopped"}, [](int k) { return k < 20 ? "0" : "1"; }),
                    with_weights("Negative", data_fault, {"a weight is negative", "a.csv: column 'w', row 4: -1"},
                                 [](int k) { return k == 3 ? "-1" : "1"; }),
                    with_weights("Missing", data_fault, {"weights and offsets must be given in every row", "row 4"},
                                 [](int k) { return k == 3 ? "" : "1"; }),
                    with_weights("Huge", data_fault, {"the sum of the weights of all rows is out of the range", "'w'"},
                                 [](int) { return "1e308"; }),
                    with_weights("Denormal", data_fault, {"the sum of the weights of all rows is out of the range"},
                                 [](int) { return "1e-320"; }),
                    with_weights("Words", data_fault, {"not a number", "a.csv:2: column 'w': 'heavy'"},
                                 [](int) { return "heavy"; }),
                    with_weights(
                        "AnInfiniteOffset", data_fault, {"a number is not finite", "a.csv:5: column 'w': 'inf'"},
                        [](int k) { return k == 3 ? "inf" : "0"; }, "offset"),
                    with_weights(
                        "AMissingOffset", data_fault, {"weights and offsets must be given in every row"},
                        [](int k) { return k == 3 ? "NA" : "0"; }, "offset"),
                    TableCase{.name = "AnOffsetBeyondTheExponential",
                              .exit_code = data_fault,
                              .fragments = {"too large for double precision"},
                              .a = table_with(
                                  0, [](int k) { return k == 3 ? "800" : "0"; }, count_label),
                              .b = table_with(
                                  20, [](int) { return "0"; }, count_label),
                              .problem = "family = \"poisson\"",
                              .schema = schema_with("offset")}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    Schemas, HostileTables,
    testing::Values(
        with_schema("DuplicateColumn", usage, {"two columns have the same name", "schema.toml:11: column 'x'"},
                    usual_schema + schema_of_numbers),
        with_schema("UnknownRole", usage, {"'role' has a value that is not allowed", "role = \"number\"", "numeric"},
                    "[[column]]\nname = \"x\"\nrole = \"number\"\n" + schema_of_label),
        with_schema("TwoLabels", usage, {"two columns have a role that one can have", "columns 'y' and 'x'"},
                    schema_of_label + "[[column]]\nname = \"x\"\nrole = \"label\"\n"),
        with_schema("NoLabel", usage, {"the schema has no label"}, schema_of_numbers),
        with_schema("NoVariable", usage, {"no column that explains the label"}, schema_of_label),
        with_schema("UnknownKey", usage, {"unknown key 'levls'", "did you mean 'levels'?"},
                    usual_schema + "levls = [\"no\"]\n"),
        with_schema("ATableForASchema", usage, {"not valid TOML", "schema.toml:1"}, table(0, 3)),
        with_schema("Empty", usage, {"the schema has no label"}, ""),
        with_schema("OfAnotherTable", data_fault, {"the table has no column 'age'", "its columns: x, c, y"},
                    "[[column]]\nname = \"age\"\nrole = \"numeric\"\n" + schema_of_label),
        with_schema("TextsAsNumbers", data_fault, {"not a number", "a.csv:2: column 'c': 'a'"},
                    "[[column]]\nname = \"c\"\nrole = \"numeric\"\n" + schema_of_label),
        with_schema("UnknownLevelsOfAnOrdinalColumn", 0, {"40 rows used; ", " texts are no level of the model"},
                    schema_of_numbers + "[[column]]\nname = \"c\"\nrole = \"ordinal\"\nlevels = [\"a\", \"b\"]\n" +
                        schema_of_label),
        with_schema("UnknownLevelsOfACategoricalColumn", 0, {"40 rows used; ", " texts are no level of the model"},
                    schema_of_numbers + schema_of_classes + "levels = [\"a\", \"b\"]\n" + schema_of_label),
        with_schema("UnknownClasses", data_fault,
                    {"a label is none of the classes of the model", "a.csv: column 'y'", "the classes are no, maybe"},
                    usual_schema + "levels = [\"no\", \"maybe\"]\n"),
        with_schema("OrdinalWithoutLevels", usage, {"an ordinal column needs its levels in their order"},
                    "[[column]]\nname = \"c\"\nrole = \"ordinal\"\n" + schema_of_label)),
    name_of_case);

// All labels but one are "no".
const auto rare_class = [](TableRow& row, int k) { row.y = k == 3 ? "yes" : "no"; };

INSTANTIATE_TEST_SUITE_P(
    Settings, HostileTables,
    testing::Values(
        both("AClassWithOneRowUnderCrossValidation", 0, {"cross-validation: l2 = "}, rare_class,
             "family = \"logistic\"\nl2 = \"cv\"\ntest = 0.3"),
        both("AClassWithOneRowThatIsKeptForTheTest", data_fault,
             {"all rows of all clients have the same label", "kept for the test"}, rare_class,
             "family = \"logistic\"\ntest = 0.5"),
        with_problem("AlmostAllRowsForTheTest", usage, {"'test' has a value that is not allowed", "test = 0.99"},
                     "family = \"logistic\"\ntest = 0.99"),
        TableCase{.name = "AllRowsForTheTest",
                  .exit_code = data_fault,
                  .fragments = {"all rows of a client are kept for the test", "set problem.test lower"},
                  .b = "x,c,y\n1,a,yes\n2,b,no\n",
                  .problem = "family = \"logistic\"\ntest = 0.9"},
        with_problem("MoreFoldsThanRows", usage, {"a fold of the cross-validation has no row", "folds = 100"},
                     "family = \"logistic\"\nl2 = \"cv\"\nfolds = 100"),
        with_problem("OneFold", usage, {"'folds' has a value that is not allowed", "folds = 1"},
                     "family = \"logistic\"\nl2 = \"cv\"\nfolds = 1"),
        with_problem("AllLevelsAreRare", 0, {"column 'c' has one value at all sites"},
                     "family = \"logistic\"\nmin_count = 1000"),
        with_problem("WeightOfAnUnknownClass", usage, {"'class_weights' names a class that no row has", "maybe=3"},
                     "family = \"logistic\"\nclass_weights = [\"maybe=3\"]"),
        with_problem("AClassOfWeightZero", 0, {"warning: "}, "family = \"logistic\"\nclass_weights = [\"yes=0\"]"),
        with_problem("PenaltyOfAnUnknownColumn", usage,
                     {"'penalty_factors' names no column with a coefficient", "age=0"},
                     "family = \"logistic\"\npenalty_factors = [\"age=0\"]"),
        with_problem("PenaltyOfTheLabel", usage, {"'penalty_factors' names no column with a coefficient", "y=0"},
                     "family = \"logistic\"\npenalty_factors = [\"y=0\"]"),
        with_problem("TestFilesThatAreTooFew", usage, {"one test file for each file", "give 2 of them"},
                     "family = \"logistic\"\ntest_files = [\"a.csv\"]"),
        with_problem("NegativeL2", usage, {"'l2'", "l2 = -1"}, "family = \"logistic\"\nl2 = -1"),
        with_problem("UnknownFamily", usage, {"'family'", "logit"}, "family = \"logit\"")),
    name_of_case);

}  // namespace
}  // namespace driftless
