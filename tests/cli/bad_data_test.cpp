// Malformed data: exit code 5 where a file is invalid, 2 where the configuration does not fit the data.
#include "tests/cli/bad_case.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/packing.hpp"
#include "tests/support/temp_folder.hpp"

namespace driftless {
namespace {

// A NumPy file of float64 with that shape and these bytes of numbers.
std::string npy(const std::string& shape, std::size_t numbers, const std::string& last_eight = std::string(8, '\0')) {
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.resize(117, ' ');
  header += '\n';
  std::string bytes = std::string("\x93NUMPY\x01\x00", 8) + std::string("\x76\x00", 2) + header;
  for (std::size_t k = 0; k < numbers; ++k) bytes += k + 1 == numbers ? last_eight : std::string(8, '\0');
  return bytes;
}

using Files = std::vector<std::pair<std::string, std::string>>;

BadCase bad_data(std::string name, std::string config, Files files, int exit_code, std::vector<std::string> fragments) {
  return {.name = std::move(name),
          .config = std::move(config),
          .flags = {},
          .files = std::move(files),
          .exit_code = exit_code,
          .fragments = std::move(fragments)};
}

// Files that are missing, damaged or do not fit.
std::vector<BadCase> bad_data_cases() {
  const auto l = [](const std::string& from, const std::string& to) { return edit(logistic, from, to); };
  const std::string not_a_number("\0\0\0\0\0\0\xF8\x7F", 8);
  const std::string from_file = edit(quadratic, "dim = 20", "dim = 20\nx0 = \"x0.npy\"");
  const std::string packed = pack_zstd(rows);
  return {
      bad_data("MissingData", logistic, {}, data_fault, {"'data.svm' was not found", "case.toml:4"}),
      bad_data("NoData", l("data = \"data.svm\"\n", ""), {}, usage, {"'data' is required", "case.toml:2"}),
      bad_data("IndexZero", logistic, {{"data.svm", "1 1:1\n-1 0:1\n"}}, data_fault, {"index 0", "data.svm:2"}),
      bad_data("FallingIndex", logistic, {{"data.svm", "1 1:1\n-1 3:1 2:1\n"}}, data_fault,
               {"do not rise", "data.svm:2"}),
      bad_data("NotANumberInData", logistic, {{"data.svm", "1 1:1\n-1 1:nan\n"}}, data_fault,
               {"not finite", "data.svm:2"}),
      bad_data("ThreeLabels", logistic, {{"data.svm", "1 1:1\n-1 1:1\n2 1:1\n"}}, data_fault, {"data.svm:3"}),
      bad_data("NoRows", logistic, {{"data.svm", "# nothing\n"}}, data_fault, {"no rows", "data.svm"}),
      bad_data("TruncatedZst", l("data.svm", "data.svm.zst"), {{"data.svm.zst", packed.substr(0, packed.size() - 4)}},
               data_fault, {"data.svm.zst"}),
      bad_data("MoreClientsThanRows", l("clients = 2", "clients = 9"), {{"data.svm", rows}}, usage,
               {"more clients than rows", "case.toml:6: clients = 9"}),
      bad_data("WrongDimension", l("data = \"data.svm\"", "data = \"data.svm\"\ndim = 2"), {{"data.svm", rows}},
               data_fault, {"larger than the given dimension 2", "data.svm:4"}),
      bad_data("ZeroDimension", l("data = \"data.svm\"", "data = \"data.svm\"\ndim = 0"), {{"data.svm", rows}}, usage,
               {"case.toml:5: dim = 0"}),
      bad_data("NegativeL2", l("data = \"data.svm\"", "data = \"data.svm\"\nl2 = -1"), {{"data.svm", rows}}, usage,
               {"'l2'", "case.toml:5: l2 = -1", "1/M"}),
      bad_data("GeneratorsStartOfData", l("data = \"data.svm\"", "data = \"data.svm\"\nx0 = \"generator\""),
               {{"data.svm", rows}}, usage, {"no start of its own", "case.toml:5"}),
      bad_data("AlphaZero", l("clients = 2", "clients = 2\nsplit = \"dirichlet\"\nalpha = 0"), {{"data.svm", rows}},
               usage, {"'alpha'", "case.toml:8: alpha = 0", "above 0"}),
      bad_data("UnknownSplit", l("clients = 2", "clients = 2\nsplit = \"even\""), {{"data.svm", rows}}, usage,
               {"case.toml:7: split = \"even\"", "contiguous"}),
      bad_data("AbsentPositiveLabel", l("data = \"data.svm\"", "data = \"data.svm\"\npositive_label = 7"),
               {{"data.svm", rows}}, data_fault, {"positive_label = 7", "data.svm"}),
      bad_data("PositiveLabelOfLeastSquares",
               edit(l("\"logistic\"", "\"least-squares\""), "data = \"data.svm\"",
                    "data = \"data.svm\"\npositive_label = 1"),
               {{"data.svm", rows}}, usage, {"'positive_label'", "case.toml:5"}),
      bad_data("GeneratorKeyWithFile", l("data = \"data.svm\"", "data = \"data.svm\"\nrows = 10"), {{"data.svm", rows}},
               usage, {"unknown key 'rows'", "case.toml:5"}),
      bad_data("TooDenseGenerator", l("data = \"data.svm\"", "data = \"generated\"\ndim = 3\nnonzeros_per_row = 5"), {},
               usage, {"case.toml:6: nonzeros_per_row"}),
      bad_data("DataAndFiles", l("clients = 2", "files = [\"data.svm\"]"), {{"data.svm", rows}}, usage,
               {"not from both", "case.toml:4"}),
      bad_data("FilesAndSplit",
               edit(l("data = \"data.svm\"\n", ""), "clients = 2", "files = [\"data.svm\"]\nsplit = \"iid\""),
               {{"data.svm", rows}}, usage, {"no rows to split", "case.toml:4"}),
      bad_data("FilesAndOtherCount",
               edit(l("data = \"data.svm\"\n", ""), "clients = 2", "clients = 2\nfiles = [\"data.svm\"]"),
               {{"data.svm", rows}}, usage, {"number of files", "case.toml:5: clients = 2"}),
      bad_data("FilesNotTexts", edit(l("data = \"data.svm\"\n", ""), "clients = 2", "files = [1, 2]"), {}, usage,
               {"'files'", "case.toml:5"}),
      bad_data("EmptyClientFile",
               edit(l("data = \"data.svm\"\n", ""), "clients = 2", "files = [\"data.svm\", \"b.svm\"]"),
               {{"data.svm", rows}, {"b.svm", ""}}, data_fault, {"no rows", "b.svm"}),
      bad_data("FilesBeyondDimension",
               edit(l("data = \"data.svm\"", "dim = 3"), "clients = 2", "files = [\"data.svm\", \"b.svm\"]"),
               {{"data.svm", rows}, {"b.svm", "1 5:1\n"}}, data_fault, {"dimension 3", "b.svm:1"}),
      bad_data("MissingClientFile",
               edit(l("data = \"data.svm\"\n", ""), "clients = 2", "files = [\"data.svm\", \"b.svm\"]"),
               {{"data.svm", rows}}, data_fault, {"'b.svm' was not found", "case.toml:5"}),
      bad_data("StartMissing", from_file, {}, data_fault, {"x0.npy"}),
      bad_data("StartNotNumpy", from_file, {{"x0.npy", "1 2 3\n"}}, data_fault, {"not a NumPy file", "x0.npy"}),
      bad_data("StartCutShort", from_file, {{"x0.npy", npy("20,", 11)}}, data_fault, {"cut short", "x0.npy"}),
      bad_data("StartOfOtherLength", from_file, {{"x0.npy", npy("3,", 3)}}, data_fault,
               {"another dimension", "x0.npy: 3 entries"}),
      bad_data("StartIsMatrix", from_file, {{"x0.npy", npy("4, 5", 20)}}, data_fault, {"no vector", "x0.npy"}),
      bad_data("StartWithNotANumber", from_file, {{"x0.npy", npy("20,", 20, not_a_number)}}, data_fault,
               {"not finite", "x0.npy: entry 19"}),
  };
}

class BadData : public testing::TestWithParam<BadCase> {};

TEST_P(BadData, IsRejectedWithItsLocationAndAdvice) { expect_rejection(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Table, BadData, testing::ValuesIn(bad_data_cases()), name_of);

TEST(BadCases, UnchangedConfigurationsOfTheTablesAreValid) {
  const TempFolder folder;
  folder.write("quadratic.toml", quadratic);
  folder.write("logistic.toml", logistic);
  folder.write("data.svm", rows);
  EXPECT_EQ(run_program({.arguments = {"run", "quadratic.toml"}, .folder = folder.path()}).exit_code, 0);
  EXPECT_EQ(run_program({.arguments = {"run", "logistic.toml"}, .folder = folder.path()}).exit_code, 0);
}

}  // namespace
}  // namespace driftless
