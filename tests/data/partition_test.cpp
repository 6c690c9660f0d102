#include "driftless/data/split_rows.hpp"

#include "tests/data/every_split.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/small_data.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace driftless {
namespace {

std::pair<std::size_t, std::size_t> size_range(const Partition& partition) {
  const auto size = [](const auto& rows) { return rows.size(); };
  const auto [low, high] = std::ranges::minmax(partition.clients, {}, size);
  return {low.size(), high.size()};
}

class EverySplit : public testing::TestWithParam<Split> {};

TEST_P(EverySplit, CoversEveryRowOnceAndIsTheSameForTheSameSeed) {
  const Dataset data = rows_of_classes(1003, 3);
  for (const std::size_t clients : {10, 17, 40}) {
    const SplitOptions options{.clients = clients, .split = GetParam(), .alpha = 2.0};
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Partition partition = split_rows(data, options, seed);
      EXPECT_EQ(partition.clients.size(), clients);
      EXPECT_EQ(coverage_fault(partition, data.rows()), "");
      EXPECT_EQ(split_rows(data, options, seed), partition);
    }
  }
}

TEST_P(EverySplit, RejectsImpossibleNumbersOfClients) {
  const Dataset data = rows_of_classes(20, 2);
  expect_error<ConfigError>([&] { split_rows(data, {.clients = 0, .split = GetParam()}, 1); }, {"clients = 0"});
  expect_error<ConfigError>([&] { split_rows(data, {.clients = 21, .split = GetParam()}, 1); },
                            {"more clients than rows", "clients = 21", "small has 20 rows"});
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EverySplit, testing::ValuesIn(every_split), split_test_name);

TEST(SplitNames, ReadBackAsTheSameSplit) {
  for (const Split split : every_split) {
    Split back{};
    ASSERT_TRUE(OptionType<Split>::read(std::string(enum_name(split)), back));
    EXPECT_EQ(back, split);
  }
  EXPECT_EQ(enum_name(Split::dirichlet_lin), "dirichlet-lin");
}

TEST(IidSplit, HasEqualSizesAndDependsOnTheSeed) {
  const Dataset data = rows_of_classes(1003, 2);
  const Partition partition = split_rows(data, {.clients = 10, .split = Split::iid}, 1);
  EXPECT_EQ(size_range(partition), std::pair(std::size_t{100}, std::size_t{101}));
  EXPECT_NE(split_rows(data, {.clients = 10, .split = Split::iid}, 2), partition);
}

TEST(IidSplit, MixesTheLabelsOfSortedRows) {
  std::vector<double> labels(1000, -1.0);
  std::fill(labels.begin() + 500, labels.end(), 1.0);
  const Dataset data = rows_with_labels(labels);
  for (const auto& rows : split_rows(data, {.clients = 5, .split = Split::iid}, 3).clients) {
    const auto positive =
        std::ranges::count_if(rows, [&](std::int32_t r) { return labels[static_cast<std::size_t>(r)] > 0; });
    EXPECT_NEAR(static_cast<double>(positive), 100.0, 30.0);
  }
}

TEST(ContiguousSplit, KeepsTheOrderOfTheFile) {
  const Partition partition = split_rows(rows_of_classes(7, 2), {.clients = 3, .split = Split::contiguous}, 1);
  EXPECT_EQ(partition.clients, (std::vector<std::vector<std::int32_t>>{{0, 1}, {2, 3}, {4, 5, 6}}));
}

TEST(LabelSplit, GivesEachClientFewLabelsAndEqualSizes) {
  const Dataset data = rows_of_classes(100, 10);
  const Partition partition = split_rows(data, {.clients = 5, .split = Split::label}, 1);
  EXPECT_EQ(size_range(partition), std::pair(std::size_t{20}, std::size_t{20}));
  for (std::size_t client = 0; client < 5; ++client) {
    std::set<double> labels;
    for (const std::int32_t row : partition.clients[client]) labels.insert(data.label[static_cast<std::size_t>(row)]);
    EXPECT_EQ(labels, (std::set<double>{2.0 * static_cast<double>(client), 2.0 * static_cast<double>(client) + 1.0}));
  }
}

TEST(Coverage, NamesWhatIsWrong) {
  EXPECT_EQ(coverage_fault({{{0, 2}, {1}}}, 3), "");
  EXPECT_EQ(coverage_fault({{{0, 2}, {}}}, 3), "client 1 has no rows");
  EXPECT_EQ(coverage_fault({{{0, 1}, {1, 2}}}, 3), "row 1 belongs to client 0 and client 1");
  EXPECT_EQ(coverage_fault({{{0, 0}, {1, 2}}}, 3), "row 0 belongs to client 0 and client 0");
  EXPECT_EQ(coverage_fault({{{0}, {2}}}, 3), "row 1 belongs to no client");
  EXPECT_EQ(coverage_fault({{{0, 3}, {1, 2}}}, 3), "client 0 has row 3 of 3");
  EXPECT_EQ(coverage_fault({{{0, -1}, {1, 2}}}, 3), "client 0 has row -1 of 3");
  EXPECT_EQ(coverage_fault({{{2, 0}, {1}}}, 3), "the rows of client 0 do not rise");
}

}  // namespace
}  // namespace driftless
