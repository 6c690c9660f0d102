// Counts of public data sets as their publishers state them. Skipped on machines that do not have the files.
#include "driftless/data/libsvm/libsvm_reader.hpp"
#include "driftless/data/libsvm/libsvm_writer.hpp"

#include "tests/support/available_data.hpp"
#include "tests/support/expect_error.hpp"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>

namespace driftless {
namespace {

struct Published {
  std::string name;
  std::size_t rows;
  Index dim;
  std::size_t entries;
  std::size_t zeros;
  std::ptrdiff_t larger;  // rows with the larger label
  std::vector<double> labels;
  std::string sha256;
};

class RealData : public testing::TestWithParam<Published> {};

TEST_P(RealData, HasThePublishedCounts) {
  const Published& set = GetParam();
  const auto path = available_data(set.name);
  if (!path) GTEST_SKIP() << set.name << " is not on this machine; name its folder in DRIFTLESS_DATA";
  const Dataset data = read_libsvm(*path);
  EXPECT_EQ(data.rows(), set.rows);
  EXPECT_EQ(data.dim, set.dim);
  EXPECT_EQ(data.nonzeros() + data.explicit_zeros, set.entries);
  EXPECT_EQ(data.explicit_zeros, set.zeros);
  EXPECT_EQ(std::ranges::count(data.label, 1.0), set.larger);
  EXPECT_EQ(std::ranges::count(data.label, -1.0), static_cast<std::ptrdiff_t>(set.rows) - set.larger);
  EXPECT_EQ(data.label_values, set.labels);
  EXPECT_EQ(data.digest, set.sha256);
}

INSTANTIATE_TEST_SUITE_P(Table, RealData,
                         testing::Values(Published{"a9a",
                                                   32561,
                                                   123,
                                                   451592,
                                                   0,
                                                   7841,
                                                   {-1, 1},
                                                   "f5d5ffd8d865ff41328e7ee043e4b020816914ff6843ff15b98905ddbedce906"},
                                         Published{"w8a",
                                                   49749,
                                                   300,
                                                   579586,
                                                   0,
                                                   1479,
                                                   {-1, 1},
                                                   "6a9fa8fd5f524303240a5db07d4b3d4a51e8b7b4b20a914105d8e3e8c81640f2"},
                                         Published{"mushrooms",
                                                   8124,
                                                   112,
                                                   170604,
                                                   0,
                                                   4208,
                                                   {1, 2},
                                                   "f39a4eb628dc61a7d43760815b061c9e497aa728ce1ad8bde57a09ef6043b538"},
                                         Published{"phishing",
                                                   11055,
                                                   68,
                                                   331650,
                                                   0,
                                                   6157,
                                                   {0, 1},
                                                   "0cf66ef36604c393da9359b2e5d894a2df8aee31fd184633cefa138add2ef08a"},
                                         Published{"ijcnn1",
                                                   49990,
                                                   22,
                                                   649870,
                                                   1,
                                                   4853,
                                                   {-1, 1},
                                                   "16506cad788cf7c9607454150ed1994788204bac2ff4c9cb3b320036b6950d3f"},
                                         Published{"australian",
                                                   690,
                                                   14,
                                                   9660,
                                                   1936,
                                                   307,
                                                   {-1, 1},
                                                   "e11b85d6265a6cc8d07e3200fc04557009e6e2407331ea8d7910eddf199c2d1a"},
                                         Published{"heart",
                                                   270,
                                                   13,
                                                   3510,
                                                   874,
                                                   120,
                                                   {-1, 1},
                                                   "a29dc2c92ec163987895c167cf9b078d77055af5bc91eccfdda44668a22f4cd3"},
                                         Published{"svmguide1",
                                                   3089,
                                                   4,
                                                   12356,
                                                   37,
                                                   2000,
                                                   {0, 1},
                                                   "2b9ab55b6236f62cee6b7739b52f9e7cb033771f39b9c22c1f1790d80ef14d7f"},
                                         Published{"madelon",
                                                   2000,
                                                   500,
                                                   1000000,
                                                   1,
                                                   1000,
                                                   {-1, 1},
                                                   "4801c452441772b47674fa8deb3724b1cb897eff49ccd8d47078367080c05b54"},
                                         Published{"duke",
                                                   44,
                                                   7129,
                                                   313676,
                                                   0,
                                                   23,
                                                   {-1, 1},
                                                   "bf4e619c4b6b4b934164dfd860f323dddd777e75ada05f162b5c4d537e76b7b2"}),
                         [](const auto& test_case) { return test_case.param.name; });

TEST(RealData, ManyClassesNeedAChoice) {
  const auto path = available_data("news20");
  if (!path) GTEST_SKIP() << "news20 is not on this machine; name its folder in DRIFTLESS_DATA";
  expect_error<DataError>([&] { read_libsvm(*path); }, {"20 found", "positive_label"});
  const Dataset data = read_libsvm(*path, {.positive_label = 7.0});
  EXPECT_EQ(data.dim, 62061);
  EXPECT_EQ(data.nonzeros(), 1272569U);
  EXPECT_EQ(data.label_values.size(), 20U);
  EXPECT_GT(std::ranges::count(data.label, 1.0), 500);
  EXPECT_LT(std::ranges::count(data.label, 1.0), 1000);
}

TEST(RealData, WrittenTextReadsBackTheSame) {
  const auto path = available_data("duke");
  if (!path) GTEST_SKIP() << "duke is not on this machine; name its folder in DRIFTLESS_DATA";
  const Dataset data = read_libsvm(*path);
  const Dataset back = parse_libsvm(libsvm_text(data), "text");
  EXPECT_EQ(back.column, data.column);
  EXPECT_EQ(back.value, data.value);
  EXPECT_EQ(back.label, data.label);
}

}  // namespace
}  // namespace driftless
