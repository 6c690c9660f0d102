// Tables, models and outputs that predict, evaluate and schema cannot use: one line each with the exit code and what is
// said; no file is replaced by half of a result.
#include "tests/cli/bad_case.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/tables/hostile_table.hpp"
#include "tests/support/packing.hpp"
#include "tests/support/temp_folder.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

// Many levels end soon, with the advice in the warning, and all of them are in the model.
TEST(ManyLevels, AreFittedWithAWarning) {
  const TempFolder folder;
  std::string text = "x,c,y\n";
  for (int k = 0; k < 100'000; ++k)
    text += std::to_string(k * 37 % 41) + ",L" + std::to_string(k) + "," + std::to_string(k % 7) + "\n";
  folder.write("a.csv", text);
  folder.write("schema.toml", usual_schema);
  folder.write("case.toml", "[problem]\nkind = \"glm\"\nfamily = \"least-squares\"\nschema = \"schema.toml\"\n"
                            "data = \"a.csv\"\nl2 = 1e-6\n[federation]\nclients = 2\n");
  const ProgramResult result =
      run_program({.arguments = {"run", "case.toml", "--out", "fit"}, .folder = folder.path()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("column 'c' has 100000 levels"));
  EXPECT_THAT(result.err, HasSubstr("merge rare levels by problem.min_count"));
  EXPECT_THAT(TempFolder::read(folder / "fit/auto/model.json"), HasSubstr("\"L99999\""));
  const ProgramResult merged = run_program(
      {.arguments = {"run", "case.toml", "--out", "merged", "-c", "problem.min_count=2"}, .folder = folder.path()});
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_THAT(merged.err, HasSubstr("column 'c' has one value at all sites"));
}

// The labels in another unit: the same model, its coefficients in that unit.
TEST(CrossValidation, DoesNotDependOnTheUnitOfTheLabels) {
  const TempFolder folder;
  for (const std::string unit : {"", "e5", "e-5"})
    folder.write("table" + unit + ".csv", table(0, 120, [&](TableRow& row, int k) {
                   row.y = std::to_string(2 * std::stoi(row.x) + k * 29 % 31) + unit;
                 }));
  folder.write("schema.toml", usual_schema);
  folder.write("case.toml", "[problem]\nkind = \"glm\"\nfamily = \"least-squares\"\nschema = \"schema.toml\"\n"
                            "data = \"table.csv\"\nl2 = \"cv\"\n[federation]\nclients = 3\n");
  const auto slope = [&](const std::string& unit) {
    const std::string out = "fit" + unit;
    const ProgramResult result =
        run_program({.arguments = {"run", "case.toml", "--out", out, "-c", "problem.data=table" + unit + ".csv"},
                     .folder = folder.path()});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const auto found = nlohmann::json::parse(TempFolder::read(folder / (out + "/auto/inference.json")));
    return found.at("coefficients").at(1).at("estimate").get<double>();
  };
  const double plain = slope("");
  EXPECT_NEAR(plain, 2.0, 0.2);
  EXPECT_NEAR(slope("e5"), 1e5 * plain, 1e-6 * 1e5);
  EXPECT_NEAR(slope("e-5"), 1e-5 * plain, 1e-6 * 1e-5);
}

// What is done with a model, or before one: the exit code, what is said, and that no file changes.
struct CommandCase {
  std::string name;
  std::vector<std::string> arguments;
  int exit_code;
  std::vector<std::string> fragments;
  std::string table = "x,c,y\n1,a,no\n2,b,yes\n";  // new.csv
  std::string model = {};                          // model.json; empty: none
};

std::ostream& operator<<(std::ostream& out, const CommandCase& one) { return out << one.name; }

class HostileCommands : public testing::TestWithParam<CommandCase> {};

TEST_P(HostileCommands, EndWithAClearErrorAndChangeNoFile) {
  const CommandCase& one = GetParam();
  const TempFolder folder;
  for (const char* name : {"a.csv", "b.csv"}) folder.write(name, table(*name == 'a' ? 0 : 20, 20));
  folder.write("schema.toml", usual_schema);
  folder.write("case.toml", "[problem]\nkind = \"glm\"\nschema = \"schema.toml\"\n[federation]\n"
                            "files = [\"a.csv\", \"b.csv\"]\n");
  ASSERT_EQ(run_program({.arguments = {"run", "case.toml", "--out", "fit"}, .folder = folder.path()}).exit_code, 0);
  const std::string fitted = TempFolder::read(folder / "fit/auto/model.json");
  folder.write("new.csv", one.table);
  folder.write("new.csv.gz", pack_gzip(one.table).substr(0, 25));
  if (!one.model.empty()) folder.write("model.json", one.model);
  const ProgramResult result = run_program({.arguments = one.arguments, .folder = folder.path()});
  EXPECT_EQ(result.exit_code, one.exit_code) << result.err;
  expect_message(result.err, one.fragments);
  EXPECT_EQ(result.out, "");
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  EXPECT_EQ(TempFolder::read(folder / "new.csv"), one.table);
  EXPECT_EQ(TempFolder::read(folder / "fit/auto/model.json"), fitted);
}

const std::vector<std::string> predict{"predict", "fit", "new.csv", "--out", "out"};

INSTANTIATE_TEST_SUITE_P(
    Predict, HostileCommands,
    testing::Values(
        CommandCase{
            "ARaggedLastRow", predict, data_fault, {"a row has 1 cell", "new.csv:4: '2'"}, "x,c\n1,a\n1,b\n2\n"},
        CommandCase{"ATextForANumber", predict, data_fault, {"not a number", "column 'x': 'old'"}, "x,c\n1,a\nold,b\n"},
        CommandCase{"ANulByte", predict, data_fault, {"NUL byte", "new.csv:2"}, "x,c\n1,a\0\n"s},
        CommandCase{"AHeaderOnly", predict, data_fault, {"a header and no rows"}, "x,c\n"},
        CommandCase{"AnEmptyTable", predict, data_fault, {"the table is empty", "new.csv"}, "\n"},
        CommandCase{"AnInfiniteNumber", predict, data_fault, {"a number is not finite", "new.csv:2"}, "x,c\ninf,a\n"},
        CommandCase{"AnotherTable", predict, data_fault, {"the table has no column 'c'", "new.csv:1"}, "x,d\n1,a\n"},
        CommandCase{"ATruncatedArchive", {"predict", "fit", "new.csv.gz", "--out", "out"}, data_fault, {"new.csv.gz"}},
        CommandCase{"OutputInPlaceOfTheTable",
                    {"predict", "fit", "new.csv", "--out", "./new.csv"},
                    usage,
                    {"the output would replace a file that is read", "--out ./new.csv"}},
        CommandCase{"OutputInPlaceOfTheModel",
                    {"predict", "fit", "new.csv", "--out", "fit/auto/model.json"},
                    usage,
                    {"the output would replace a file that is read"}},
        CommandCase{"KeepsAnUnknownColumn",
                    {"predict", "fit", "new.csv", "--out", "out", "--keep", "zone"},
                    data_fault,
                    {"the table has no column 'zone'"}},
        CommandCase{"KeepsAColumnTwice",
                    {"predict", "fit", "new.csv", "--out", "out", "--keep", "c", "--keep", "c"},
                    usage,
                    {"two columns of the predictions would have the same name"}},
        CommandCase{"OutputWithoutAFolder",
                    {"predict", "fit", "new.csv", "--out", "nowhere/out"},
                    data_fault,
                    {"the file cannot be written", "nowhere/out"}},
        CommandCase{"ATruncatedModel",
                    {"predict", "model.json", "new.csv"},
                    data_fault,
                    {"the file is not JSON", "model.json"},
                    "x,c\n1,a\n",
                    "{\"format\": \"driftless mo"},
        CommandCase{"AModelWithoutContent",
                    {"predict", "model.json", "new.csv"},
                    data_fault,
                    {"a key is missing", "model.json"},
                    "x,c\n1,a\n",
                    "{}"}),
    [](const auto& each) { return each.param.name; });

INSTANTIATE_TEST_SUITE_P(
    EvaluateAndSchema, HostileCommands,
    testing::Values(
        CommandCase{"AnUnknownClass",
                    {"evaluate", "fit", "new.csv"},
                    data_fault,
                    {"a label is none of the classes of the model", "row 1: 'maybe'"},
                    "x,c,y\n1,a,maybe\n"},
        CommandCase{"NoLabel", {"evaluate", "fit", "new.csv"}, data_fault, {"no column 'y'"}, "x,c\n1,a\n"},
        CommandCase{"AllLabelsMissing",
                    {"evaluate", "fit", "new.csv", "--out", "out"},
                    data_fault,
                    {"no row can be judged"},
                    "x,c,y\n1,a,NA\n"},
        CommandCase{"MeasuresInPlaceOfTheTable",
                    {"evaluate", "fit", "new.csv", "--out", "new.csv"},
                    usage,
                    {"the output would replace a file that is read"}},
        CommandCase{"SchemaInPlaceOfTheTable",
                    {"schema", "new.csv", "--out", "new.csv"},
                    usage,
                    {"the output would replace a file that is read"}},
        CommandCase{"ALabelThatNoFileHas",
                    {"schema", "new.csv", "--label", "died", "--out", "out"},
                    usage,
                    {"no file has the column that was chosen as the label", "--label died"}},
        CommandCase{"SchemaOfARaggedTable",
                    {"schema", "new.csv", "--out", "out"},
                    data_fault,
                    {"a row has 1 cell", "new.csv:3"},
                    "x,c\n1,a\n2\n"},
        CommandCase{
            "SchemaOfAnEmptyTable", {"schema", "new.csv", "--out", "out"}, data_fault, {"table is empty"}, "\n"}),
    [](const auto& each) { return each.param.name; });

// Names come from tables of others: what they contain must not reach a terminal as it is.
TEST(NamesOfLevels, AreShownWithoutControlCharacters) {
  const TempFolder folder;
  for (const char* name : {"a.csv", "b.csv"})
    folder.write(
        name, table(*name == 'a' ? 0 : 20, 20, [](TableRow& row, int) { row.c = row.c == "b" ? "b\x1b[2J" : row.c; }));
  folder.write("schema.toml", usual_schema);
  folder.write("case.toml", "[problem]\nkind = \"glm\"\nschema = \"schema.toml\"\n[federation]\n"
                            "files = [\"a.csv\", \"b.csv\"]\n");
  ASSERT_EQ(run_program({.arguments = {"run", "case.toml", "--out", "fit"}, .folder = folder.path()}).exit_code, 0);
  const ProgramResult summary = run_program({.arguments = {"summary", "fit"}, .folder = folder.path()});
  EXPECT_THAT(summary.out, HasSubstr("c=b\\x1b[2J"));
  EXPECT_EQ(summary.out.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace driftless
