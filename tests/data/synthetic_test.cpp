#include "driftless/data/synthetic.hpp"

#include "driftless/data/libsvm/libsvm_reader.hpp"
#include "driftless/data/libsvm/libsvm_writer.hpp"
#include "driftless/data/rows_digest.hpp"
#include "driftless/data/split_rows.hpp"

#include "tests/support/expect_error.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using Spec = SparseClassificationSpec;

std::vector<double> column_shares(const Dataset& data, const std::vector<std::int32_t>& rows) {
  std::vector<double> share(static_cast<std::size_t>(data.dim), 0.0);
  for (const std::int32_t r : rows) {
    const auto row = static_cast<std::size_t>(r);
    for (std::int64_t at = data.row_start[row]; at < data.row_start[row + 1]; ++at)
      share[static_cast<std::size_t>(data.column[static_cast<std::size_t>(at)])] +=
          1.0 / static_cast<double>(rows.size());
  }
  return share;
}

// How far the clients' column frequencies are apart, largest over columns and pairs of clients.
double spread(const Dataset& data, Split split) {
  const Partition partition = split_rows(data, {.clients = 5, .split = split}, 1);
  double widest = 0.0;
  for (std::size_t j = 0; j < static_cast<std::size_t>(data.dim); ++j) {
    std::vector<double> of_client;
    for (const auto& rows : partition.clients) of_client.push_back(column_shares(data, rows)[j]);
    const auto [low, high] = std::ranges::minmax(of_client);
    widest = std::max(widest, high - low);
  }
  return widest;
}

double margin(const Dataset& data, const std::vector<double>& x, std::size_t row) {
  double sum = 0.0;
  for (auto at = static_cast<std::size_t>(data.row_start[row]); at < static_cast<std::size_t>(data.row_start[row + 1]);
       ++at)
    sum += x[static_cast<std::size_t>(data.column[at])] * data.value[at];
  return sum;
}

// Share of rows that a logistic regression fitted by plain gradient descent gets wrong.
double training_error(const Dataset& data) {
  std::vector<double> x(static_cast<std::size_t>(data.dim), 0.0);
  const auto count = static_cast<double>(data.rows());
  for (int step = 0; step < 500; ++step) {
    std::vector<double> gradient(x.size(), 0.0);
    for (std::size_t row = 0; row < data.rows(); ++row) {
      const double pull = -data.label[row] / (1.0 + std::exp(data.label[row] * margin(data, x, row)));
      for (auto at = static_cast<std::size_t>(data.row_start[row]);
           at < static_cast<std::size_t>(data.row_start[row + 1]); ++at)
        gradient[static_cast<std::size_t>(data.column[at])] += pull * data.value[at] / count;
    }
    for (std::size_t j = 0; j < x.size(); ++j) x[j] -= gradient[j];
  }
  double wrong = 0.0;
  for (std::size_t row = 0; row < data.rows(); ++row)
    wrong += margin(data, x, row) * data.label[row] <= 0.0 ? 1.0 : 0.0;
  return wrong / count;
}

TEST(Synthetic, HasTheAskedShape) {
  const Dataset data = generate_classification({.rows = 4000, .dim = 200, .nonzeros_per_row = 12.5}, 1);
  EXPECT_EQ(data.rows(), 4000U);
  EXPECT_EQ(data.dim, 200);
  ASSERT_EQ(data.row_start.size(), 4001U);
  EXPECT_EQ(data.row_start.back(), static_cast<std::int64_t>(data.nonzeros()));
  EXPECT_NEAR(static_cast<double>(data.nonzeros()) / 4000.0, 12.5, 0.25);
  EXPECT_EQ(data.label_values, (std::vector<double>{-1.0, 1.0}));
  EXPECT_TRUE(std::ranges::all_of(data.value, [](double v) { return v == 1.0; }));
  const auto positive = static_cast<double>(std::ranges::count(data.label, 1.0));
  EXPECT_NEAR(positive / 4000.0, 0.5, 0.1);
}

TEST(Synthetic, HasSoundRowsAtTheEdges) {
  for (const Spec& spec :
       {Spec{.rows = 50, .dim = 8, .nonzeros_per_row = 8}, Spec{.rows = 50, .dim = 9, .nonzeros_per_row = 1},
        Spec{.rows = 50, .dim = 1, .nonzeros_per_row = 1}, Spec{.rows = 3, .dim = 7, .nonzeros_per_row = 6.5},
        Spec{.rows = 50, .dim = 300, .nonzeros_per_row = 299, .popularity = 4.0, .skew = 1.0}}) {
    const Dataset data = generate_classification(spec, 3);
    ASSERT_EQ(data.rows(), spec.rows);
    for (std::size_t row = 0; row < data.rows(); ++row) {
      const auto from = static_cast<std::size_t>(data.row_start[row]);
      const auto to = static_cast<std::size_t>(data.row_start[row + 1]);
      ASSERT_TRUE(to > from && to - from <= spec.dim);
      for (std::size_t at = from; at < to; ++at) {
        ASSERT_TRUE(data.column[at] >= 0 && data.column[at] < data.dim);
        ASSERT_TRUE(at == from || data.column[at - 1] < data.column[at]);
      }
    }
  }
}

TEST(Synthetic, IsTheSameForTheSameSeedOnly) {
  const Spec spec{.rows = 200, .values = FeatureValues::normal};
  const Dataset data = generate_classification(spec, 1);
  EXPECT_EQ(data.digest, digest_of_rows(data));
  EXPECT_EQ(generate_classification(spec, 1).digest, data.digest);
  EXPECT_NE(generate_classification(spec, 2).digest, data.digest);
}

TEST(Synthetic, KeepsItsRowsWhenOnlyTheLabelsAreAskedDifferently) {
  const Dataset data = generate_classification({.rows = 200, .label_noise = 0.0}, 1);
  const Dataset noisy = generate_classification({.rows = 200, .label_noise = 0.3}, 1);
  EXPECT_EQ(noisy.column, data.column);
  EXPECT_NE(noisy.label, data.label);
}

TEST(Synthetic, MakesEarlyColumnsPopular) {
  const Dataset data = generate_classification({.rows = 2000, .dim = 100, .nonzeros_per_row = 5}, 1);
  std::vector<std::int32_t> all(data.rows());
  for (std::size_t row = 0; row < all.size(); ++row) all[row] = static_cast<std::int32_t>(row);
  const std::vector<double> share = column_shares(data, all);
  EXPECT_GT(share[0], 5.0 * share[20]);
  EXPECT_GT(share[20], 2.0 * share[90]);
}

TEST(Synthetic, CanBeLearntButNotFitted) {
  const Dataset data = generate_classification({.rows = 2000, .dim = 20, .nonzeros_per_row = 6}, 1);
  const double error = training_error(data);
  EXPECT_LT(error, 0.35);
  EXPECT_GT(error, 0.05);
}

TEST(Synthetic, LabelsArePureChanceWithoutSignal) {
  EXPECT_GT(training_error(generate_classification({.rows = 4000, .dim = 10, .nonzeros_per_row = 4, .signal = 0.0}, 1)),
            0.42);
}

TEST(Synthetic, NormalValuesHaveTheAskedScale) {
  const Dataset data = generate_classification({.rows = 2000, .values = FeatureValues::normal, .scale = 3.0}, 1);
  double square = 0.0;
  for (const double v : data.value) square += v * v;
  EXPECT_NEAR(std::sqrt(square / static_cast<double>(data.nonzeros())), 3.0, 0.1);
}

TEST(Synthetic, SkewMakesContiguousSplitsDifferAndIidOnesNot) {
  const Spec spec{.rows = 5000, .dim = 50, .nonzeros_per_row = 5, .skew = 0.9, .groups = 5};
  const Dataset skewed = generate_classification(spec, 1);
  EXPECT_GT(spread(skewed, Split::contiguous), 0.4);
  EXPECT_LT(spread(skewed, Split::iid), 0.1);
  Spec even = spec;
  even.skew = 0.0;
  EXPECT_LT(spread(generate_classification(even, 1), Split::contiguous), 0.1);
}

TEST(Synthetic, SurvivesTheWayThroughAFile) {
  const Dataset data = generate_classification({.rows = 300, .values = FeatureValues::normal}, 4);
  const Dataset back = parse_libsvm(libsvm_text(data), "text", {.dim = data.dim});
  EXPECT_EQ(digest_of_rows(back), data.digest);
}

TEST(Synthetic, RejectsImpossibleShapes) {
  const auto rejected = [](const Spec& spec, const std::string& seen) {
    expect_error<ConfigError>([&] { generate_classification(spec, 1); }, {seen});
  };
  rejected({.dim = 5, .nonzeros_per_row = 6}, "nonzeros_per_row = 6, dim = 5");
  rejected({.rows = 0}, "rows = 0");
  rejected({.dim = 0}, "dim = 0");
  rejected({.nonzeros_per_row = 0.5}, "nonzeros_per_row = 0.5");
  rejected({.label_noise = 0.6}, "label_noise = 0.6");
  rejected({.skew = 1.5}, "skew = 1.5");
  rejected({.signal = std::nan("")}, "signal = nan");
  rejected({.groups = 0}, "groups = 0");
}

TEST(Synthetic, OptionsCanBeSetByName) {
  Spec spec;
  set_option(spec, "rows", std::int64_t{12});
  set_option(spec, "values", std::string("normal"));
  EXPECT_EQ(generate_classification(spec, 1).rows(), 12U);
  EXPECT_EQ(spec.values, FeatureValues::normal);
  EXPECT_THROW(set_option(spec, "skew", 2.0), ConfigError);
}

}  // namespace
}  // namespace driftless
