// `driftless data` on sets of images.
#include "tests/cli/program.hpp"
#include "tests/support/small_images.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class DataImages : public testing::Test {
 public:
  DataImages() { write_idx_folder(folder_, "made/"); }

 protected:
  Said say(std::vector<std::string> arguments) {
    return run_program({.arguments = std::move(arguments), .folder = folder_.path()});
  }

  TempFolder folder_;
};

TEST_F(DataImages, InfoTellsWhatTheyAre) {
  const json info = json::parse(say({"data", "info", "made", "--format", "json"}).out);
  EXPECT_EQ(info.at("shape"), json({1, 2, 3}));
  EXPECT_EQ(info.at("classes"), 3);
  EXPECT_EQ(info.at("train").at("images"), 4);
  EXPECT_EQ(info.at("train").at("labels"), json({{"0", 1}, {"1", 1}, {"2", 2}}));
  EXPECT_EQ(info.at("test").at("images"), 2);
  EXPECT_EQ(info.at("test").at("sha256").get<std::string>().size(), 64U);
  const Said said = say({"data", "info", "made"});
  for (const char* text : {"1 x 2 x 3 (channels, height, width)", "4 images", "0 (1), 1 (1), 2 (2)", "2 images"})
    EXPECT_THAT(said.out, HasSubstr(text));
}

TEST_F(DataImages, SplitWritesTheManifestAlone) {
  const Said said = say({"data", "split", "made/", "--clients", "2", "--split", "label", "--format", "json"});
  ASSERT_EQ(said.exit_code, 0) << said.err;
  EXPECT_EQ(json::parse(said.out).at("clients").at(1).at("labels"), json({{"2", 2}}));
  const json manifest = json::parse(TempFolder::read(folder_ / "made-split/split.json"));
  EXPECT_EQ(manifest.at("data").at("rows"), 4);
  EXPECT_EQ(manifest.at("clients").at(0).at("indices"), json({0, 2}));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "made-split/client-0.svm"));
}

TEST_F(DataImages, AnErrorHasAnExitCode) {
  const Said missing = say({"data", "info", "cifar10"});
  EXPECT_EQ(missing.exit_code, 5);
  EXPECT_THAT(missing.err, HasSubstr("'cifar10' were not found"));
  const Said columns = say({"data", "info", "made", "--dim", "6"});
  EXPECT_EQ(columns.exit_code, 2);
  EXPECT_THAT(columns.err, HasSubstr("--dim 6"));
  std::filesystem::remove(folder_ / "made/t10k-labels-idx1-ubyte");
  const Said incomplete = say({"data", "split", "made", "--clients", "2"});
  EXPECT_EQ(incomplete.exit_code, 5);
  EXPECT_THAT(incomplete.err, HasSubstr("no t10k-labels-idx1-ubyte"));
}

}  // namespace
}  // namespace driftless
