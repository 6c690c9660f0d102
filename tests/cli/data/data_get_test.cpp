// `driftless data get` against a server on loopback.
#include "driftless/data/known_data.hpp"
#include "driftless/files/digest.hpp"

#include "tests/cli/bad_case.hpp"
#include "tests/cli/data/file_server.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <bzlib.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

std::string text_of(std::size_t rows) {
  std::string text;
  for (std::size_t row = 0; row < rows; ++row) text += (row % 2 == 0 ? "1 1:" : "-1 2:") + std::to_string(row) + "\n";
  return text;
}

const std::string data = text_of(20000);

ProgramResult get(const TempFolder& folder, const std::string& url, const std::string& digest = sha256(data),
                  const std::string& name = "made") {
  return run_program({.arguments = {"data", "get", name, "--from", url, "--sha256", digest}, .folder = folder.path()});
}

fs::path cached(const TempFolder& folder, const std::string& name = "made") {
  return folder / ".cache/driftless" / name;
}
fs::path partial(const TempFolder& folder) { return folder / ".cache/driftless/partial/made"; }

std::string bzip2(std::string plain) {
  std::string packed(plain.size() + 1000, '\0');
  auto size = static_cast<unsigned int>(packed.size());
  BZ2_bzBuffToBuffCompress(packed.data(), &size, plain.data(), static_cast<unsigned int>(plain.size()), 9, 0, 0);
  packed.resize(size);
  return packed;
}

TEST(DataGet, FetchesVerifiesAndIsFoundByItsName) {
  const TempFolder folder;
  FileServer server(data);
  const ProgramResult result = get(folder, server.url());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("made is now in " + cached(folder).string()));
  EXPECT_EQ(TempFolder::read(cached(folder)), data);
  EXPECT_FALSE(fs::exists(partial(folder)));
  const ProgramResult info = run_program({.arguments = {"data", "info", "made"}, .folder = folder.path()});
  EXPECT_THAT(info.out, HasSubstr("rows      20000"));
  EXPECT_THAT(get(folder, server.url()).out, HasSubstr("is already in"));
  EXPECT_THAT(server.requests(), ElementsAre("GET /data"));
}

TEST(DataGet, ContinuesAfterABrokenConnectionWhereItStopped) {
  const TempFolder folder;
  FileServer server(data, {.drops = {1000, 50000}});
  const ProgramResult result = get(folder, server.url());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(TempFolder::read(cached(folder)), data);
  EXPECT_THAT(server.requests(), ElementsAre("GET /data", "GET /data 1000-", "GET /data 51000-"));
}

TEST(DataGet, EndsWhereNoMoreBytesArriveAndTheNextCallContinues) {
  const TempFolder folder;
  {
    FileServer server(data, {.drops = {1000, 0}});
    const ProgramResult result = get(folder, server.url());
    EXPECT_EQ(result.exit_code, 3);
    expect_message(result.err, {"could not be downloaded", "127.0.0.1", "1 kB are kept"});
    EXPECT_EQ(TempFolder::read(partial(folder)), data.substr(0, 1000));
    EXPECT_FALSE(fs::exists(cached(folder)));
  }
  FileServer server(data);
  ASSERT_EQ(get(folder, server.url()).exit_code, 0);
  EXPECT_EQ(TempFolder::read(cached(folder)), data);
  EXPECT_THAT(server.requests(), ElementsAre("GET /data 1000-"));
}

TEST(DataGet, StartsAgainWhereTheServerCannotContinue) {
  const TempFolder folder;
  folder.write(".cache/driftless/partial/made", data.substr(0, 500));
  FileServer server(data, {.ranges = false});
  const ProgramResult result = get(folder, server.url());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(TempFolder::read(cached(folder)), data);
  EXPECT_THAT(server.requests(), ElementsAre("GET /data 500-", "GET /data"));
}

TEST(DataGet, APartialFileOfAnotherOriginIsRemovedAndDownloadedAgain) {
  const TempFolder folder;
  for (const std::string& old : {std::string(500, 'x'), data + "more"}) {
    folder.write(".cache/driftless/partial/made", old);
    fs::remove(cached(folder));
    FileServer server(data);
    const ProgramResult result = get(folder, server.url());
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(TempFolder::read(cached(folder)), data);
  }
}

TEST(DataGet, ACompletePartialFileIsUsed) {
  const TempFolder folder;
  folder.write(".cache/driftless/partial/made", data);
  FileServer server(data);
  ASSERT_EQ(get(folder, server.url()).exit_code, 0);
  EXPECT_EQ(TempFolder::read(cached(folder)), data);
}

TEST(DataGet, WrongBytesAreRejectedAndNoFileIsLeft) {
  const TempFolder folder;
  std::string wrong = data;
  wrong[777] = '9';
  FileServer server(wrong);
  const ProgramResult result = get(folder, server.url());
  EXPECT_EQ(result.exit_code, data_fault);
  expect_message(result.err, {"is not the data set", sha256(wrong), sha256(data)});
  EXPECT_FALSE(fs::exists(cached(folder)));
  EXPECT_FALSE(fs::exists(partial(folder)));
}

TEST(DataGet, UnpacksBzip2) {
  const TempFolder folder;
  FileServer server(bzip2(data));
  const ProgramResult result = get(folder, server.url());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(TempFolder::read(cached(folder)), data);
}

TEST(DataGet, DamagedBzip2IsRejected) {
  const TempFolder folder;
  FileServer server(bzip2(data).substr(0, 5000));
  const ProgramResult result = get(folder, server.url());
  EXPECT_EQ(result.exit_code, data_fault);
  expect_message(result.err, {"is not the data set", "damaged bzip2"});
}

TEST(DataGet, KnownSetIsHeldToItsSizeAndDigest) {
  const TempFolder folder;
  FileServer server(data);  // far more than heart_scale has
  const ProgramResult result =
      run_program({.arguments = {"data", "get", "heart_scale", "--from", server.url()}, .folder = folder.path()});
  EXPECT_EQ(result.exit_code, data_fault);
  expect_message(result.err, {"more than the data set has", "27.7 kB"});
  FileServer small("1 1:1\n");
  const ProgramResult other =
      run_program({.arguments = {"data", "get", "mushrooms", "--from", small.url()}, .folder = folder.path()});
  EXPECT_EQ(other.exit_code, data_fault);
  expect_message(other.err, {"is not the data set", std::string(find_known_data("mushrooms")->sha256)});
}

TEST(DataGet, NoServerIsAConnectionErrorWithAdvice) {
  const TempFolder folder;
  std::string url;
  {
    FileServer gone(data);
    url = gone.url();
  }
  const ProgramResult result = get(folder, url);
  EXPECT_EQ(result.exit_code, 3);
  expect_message(result.err, {"could not be downloaded", url, "check the network"});
  EXPECT_FALSE(fs::exists(cached(folder)));
}

TEST(DataGet, AMissingPageIsAConnectionErrorAndOnlyHttpIsSupported) {
  const TempFolder folder;
  FileServer server(data, {.status = 404});
  const ProgramResult result = get(folder, server.url());
  EXPECT_EQ(result.exit_code, 3);
  expect_message(result.err, {"404"});
  folder.write("local", data);
  EXPECT_EQ(get(folder, "file://" + (folder / "local").string()).exit_code, 3);
}

TEST(DataGet, TheListShowsSizesAndLocalFiles) {
  const TempFolder folder;
  folder.write(".cache/driftless/a9a", "1 1:1\n");
  const std::vector<std::string> list{"data", "get", "--list"};
  const ProgramResult text = run_program({.arguments = list, .folder = folder.path()});
  EXPECT_THAT(text.out, testing::ContainsRegex("\na9a +2.33 MB +several copies +/"));
  EXPECT_THAT(text.out, testing::ContainsRegex("\nmushrooms +880 kB +several copies +-\n"));
  const ProgramResult parsed =
      run_program({.arguments = {"data", "get", "--list", "--format", "json"}, .folder = folder.path()});
  EXPECT_EQ(json::parse(parsed.out).at("data").size(), known_data().size());
}

TEST(DataGet, UnknownNamesAreExplained) {
  const TempFolder folder;
  const auto expect_rejected = [&](std::vector<std::string> arguments, int code,
                                   const std::vector<std::string>& fragments) {
    arguments.insert(arguments.begin(), {"data", "get"});
    const ProgramResult result = run_program({.arguments = arguments, .folder = folder.path()});
    EXPECT_EQ(result.exit_code, code);
    expect_message(result.err, fragments);
  };
  expect_rejected({"mushroms"}, data_fault, {"no known data set 'mushroms'", "did you mean 'mushrooms'"});
  expect_rejected({"fashion-mnist"}, data_fault, {"Debian package", "dataset-fashion-mnist"});
  expect_rejected({}, usage, {"no data set was named", "--list"});
  expect_rejected({"a9a", "--sha256", "12"}, usage, {"no sha256 digest", "--sha256 12"});
  expect_rejected({"../up", "--from", "http://127.0.0.1:1/x", "--sha256", sha256("x")}, data_fault, {"'../up'"});
}

}  // namespace
}  // namespace driftless
