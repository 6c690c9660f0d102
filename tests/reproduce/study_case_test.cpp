#include "driftless/reproduce/study_case.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

// A run whose gap is `first` and falls tenfold each round, with two exchanges and three gradients a round.
MethodOutcome outcome(const std::string& label, double first, std::size_t rounds) {
  MethodOutcome run;
  run.method.label = label;
  for (std::size_t r = 0; r <= rounds; ++r) {
    run.rows.push_back({.round = r, .exchanges = 2 * r, .grad_evals = 3 * r, .f_gap = first});
    first /= 10.0;
  }
  return run;
}

TEST(StudyCase, SeedsOfOneVariantBelongTogether) {
  const std::vector<MethodOutcome> runs{outcome("gd", 1, 2), outcome("fedred-gd-1", 1, 2), outcome("fedred-gd-2", 1, 2),
                                        outcome("fedred-gd-drift", 1, 2)};
  const std::vector<Variant> variants = variants_of(runs);
  ASSERT_EQ(variants.size(), 3U);
  EXPECT_EQ(variants[1].label, "fedred-gd");
  EXPECT_EQ(variants[1].runs.size(), 2U);
  EXPECT_EQ(variants[2].label, "fedred-gd-drift");
}

TEST(StudyCase, WhatWasSpentIsTheMeanOverSeedsAndNothingIfOneFailed) {
  std::vector<MethodOutcome> runs{outcome("m-1", 1.0, 6), outcome("m-2", 1.0, 6)};
  runs[1].rows.erase(runs[1].rows.begin() + 4);  // its fourth round was not measured
  const Spent spent = spent_until(variants_of(runs).front(), 1.5e-4);
  EXPECT_DOUBLE_EQ(spent.rounds, 4.5);
  EXPECT_DOUBLE_EQ(spent.exchanges, 9.0);
  EXPECT_DOUBLE_EQ(spent.gradients, 13.5);
  EXPECT_FALSE(spent_until(variants_of(runs).front(), 1e-9).reached());
}

TEST(StudyCase, CurvesAreMeansWithABandAndEndBelowTheFloor) {
  std::vector<MethodOutcome> runs{outcome("m-1", 1.0, 8), outcome("m-2", 1.0, 8)};
  for (TraceRow& row : runs[1].rows)
    if (row.round > 0) *row.f_gap *= 3.0;
  const std::vector<Panel> panels = progress_panels("title", variants_of(runs), 1e-3);
  ASSERT_EQ(panels.size(), 3U);
  const Series& rounds = panels[0].series.front();
  EXPECT_DOUBLE_EQ(rounds.y[1], 0.2);  // (0.1 + 0.3)/2
  EXPECT_DOUBLE_EQ(rounds.low[1], 0.1);
  EXPECT_DOUBLE_EQ(rounds.high[1], 0.3);
  EXPECT_EQ(rounds.x.size(), 5U);  // 1, 0.2, 0.02, 0.002, and the first below 1e-3
  EXPECT_DOUBLE_EQ(panels[2].series.front().x[2], 6.0);
}

TEST(StudyCase, ASeedThatEndedStaysWhereItIs) {
  const std::vector<MethodOutcome> runs{outcome("m-1", 1.0, 1), outcome("m-2", 1.0, 3)};
  const Series rounds = progress_panels("title", variants_of(runs), 1e-9).front().series.front();
  EXPECT_EQ(rounds.x, (std::vector<double>{0.0, 1.0, 1.5, 2.0}));
  EXPECT_DOUBLE_EQ(rounds.y[3], 0.0505);  // (0.1 + 0.001)/2
}

TEST(StudyCase, WithoutAGapTheLeastGradientNormSoFarIsShown) {
  MethodOutcome run = outcome("m", 1.0, 3);
  const std::vector<double> norms{4.0, 1.0, 2.0, 0.5};
  for (std::size_t r = 0; r < norms.size(); ++r) {
    run.rows[r].f_gap.reset();
    run.rows[r].grad_norm = norms[r];
  }
  const std::vector<MethodOutcome> runs{run};
  const std::vector<double> expected{1.0, 0.25, 0.25, 0.125};
  EXPECT_EQ(progress_panels("title", variants_of(runs), 1e-9).front().series.front().y, expected);
}

}  // namespace
}  // namespace driftless
