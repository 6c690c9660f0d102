#include "driftless/kernels/sliced_ell.hpp"

#include "driftless/core/random.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

// Some lists are empty, some long; one in `rarity` places is taken.
ListsOfPlaces random_lists(std::size_t targets, std::size_t sources, double rarity, bool valued) {
  Stream chance(targets, Purpose::generator, sources);
  ListsOfPlaces lists;
  lists.sources = sources;
  for (std::size_t t = 0; t < targets; ++t) {
    const double share = chance.uniform() < 0.1 ? 1.0 : chance.uniform() / rarity;
    for (std::size_t k = 0; k < sources; ++k) {
      if (chance.uniform() >= share) continue;
      lists.place.push_back(static_cast<std::uint32_t>(k));
      if (valued) lists.value.push_back(chance.uniform(-1.0, 1.0));
    }
    lists.start.push_back(lists.place.size());
  }
  return lists;
}

// One more than asked for: the last is what lists are filled up with.
std::vector<double> random_numbers(std::size_t count) {
  Stream chance(count, Purpose::generator, 3);
  std::vector<double> numbers(count + 1, 0.0);
  for (std::size_t k = 0; k < count; ++k) numbers[k] = chance.uniform(-1.0, 1.0);
  return numbers;
}

std::vector<long double> reference(const ListsOfPlaces& lists, const std::vector<double>& x) {
  std::vector<long double> sums(lists.targets(), 0.0L);
  for (std::size_t t = 0; t < lists.targets(); ++t)
    for (std::uint64_t e = lists.start[t]; e < lists.start[t + 1]; ++e)
      sums[t] += (lists.value.empty() ? 1.0L : lists.value[e]) * x[lists.place[e]];
  return sums;
}

struct Shape {
  std::size_t targets;
  std::size_t sources;
};
const std::vector<Shape> shapes{{0, 5}, {1, 1}, {7, 3}, {8, 255}, {9, 256}, {100, 40}, {41, 65535}, {13, 65536}};

void expect_sums(const std::vector<double>& found, const std::vector<long double>& wanted, double scale) {
  for (std::size_t t = 0; t < wanted.size(); ++t)
    EXPECT_NEAR(found[t], 0.5 + scale * static_cast<double>(wanted[t]), 1e-11) << "target " << t;
}

TEST(IndexLists, SumTheSourcesOfEveryList) {
  for (const auto& [targets, sources] : shapes)
    for (const bool valued : {false, true})
      for (const std::size_t longest : {SIZE_MAX, std::size_t{4}}) {
        const ListsOfPlaces lists = random_lists(targets, sources, 3.0, valued);
        const IndexLists made(lists, {.longest = longest});
        const std::vector<double> x = random_numbers(sources);
        std::vector<double> out(targets + 1, 0.5);
        made.add_sums(x.data(), 2.0, out.data());
        expect_sums(out, reference(lists, x), 2.0);
      }
}

TEST(IndexLists, ScatteringIsTheTransposedProduct) {
  for (const auto& [targets, sources] : shapes)
    for (const bool valued : {false, true}) {
      const ListsOfPlaces lists = random_lists(targets, sources, 3.0, valued);
      const std::vector<double> y = random_numbers(targets);
      std::vector<double> out(sources + 1, 0.5);
      IndexLists(lists, {}).scatter_sums(y.data(), 2.0, out.data());
      expect_sums(out, reference(lists.transposed(), y), 2.0);
    }
}

TEST(IndexLists, PlacesTakeAsFewBitsAsHoldThem) {
  EXPECT_EQ(IndexLists(random_lists(3, 255, 2.0, false), {}).place_bits(), 8);
  EXPECT_EQ(IndexLists(random_lists(3, 256, 2.0, false), {}).place_bits(), 16);
  EXPECT_EQ(IndexLists(random_lists(3, 65535, 2.0, false), {}).place_bits(), 16);
  EXPECT_EQ(IndexLists(random_lists(3, 65536, 2.0, false), {}).place_bits(), 32);
}

TEST(IndexLists, AListCanBeVisitedAlone) {
  for (const bool valued : {false, true}) {
    const ListsOfPlaces lists = random_lists(50, 300, 10.0, valued);
    const IndexLists made(lists, {});
    for (std::size_t t = 0; t < lists.targets(); ++t) {
      std::uint64_t e = lists.start[t];
      made.for_each_entry(t, [&](std::size_t place, double value) {
        EXPECT_EQ(place, lists.place[e]);
        EXPECT_EQ(value, valued ? lists.value[e] : 1.0);
        ++e;
      });
      EXPECT_EQ(e, lists.start[t + 1]);
    }
  }
}

TEST(IndexLists, SinglePrecisionRoundsValuesAndNothingElse) {
  ListsOfPlaces lists = random_lists(30, 50, 2.0, true);
  const std::vector<double> x = random_numbers(50);
  std::vector<double> half(31, 0.0), rounded(31, 0.0);
  IndexLists(lists, {.precision = EntryPrecision::float32}).add_sums(x.data(), 1.0, half.data());
  for (double& v : lists.value) v = static_cast<float>(v);
  IndexLists(lists, {}).add_sums(x.data(), 1.0, rounded.data());
  EXPECT_EQ(half, rounded);
}

TEST(IndexLists, TransposingTwiceChangesNothing) {
  const ListsOfPlaces lists = random_lists(40, 30, 3.0, true);
  const ListsOfPlaces back = lists.transposed().transposed();
  EXPECT_EQ(back.start, lists.start);
  EXPECT_EQ(back.place, lists.place);
  EXPECT_EQ(back.value, lists.value);
}

TEST(IndexLists, ACommonValueIsOneThatAllEntriesHave) {
  EXPECT_EQ(common_value(std::vector{0.5, 0.5, 0.5}), 0.5);
  EXPECT_EQ(common_value(std::vector{0.5, 0.25}), std::nullopt);
  EXPECT_EQ(common_value({}), 1.0);
}

}  // namespace
}  // namespace driftless
