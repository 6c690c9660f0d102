// The study of figure 3 with a tiny network on images made up for it.
#include "driftless/reproduce/figure3.hpp"
#include "driftless/reproduce/figure3_file.hpp"

#include "tests/support/small_images.hpp"
#include "tests/torch/small_images.hpp"

#include <atomic>
#include <gtest/gtest.h>

namespace driftless {
namespace {

void write_images(const TempFolder& folder, const std::string& name, const ImageSet& set) {
  const std::string pixels(set.pixels.begin(), set.pixels.end());
  folder.write("images/" + name + "-images-idx3-ubyte",
               big_endian(0x803) + big_endian(static_cast<std::uint32_t>(set.images())) +
                   big_endian(static_cast<std::uint32_t>(set.shape.height)) +
                   big_endian(static_cast<std::uint32_t>(set.shape.width)) + pixels);
  folder.write("images/" + name + "-labels-idx1-ubyte",
               idx_labels(std::vector<std::uint8_t>(set.label.begin(), set.label.end())));
}

class Figure3Study : public testing::Test {
 protected:
  Figure3Study() {
    const ImageShape shape{.channels = 1, .height = 8, .width = 8};
    write_images(folder_, "train", made_up_images(100, shape, 4, 1));
    write_images(folder_, "t10k", made_up_images(40, shape, 4, 2));
    setup_ = {.data = (folder_ / "images").string(), .model = "cnn", .images = {}, .rounds = 1, .seeds = 2};
  }

  Figure3Options options(const std::string& out) const {
    return {.out = folder_ / out,
            .grid = {.rates = {0.05, 0.1},
                     .local_steps = {10},
                     .lambdas = {0.1, 1.0},
                     .methods = {"fedprox", "fedred-sgd", Figure3Grid::central}}};
  }
  std::string file(const std::string& name) const { return TempFolder::read(folder_ / name); }

  TempFolder folder_;
  Figure3Setup setup_;
};

TEST_F(Figure3Study, StoppedAndContinuedItGivesTheSameTable) {
  const Figure3 whole = reproduce_figure3(setup_, options("whole"));
  EXPECT_TRUE(whole.complete());
  EXPECT_EQ(whole.lines.size(), 3U);

  std::size_t trials = 0;
  Figure3Options stopped = options("parts");
  stopped.on_trial = [&](const Figure3Result&) { ++trials; };
  stopped.stop_token = [&] { return trials < 3 ? StopSignal::none : StopSignal::time_over; };
  EXPECT_FALSE(reproduce_figure3(setup_, stopped).complete());
  EXPECT_EQ(trials, 3U);
  EXPECT_NE(file("parts/figure3.md"), file("whole/figure3.md"));

  EXPECT_TRUE(reproduce_figure3(setup_, options("parts")).complete());
  EXPECT_EQ(file("parts/figure3.md"), file("whole/figure3.md"));
  EXPECT_EQ(file("parts/figure3.json"), file("whole/figure3.json"));
  EXPECT_EQ(file("parts/figure3.svg"), file("whole/figure3.svg"));
}

TEST_F(Figure3Study, ATrialThatIsCutIsRunAgainFromItsStart) {
  setup_.rounds = 2;
  std::atomic<std::size_t> polls = 0;  // clients poll from their threads
  Figure3Options cut = options("cut");
  cut.grid.methods = {"fedavg"};
  cut.stop_token = [&] { return ++polls < 2 ? StopSignal::none : StopSignal::time_over; };
  EXPECT_EQ(reproduce_figure3(setup_, cut).results.size(), 0U);
  cut.stop_token = {};
  Figure3Options whole = options("whole");
  whole.grid.methods = {"fedavg"};
  reproduce_figure3(setup_, cut);
  reproduce_figure3(setup_, whole);
  EXPECT_EQ(file("cut/figure3.json"), file("whole/figure3.json"));
}

TEST_F(Figure3Study, WithoutTimeNothingIsRunAndThePageSaysSo) {
  Figure3Options none = options("none");
  none.seconds = 0.0;
  const Figure3 figure = reproduce_figure3(setup_, none);
  EXPECT_EQ(figure.results.size(), 0U);
  EXPECT_NE(file("none/figure3.md").find("0 of the 144 settings"), std::string::npos);
}

TEST_F(Figure3Study, OtherImagesInTheSameStudyAreADataError) {
  Figure3Options one = options("one");
  one.grid.methods = {"fedavg"};
  one.grid.rates = {0.05};
  reproduce_figure3(setup_, one);
  write_images(folder_, "train", made_up_images(100, {.channels = 1, .height = 8, .width = 8}, 4, 3));
  one.grid.rates = {0.1};
  EXPECT_THROW(reproduce_figure3(setup_, one), DataError);
}

}  // namespace
}  // namespace driftless
