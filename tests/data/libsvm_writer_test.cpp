#include "driftless/data/libsvm/libsvm_writer.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/random.hpp"
#include "driftless/data/libsvm/libsvm_reader.hpp"

#include "tests/support/temp_folder.hpp"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace driftless {
namespace {

TEST(LibsvmWriter, WritesTheShortestText) {
  const std::string text = "1 1:0.1 3:-2\n-1\n1 2:1e+100\n";
  EXPECT_EQ(libsvm_text(parse_libsvm(text, "text")), text);
}

TEST(LibsvmWriter, WritesChosenRowsInTheGivenOrder) {
  const Dataset data = parse_libsvm("1 1:1\n-1 2:2\n1 3:3\n", "text");
  EXPECT_EQ(libsvm_text(data, std::vector<std::int32_t>{2, 1}), "1 3:3\n-1 2:2\n");
  EXPECT_THROW(libsvm_text(data, std::vector<std::int32_t>{3}), BrokenInvariant);
}

TEST(LibsvmWriter, ReadsBackToTheSameBits) {
  Dataset data;
  data.dim = 3;
  data.row_start.push_back(0);
  Stream chance(1, Purpose::generator);
  for (std::int64_t row = 1; row <= 5000; ++row) {
    for (std::int32_t column = 0; column < 3; ++column) {
      data.column.push_back(column);
      data.value.push_back(chance.normal() * std::pow(10.0, chance.uniform(-300.0, 300.0)));
    }
    data.row_start.push_back(3 * row);
    data.label.push_back(chance.normal());
  }
  data.value[0] = std::numeric_limits<double>::denorm_min();
  data.value[1] = std::numeric_limits<double>::max();
  const TempFolder folder;
  write_libsvm(folder / "rows", data);
  const Dataset back = read_libsvm(folder / "rows", {.labels = Labels::real});
  EXPECT_EQ(back.row_start, data.row_start);
  EXPECT_EQ(back.column, data.column);
  EXPECT_EQ(back.value, data.value);
  EXPECT_EQ(back.label, data.label);
}

TEST(LibsvmWriter, WritesASubsetToAFile) {
  const TempFolder folder;
  const Dataset data = parse_libsvm("1 1:1\n-1 2:2\n", "text");
  write_libsvm(folder / "part", data, std::vector<std::int32_t>{1});
  EXPECT_EQ(TempFolder::read(folder / "part"), "-1 2:2\n");
}

}  // namespace
}  // namespace driftless
