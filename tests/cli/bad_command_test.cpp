// Malformed flags, arguments and environment.
#include "tests/cli/bad_case.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

namespace driftless {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

BadCase bad_flag(std::string name, std::vector<std::string> flags, Files files, std::vector<std::string> fragments) {
  return {.name = std::move(name),
          .config = quadratic,
          .flags = std::move(flags),
          .files = std::move(files),
          .fragments = std::move(fragments)};
}

std::vector<BadCase> bad_flags() {
  return {
      bad_flag("FlagWithoutValue", {"-c", "stop.rounds"}, {}, {"key=value", "-c stop.rounds"}),
      bad_flag("FlagUnknownTable", {"-c", "stopp.rounds=1"}, {},
               {"unknown table 'stopp'", "-c stopp.rounds=1", "did you mean 'stop'"}),
      bad_flag("FlagUnknownKey", {"-c", "stop.round=1"}, {}, {"unknown key 'round'", "-c stop.round=1"}),
      bad_flag("FlagBadValue", {"-c", "method.p=7"}, {}, {"'p'", "-c method.p=7: p = 7"}),
      bad_flag("FlagForNoMethod", {"-c", "method.stepp=1"}, {},
               {"no method of this configuration has the option 'stepp'", "-c method.stepp=1"}),
      bad_flag("FlagUnknownLabel", {"-c", "method.gd.step=1"}, {},
               {"no method of this configuration has the label 'gd'", "labels here: fedred-gd"}),
      bad_flag("SaveForNoMethod", {"--save", "bytes"}, {},
               {"no method of this configuration has the option 'save'", "-c method.save=bytes"}),
      bad_flag("SaveUnknown", {"--save", "money"}, {}, {"not understood", "--save", "money", "exchanges, bytes"}),
      bad_flag("SaveTimeWithoutLink", {"--save", "time"}, {}, {"--save time needs the network", "0 flags --link"}),
      bad_flag("SaveTimeOnTwoLinks", {"--save", "time", "--link", "1ms", "--link", "2ms"}, {},
               {"--save time needs the network", "2 flags --link"}),
      bad_flag("SaveTimeOnABadLink", {"--save", "time", "--link", "1ms,fast"}, {},
               {"a part of a link was not understood", "--link \"1ms,fast\": 'fast'"}),
      bad_flag("UnknownFlag", {"--speed", "3"}, {}, {"'run' has no option --speed", "driftless run --help"}),
      bad_flag("FlagNearAnother", {"--output", "x"}, {}, {"has no option --output", "did you mean --out?"}),
      bad_flag("BadFormat", {"--format", "xml"}, {}, {"not understood", "--format", "xml"}),
      bad_flag("BadTransport", {"--transport", "pigeon"}, {}, {"not understood", "--transport", "pigeon"}),
#ifdef DRIFTLESS_WITHOUT_MPI
      bad_flag("TransportOfAnotherBuild", {"--transport", "mpi"}, {},
               {"without MPI", "--transport mpi", "DRIFTLESS_WITH_MPI=ON"}),
#endif
      bad_flag("OutNotEmpty", {"--out", "full"}, {{"full/file", "x"}}, {"not empty", "--out: full"}),
      bad_flag("OutIsFile", {"--out", "file"}, {{"file", "x"}},
               {"results cannot be written to this folder", "--out: file"}),
      bad_flag("OutBelowFile", {"--out", "file/below"}, {{"file", "x"}},
               {"results cannot be written to this folder", "--out: file/below"}),
      bad_flag("OutInProc", {"--out", "/proc/driftless"}, {},
               {"results cannot be written to this folder", "/proc/driftless"}),
      bad_flag("OutputDirBelowFile", {"-c", "output.dir=file/runs"}, {{"file", "x"}},
               {"results cannot be written to this folder", "output.dir"}),
  };
}

class BadFlag : public testing::TestWithParam<BadCase> {};

TEST_P(BadFlag, IsRejectedWithAdvice) { expect_rejection(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Table, BadFlag, testing::ValuesIn(bad_flags()), name_of);

struct BadCommand {
  std::string name;
  std::vector<std::string> arguments;
  std::pair<std::string, std::string> environment;
  int exit_code;
  std::vector<std::string> fragments;
};

std::ostream& operator<<(std::ostream& out, const BadCommand& bad) { return out << bad.name; }

std::vector<BadCommand> bad_commands() {
  return {
      {"CompareUnknownMethod",
       {"compare", "nowhere.toml", "--methods", "gd,danne"},
       {},
       usage,
       {"no method 'danne'", "did you mean 'dane'"}},
      {"CompareBadTarget", {"compare", "nowhere.toml", "--target", "2"}, {}, usage, {"above 0 and below 1"}},
      {"CompareBadFormat", {"compare", "nowhere.toml", "--format", "xml"}, {}, usage, {"not understood", "markdown"}},
      {"ReproduceUnknown", {"reproduce", "fig9"}, {}, usage, {"not understood", "fig9"}},
      {"ReproduceOutsideTheGrid", {"reproduce", "fig3", "--rates", "0.3"}, {}, usage, {"learning rate", "0.3"}},
      {"ReproduceIntoAFile", {"reproduce", "fig1", "--out", "/proc/driftless/fig1"}, {}, usage, {"cannot be written"}},
      {"MissingConfiguration", {"run", "nowhere.toml"}, {}, usage, {"cannot be read", "nowhere.toml"}},
      {"FolderAsConfiguration", {"run", "."}, {}, usage, {"this is a folder"}},
      {"NoConfiguration", {"run"}, {}, usage, {"FILE is required", "driftless run --help"}},
      {"UnknownCommand", {"rnu"}, {}, usage, {"rnu", "did you mean 'run'"}},
      {"UnknownMethodToDescribe",
       {"describe", "fedredgd"},
       {},
       usage,
       {"no method 'fedredgd'", "did you mean 'fedred-gd'"}},
      {"MethodAsThePaperSpellsIt", {"describe", "DANE+-GD"}, {}, usage, {"did you mean 'dane+-gd'"}},
      {"UnknownDataName", {"data", "info", "nothing"}, {}, data_fault, {"'nothing' was not found"}},
      {"KnownDataThatIsNotHere", {"data", "info", "mushrooms"}, {}, data_fault, {"driftless data get mushrooms"}},
      {"ReportOfNothing", {"report"}, {}, usage, {"DIR is required", "driftless report --help"}},
      {"ReportOfMissing", {"report", "nowhere"}, {}, data_fault, {"no such directory", "nowhere"}},
      {"ReportOfNoRun", {"report", "."}, {}, data_fault, {"not the directory of a run", "no file config.toml"}},
      {"ExportOfMissing", {"export", "nowhere"}, {}, usage, {"cannot be read", "nowhere"}},
      {"LivePortTooLarge", {"run", "good.toml", "--live=99999"}, {}, usage, {"not a port", "--live=99999"}},
      {"LivePortNoNumber", {"run", "good.toml", "--live=x"}, {}, usage, {"not understood", "--live"}},
      {"SplitWithoutClients", {"data", "split", "x"}, {}, usage, {"--clients is required"}},
      {"SplitUnknown",
       {"data", "split", "good.svm", "--clients", "2", "--split", "odd"},
       {},
       usage,
       {"no such split", "--split odd"}},
      {"SplitAlphaNegative",
       {"data", "split", "good.svm", "--clients", "2", "--dirichlet", "-1"},
       {},
       usage,
       {"Dirichlet", "alpha = -1"}},
      {"SplitIntoTooMany", {"data", "split", "good.svm", "--clients", "20"}, {}, usage, {"more clients than rows"}},
      {"GenerateBadValue", {"data", "generate", "quadratic", "--dim", "many"}, {}, usage, {"'dim'", "--dim many"}},
      {"GenerateWithoutFile", {"data", "generate", "classification"}, {}, usage, {"--out is required"}},
      {"GenerateUnwritable",
       {"data", "generate", "classification", "--rows", "5", "--out", "/proc/x.svm"},
       {},
       usage,
       {"cannot be written", "--out /proc/x.svm"}},
      {"ThreadsOfEnvironment",
       {"run", "good.toml"},
       {"DRIFTLESS_THREADS", "-3"},
       usage,
       {"'threads'", "environment DRIFTLESS_THREADS"}},
      {"LogLevelOfEnvironment", {"methods"}, {"DRIFTLESS_LOG", "loud"}, usage, {"log level", "DRIFTLESS_LOG: loud"}},
  };
}

class BadCommandLine : public testing::TestWithParam<BadCommand> {};

TEST_P(BadCommandLine, IsRejectedWithAdvice) {
  const BadCommand& bad = GetParam();
  const TempFolder folder;
  folder.write("good.toml", quadratic);
  folder.write("good.svm", rows);
  const ProgramResult result =
      run_program({.arguments = bad.arguments, .folder = folder.path(), .environment = {bad.environment}});
  EXPECT_EQ(result.exit_code, bad.exit_code) << result.err;
  EXPECT_EQ(result.out, "");
  expect_message(result.err, bad.fragments);
}

INSTANTIATE_TEST_SUITE_P(Table, BadCommandLine, testing::ValuesIn(bad_commands()),
                         [](const testing::TestParamInfo<BadCommand>& each) { return each.param.name; });

}  // namespace
}  // namespace driftless
