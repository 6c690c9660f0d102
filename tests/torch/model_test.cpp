#include "driftless/torch/model.hpp"

#include "driftless/core/error.hpp"

#include "tests/torch/small_images.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <torch/script.h>

namespace driftless {
namespace {

const ImageShape colour{.channels = 3, .height = 8, .width = 8};

std::unique_ptr<Model> made(const NetSpec& spec) { return make_model(spec, colour, 4, torch::kFloat64); }

void load(const Model& model, const Vector& x) {
  model.weights().copy_(torch::from_blob(const_cast<double*>(x.data()), {x.size()}, torch::kFloat64));
}

class EveryModel : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, EveryModel, ::testing::Values("softmax", "mlp", "cnn", "resnet18"));

TEST_P(EveryModel, ParametersAreViewsOfOneVectorAndSoAreTheirGradients) {
  const auto model = made(exact_net(GetParam()));
  std::int64_t count = 0;
  for (const torch::Tensor& p : model->parameters()) {
    EXPECT_TRUE(p.is_alias_of(model->weights()));
    EXPECT_TRUE(p.grad().is_alias_of(model->gradient()));
    count += p.numel();
  }
  EXPECT_EQ(count, model->weights().numel());
}

TEST_P(EveryModel, BackwardFillsTheFlatGradient) {
  const auto model = made(exact_net(GetParam()));
  load(*model, model->start(3));
  model->scores(torch::rand({5, 3, 8, 8}, torch::kFloat64), true, 0.1).square().sum().backward();
  for (const torch::Tensor& p : model->parameters()) EXPECT_TRUE(p.grad().is_alias_of(model->gradient()));
  EXPECT_GT(model->gradient().abs().sum().item<double>(), 0.0);
}

TEST_P(EveryModel, TheFlatVectorComesBackAsItWentIn) {
  const auto model = made(exact_net(GetParam()));
  const Vector x = model->start(3);
  load(*model, x);
  EXPECT_EQ(Eigen::Map<const Vector>(model->weights().data_ptr<double>(), x.size()), x);
  std::int64_t at = 0;
  for (const torch::Tensor& p : model->parameters()) {
    // A convolution's weights lie with the input channel as the fastest index.
    const torch::Tensor flat = (p.dim() == 4 ? p.detach().permute({0, 2, 3, 1}) : p.detach()).contiguous();
    EXPECT_EQ(Eigen::Map<const Vector>(flat.data_ptr<double>(), flat.numel()), x.segment(at, flat.numel()));
    at += flat.numel();
  }
}

TEST_P(EveryModel, StartsAlikeForOneSeedAndUnlikeForTwo) {
  const auto model = made(exact_net(GetParam()));
  EXPECT_EQ(model->start(3), made(exact_net(GetParam()))->start(3));
  EXPECT_NE(model->start(3), model->start(4));
}

TEST_P(EveryModel, SavedAsTorchScriptScoresTheSame) {
  const auto model = made(exact_net(GetParam()));
  load(*model, model->start(3));
  const torch::Tensor images = torch::rand({5, 3, 8, 8}, torch::kFloat64);
  model->scores(images, true, 0.5);  // so that there are statistics
  const auto file = std::filesystem::path(::testing::TempDir()) / (std::string(GetParam()) + ".pt");
  model->save_script(file.string());
  torch::jit::Module loaded = torch::jit::load(file.string());
  const torch::Tensor seen = loaded.forward({images}).toTensor();
  EXPECT_TRUE(torch::allclose(seen, model->scores(images, false, 0.0), 1e-12, 1e-12));
  std::filesystem::remove(file);
}

TEST(NamedModel, ResNet18ForSmallImagesHasItsKnownNumberOfParameters) {
  NetSpec spec = exact_net("resnet18");
  spec.width.reset();
  const auto model = make_model(spec, {.channels = 3, .height = 32, .width = 32}, 10, torch::kFloat32);
  EXPECT_EQ(model->weights().numel(), 11173962);
  EXPECT_EQ(model->statistics().numel(), 9600);
}

TEST(NamedModel, GroupNormHasNoStatisticsAndScoresAnImageByItself) {
  NetSpec spec = exact_net("resnet18");
  spec.norm = Norm::group;
  const auto model = made(spec);
  load(*model, model->start(3));
  EXPECT_EQ(model->statistics().numel(), 0);
  const torch::Tensor images = torch::rand({5, 3, 8, 8}, torch::kFloat64);
  const torch::Tensor together = model->scores(images, true, 0.1);
  EXPECT_TRUE(torch::allclose(together.narrow(0, 1, 1), model->scores(images.narrow(0, 1, 1), true, 0.1)));
}

TEST(NamedModel, UnknownNameIsRejectedWithTheOnesThereAre) {
  try {
    made(exact_net("resnet19"));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("resnet18"), std::string::npos) << error.what();
  }
}

class ScriptFile : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();  // they run side by side
    file_ = (std::filesystem::path(::testing::TempDir()) / (test + ".pt")).string();
    const auto model = made(exact_net("cnn"));
    load(*model, model->start(9));
    model->save_script(file_);
    x_ = model->start(9);
  }
  void TearDown() override { std::filesystem::remove(file_); }

  std::string file_;
  Vector x_;
};

TEST_F(ScriptFile, IsAModelThatStartsWithItsOwnParameters) {
  const auto model = made(exact_net(file_));
  EXPECT_EQ(model->weights().numel(), x_.size());
  EXPECT_NEAR(model->start(1).norm(), x_.norm(), 1e-12);
  for (const torch::Tensor& p : model->parameters()) EXPECT_TRUE(p.is_alias_of(model->weights()));
}

TEST_F(ScriptFile, ForOtherImagesIsRejected) {
  EXPECT_THROW(make_model(exact_net(file_), {.channels = 1, .height = 8, .width = 8}, 4, torch::kFloat64), ConfigError);
  EXPECT_THROW(make_model(exact_net(file_), colour, 5, torch::kFloat64), ConfigError);
}

TEST_F(ScriptFile, ThatIsNoneIsADataError) {
  std::ofstream(file_) << "no module";
  EXPECT_THROW(made(exact_net(file_)), DataError);
}

}  // namespace
}  // namespace driftless
