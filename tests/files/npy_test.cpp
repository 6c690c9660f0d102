#include "driftless/files/npy.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/temp_folder.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace driftless {
namespace {

TEST(Npy, AVectorIsReadBackToTheBit) {
  const TempFolder folder;
  const Vector v{{1.0 / 3.0, -0.0, 1e-310, std::numeric_limits<double>::max()}};
  write_npy(folder / "v.npy", v);
  const Vector back = read_npy(folder / "v.npy");
  ASSERT_EQ(back.size(), v.size());
  for (Index k = 0; k < v.size(); ++k) EXPECT_EQ(std::signbit(back[k]), std::signbit(v[k]));
  EXPECT_EQ(back, v);
}

TEST(Npy, HeaderIsThatOfTheFormatAndAlignsTheNumbers) {
  const TempFolder folder;
  write_npy(folder / "v.npy", Vector(Vector::Ones(3)));
  const std::string bytes = TempFolder::read(folder / "v.npy");
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_NE(bytes.find("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }"), std::string::npos);
  EXPECT_EQ((bytes.size() - 3 * sizeof(double)) % 64, 0U);
  EXPECT_EQ(bytes[bytes.size() - 3 * sizeof(double) - 1], '\n');
}

TEST(Npy, MatrixIsWrittenColumnByColumn) {
  const TempFolder folder;
  write_npy(folder / "m.npy", Matrix(Matrix::Zero(2, 5)));
  EXPECT_NE(TempFolder::read(folder / "m.npy").find("'fortran_order': True, 'shape': (2, 5)"), std::string::npos);
  expect_error<DataError>([&] { read_npy(folder / "m.npy"); }, {"no vector", "2, 5"});
}

TEST(Npy, DamagedFilesAreRejected) {
  const TempFolder folder;
  write_npy(folder / "v.npy", Vector(Vector::Ones(4)));
  const std::string good = TempFolder::read(folder / "v.npy");
  const auto expect_rejected = [&](const std::string& bytes, const std::string& fragment) {
    const auto path = folder.write("bad.npy", bytes);
    expect_error<DataError>([&] { read_npy(path); }, {fragment, "bad.npy"});
  };
  expect_rejected("", "not a NumPy file");
  expect_rejected(good.substr(0, 9), "not a NumPy file");
  expect_rejected(good.substr(0, 40), "cut short");
  expect_rejected(good.substr(0, good.size() - 1), "cut short");
  expect_rejected(good + "x", "cut short or damaged");
  std::string other_type = good;
  other_type.replace(other_type.find("<f8"), 3, ">f8");
  expect_rejected(other_type, "kind not read here");
  std::string no_shape = good;
  no_shape.replace(no_shape.find("'shape'"), 7, "'forms'");
  expect_rejected(no_shape, "header");
}

}  // namespace
}  // namespace driftless
