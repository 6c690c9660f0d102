#include "driftless/data/find_data.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/own_folders.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;

class FindData : public InOwnFolders {
 protected:
  static std::string found(const std::string& name) { return fs::weakly_canonical(find_data(name)).string(); }
};

TEST_F(FindData, TakesAnExistingPathAsItIs) {
  folder_.write("work/sub/rows.svm", "x");
  EXPECT_EQ(find_data("sub/rows.svm"), fs::path("sub/rows.svm"));
  EXPECT_EQ(find_data((folder_ / "work/sub/rows.svm").string()), folder_ / "work/sub/rows.svm");
}

TEST_F(FindData, AddsTheEndingsOfPackedFiles) {
  folder_.write("data/a9a.zst", "x");
  folder_.write("data/w8a.gz", "x");
  set_data((folder_ / "data").string());
  EXPECT_EQ(found("a9a"), at("data/a9a.zst"));
  EXPECT_EQ(found("w8a"), at("data/w8a.gz"));
  EXPECT_EQ(found("a9a.zst"), at("data/a9a.zst"));
}

TEST_F(FindData, SearchesTheFoldersInTheirOrder) {
  folder_.write("home/.cache/driftless/rows", "x");
  EXPECT_EQ(found("rows"), at("home/.cache/driftless/rows"));
  folder_.write("second/libsvm/rows", "x");
  set_data((folder_ / "second").string());
  EXPECT_EQ(found("rows"), at("second/libsvm/rows"));
  folder_.write("second/rows", "x");
  set_data((folder_ / "first").string() + "::" + (folder_ / "second").string());
  EXPECT_EQ(found("rows"), at("second/rows"));
  folder_.write("first/libsvm/rows.zst", "x");
  EXPECT_EQ(found("rows"), at("first/libsvm/rows.zst"));
  folder_.write("work/rows", "x");
  EXPECT_EQ(found("rows"), at("work/rows"));
}

TEST_F(FindData, PassesOverAFolderOfThatName) {
  folder_.write("work/a9a/metrics.csv", "x");
  folder_.write("data/libsvm/a9a.zst", "x");
  set_data((folder_ / "data").string());
  EXPECT_EQ(found("a9a"), at("data/libsvm/a9a.zst"));
}

TEST_F(FindData, ExplainsThatAFolderIsNoFile) {
  folder_.write("work/rows/a9a", "x");
  expect_error<DataError>([] { find_data("rows"); }, {"this is a folder", "rows", "name one file in it"});
}

TEST_F(FindData, ListsFoldersAndSimilarNames) {
  folder_.write("data/mushrooms.zst", "x");
  folder_.write("data/unlike", "x");
  set_data((folder_ / "data").string());
  expect_error<DataError>([] { find_data("mushroom"); },
                          {"'mushroom' was not found", at("data"), ".cache/driftless", "did you mean mushrooms?"});
  expect_error<DataError>([] { find_data("epsilon"); }, {"'epsilon' was not found", "DRIFTLESS_DATA"});
  expect_error<DataError>([] { find_data(""); }, {"no data was named"});
}

}  // namespace
}  // namespace driftless
