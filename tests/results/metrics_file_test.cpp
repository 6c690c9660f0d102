#include "driftless/results/metrics_file.hpp"

#include "driftless/experiments/run_progress.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/temp_folder.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace driftless {
namespace {

const TraceRow row{.round = 3,
                   .exchanges = 6,
                   .messages = 30,
                   .bytes_up = 100,
                   .bytes_down = 200,
                   .local_steps = 7,
                   .grad_evals = 8,
                   .wall_s = 0.5,
                   .f = 0.1,
                   .f_gap = 1e-9,
                   .grad_norm = 1.0 / 3.0,
                   .dist = {}};

TEST(MetricsFile, WritesShortestNumbersAndLeavesUnknownsEmpty) {
  EXPECT_EQ(csv_line(row), "3,6,30,100,200,7,8,0.5,0.1,1e-09,0.3333333333333333,");
  EXPECT_EQ(
      json_line(row),
      "{\"round\": 3, \"exchanges\": 6, \"messages\": 30, \"bytes_up\": 100, \"bytes_down\": 200, \"local_steps\": 7, "
      "\"grad_evals\": 8, \"wall_s\": 0.5, \"f\": 0.1, \"f_gap\": 1e-09, \"grad_norm\": 0.3333333333333333, \"dist\": "
      "null}");
}

TEST(MetricsFile, NumbersThatJsonLacksAreNull) {
  TraceRow lost = row;
  lost.f = std::numeric_limits<double>::infinity();
  EXPECT_NE(csv_line(lost).find(",inf,"), std::string::npos);
  EXPECT_NE(json_line(lost).find("\"f\": null"), std::string::npos);
}

TEST(MetricsFile, RowsAreWrittenAsSoonAsTheyAreAdded) {
  const TempFolder folder;
  MetricsFile metrics(folder.path());
  metrics.add(row);
  EXPECT_EQ(TempFolder::read(folder / "metrics.csv"), csv_header() + "\n" + csv_line(row) + "\n");
  EXPECT_EQ(TempFolder::read(folder / "metrics.jsonl"), json_line(row) + "\n");
}

TEST(MetricsFile, KnowsTheDigestOfWhatItHasWrittenSoFar) {
  const TempFolder folder;
  const auto file = folder / "metrics.csv";
  TraceRow later = row;
  later.round = 4;
  MetricsFile metrics(folder.path());
  EXPECT_EQ(metrics.digest(), digest_of_metrics(file));
  metrics.add(row);
  EXPECT_EQ(metrics.digest(), sha256(TempFolder::read(file)));
  metrics.add(later);
  EXPECT_EQ(metrics.digest(), digest_of_metrics(file));
  EXPECT_EQ(metrics.digest(), digest_of_metrics({row, later}));
  EXPECT_EQ(digest_of_metrics(file, 1), digest_of_metrics({row}));
  EXPECT_EQ(digest_of_metrics(file, 3), digest_of_metrics(file));
  MetricsFile continued = MetricsFile::continuing(folder.path(), {row}, false);
  EXPECT_EQ(continued.digest(), digest_of_metrics({row}));
  continued.add(later);
  EXPECT_EQ(continued.digest(), digest_of_metrics(file));
}

TEST(MetricsFile, DigestCoversTheColumnsOfATestSet) {
  const TempFolder folder;
  TraceRow tested = row;
  tested.test_loss = 0.25;
  tested.test_accuracy = 0.5;
  MetricsFile metrics(folder.path(), true);
  metrics.add(tested);
  EXPECT_EQ(metrics.digest(), digest_of_metrics({tested}));
  EXPECT_EQ(metrics.digest(), digest_of_metrics(folder / "metrics.csv"));
}

TEST(ReadMetrics, GivesTheRowsThatWereWritten) {
  const TempFolder folder;
  TraceRow lost = row;
  lost.f = std::numeric_limits<double>::infinity();
  folder.write("metrics.csv", csv_header() + "\n" + csv_line(row) + "\n" + csv_line(lost) + "\n");
  const std::vector<TraceRow> rows = read_metrics(folder / "metrics.csv");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(csv_line(rows[0]), csv_line(row));
  EXPECT_EQ(csv_line(rows[1]), csv_line(lost));
}

TEST(ReadMetrics, LeavesOutALineThatIsStillBeingWritten) {
  const TempFolder folder;
  folder.write("metrics.csv", csv_header() + "\n" + csv_line(row) + "\n4,8,4");
  EXPECT_EQ(read_metrics(folder / "metrics.csv").size(), 1U);
}

TEST(ReadMetrics, MalformedMetricsAreRejectedWithTheirLine) {
  const TempFolder folder;
  const auto expect_rejected = [&](const std::string& text, const std::string& location) {
    const auto file = folder.write("metrics.csv", text);
    expect_error<DataError>([&] { read_metrics(file); }, {"metrics.csv:" + location});
  };
  expect_rejected("a,b\n", "1: a,b");
  expect_rejected(csv_header() + "\n1,2\n", "2: 1,2");
  expect_rejected(csv_header() + "\n" + csv_line(row) + "\n" + csv_line(row) + ",1\n", "3");
  expect_rejected(csv_header() + "\n-" + csv_line(row) + "\n", "2");
}

TEST(MetricsFile, MissingFolderIsAnError) {
  const TempFolder folder;
  expect_error<DataError>([&] { MetricsFile metrics(folder / "nowhere"); }, {"metrics.csv"});
}

TEST(Progress, DonePartFollowsTheNearestStop) {
  const TraceRow first{.f_gap = 1.0, .grad_norm = 1.0};
  TraceRow now{.round = 25, .exchanges = 50, .wall_s = 1.0, .f_gap = 1e-2, .grad_norm = 0.5};
  EXPECT_DOUBLE_EQ(done_part({.rounds = 100}, first, now), 0.25);
  EXPECT_DOUBLE_EQ(done_part({.rounds = 100, .exchanges = 100}, first, now), 0.5);
  EXPECT_NEAR(done_part({.gap = 1e-8}, first, now), 0.25, 1e-12);
  EXPECT_DOUBLE_EQ(done_part({.seconds = 0.5}, first, now), 1.0);
  EXPECT_DOUBLE_EQ(done_part({.gap = 0.0}, first, now), 0.0);
}

}  // namespace
}  // namespace driftless
