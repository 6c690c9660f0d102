#include "driftless/torch/image_store.hpp"

#include "driftless/torch/kernels.hpp"

#include "tests/torch/small_images.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

// Two images of 1 × 3 × 4 whose pixels count up.
ImageSet counted() {
  ImageSet set{.name = "", .digest = "", .shape = {1, 3, 4}, .classes = 2, .pixels = {}, .label = {0, 1}};
  for (int k = 0; k < 24; ++k) set.pixels.push_back(static_cast<std::uint8_t>(10 * k));
  return set;
}

torch::Tensor gathered(std::int32_t row, const Augmentation& augmentation) {
  // Mean 0 and deviation 1/255: values are the pixels.
  const ImageStore store(counted(), 2, {0.0}, {1.0 / 255.0}, torch::kFloat64);
  torch::Tensor out = store.room_for(1);
  store.gather(torch::tensor({{row}, {augmentation.code()}}, torch::kInt32), out);
  return out[0][0];
}

void expect_rows(const torch::Tensor& image, const std::vector<std::vector<double>>& rows) {
  for (std::size_t y = 0; y < rows.size(); ++y)
    for (std::size_t x = 0; x < rows[y].size(); ++x)
      EXPECT_NEAR(image[static_cast<std::int64_t>(y)][static_cast<std::int64_t>(x)].item<double>(), rows[y][x], 1e-9)
          << y << ", " << x;
}

TEST(ImageStore, GivesAnImageAsItIs) {
  expect_rows(gathered(1, {}), {{120, 130, 140, 150}, {160, 170, 180, 190}, {200, 210, 220, 230}});
}

TEST(ImageStore, ShiftsMirrorsAndFillsWithBlack) {
  expect_rows(gathered(0, {.left = 1, .up = 0}), {{10, 20, 30, 0}, {50, 60, 70, 0}, {90, 100, 110, 0}});
  expect_rows(gathered(0, {.left = 0, .up = -1}), {{0, 0, 0, 0}, {0, 10, 20, 30}, {40, 50, 60, 70}});
  expect_rows(gathered(0, {.left = 0, .up = 0, .mirrored = true}),
              {{30, 20, 10, 0}, {70, 60, 50, 40}, {110, 100, 90, 80}});
}

TEST(ImageStore, NormalisesEachChannelByItsOwn) {
  ImageSet set{.name = "", .digest = "", .shape = {2, 1, 1}, .classes = 1, .pixels = {255, 51}, .label = {0}};
  const ImageStore store(set, 1, {0.5, 0.1}, {0.25, 0.1}, torch::kFloat64);
  torch::Tensor out = store.room_for(1);
  store.gather(torch::tensor({{0}, {Augmentation{}.code()}}, torch::kInt32), out);
  EXPECT_NEAR(out[0][0][0][0].item<double>(), 2.0, 1e-12);
  EXPECT_NEAR(out[0][1][0][0].item<double>(), 1.0, 1e-12);
}

TEST(DriftStep, IsTheFormulaInOnePass) {
  const auto t = [](double v) { return torch::full({3}, v, torch::kFloat64); };
  torch::Tensor y = t(2.0);
  drift_step({.step = 0.1, .scale = 3.0, .l2 = 0.5, .lambda = 4.0}, t(1.0), t(0.25), t(1.5), y);
  // 2 − 0.1 (3·1 + 0.5·2 − 0.25 + 4 (2 − 1.5)) = 2 − 0.1 · 5.75
  EXPECT_TRUE(torch::allclose(y, t(2.0 - 0.575), 1e-15, 1e-15));
  y = t(2.0);
  drift_step({.step = 0.1, .scale = 3.0}, t(1.0), {}, {}, y);
  EXPECT_TRUE(torch::allclose(y, t(1.7), 1e-15, 1e-15));
}

}  // namespace
}  // namespace driftless
