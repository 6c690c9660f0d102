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
  ProgramResult say(std::vector<std::string> arguments) {
    return run_program({.arguments = std::move(arguments), .folder = folder_.path()});
  }

  TempFolder folder_;
};

TEST_F(DataImages, InfoDescribesTheImages) {
  const json info = json::parse(say({"data", "info", "made", "--format", "json"}).out);
  EXPECT_EQ(info.at("shape"), json({1, 2, 3}));
  EXPECT_EQ(info.at("classes"), 3);
  EXPECT_EQ(info.at("train").at("images"), 4);
  EXPECT_EQ(info.at("train").at("labels"), json({{"0", 1}, {"1", 1}, {"2", 2}}));
  EXPECT_EQ(info.at("test").at("images"), 2);
  EXPECT_EQ(info.at("test").at("sha256").get<std::string>().size(), 64U);
  const ProgramResult result = say({"data", "info", "made"});
  for (const char* text : {"1 x 2 x 3 (channels, height, width)", "4 images", "0 (1), 1 (1), 2 (2)", "2 images"})
    EXPECT_THAT(result.out, HasSubstr(text));
}

TEST_F(DataImages, SplitWritesTheManifestAlone) {
  const ProgramResult result =
      say({"data", "split", "made/", "--clients", "2", "--split", "label", "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out).at("clients").at(1).at("labels"), json({{"2", 2}}));
  const json manifest = json::parse(TempFolder::read(folder_ / "made-split/split.json"));
  EXPECT_EQ(manifest.at("data").at("rows"), 4);
  EXPECT_EQ(manifest.at("clients").at(0).at("indices"), json({0, 2}));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "made-split/client-0.svm"));
}

TEST_F(DataImages, ErrorsHaveAnExitCode) {
  const ProgramResult missing = say({"data", "info", "cifar10"});
  EXPECT_EQ(missing.exit_code, 5);
  EXPECT_THAT(missing.err, HasSubstr("'cifar10' were not found"));
  const ProgramResult columns = say({"data", "info", "made", "--dim", "6"});
  EXPECT_EQ(columns.exit_code, 2);
  EXPECT_THAT(columns.err, HasSubstr("--dim 6"));
  std::filesystem::remove(folder_ / "made/t10k-labels-idx1-ubyte");
  const ProgramResult incomplete = say({"data", "split", "made", "--clients", "2"});
  EXPECT_EQ(incomplete.exit_code, 5);
  EXPECT_THAT(incomplete.err, HasSubstr("no t10k-labels-idx1-ubyte"));
}

}  // namespace
}  // namespace driftless
