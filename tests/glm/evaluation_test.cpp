// Evaluations against definitions computed row by row, over all pairs of rows where ranks are concerned.
#include "driftless/glm/evaluation.hpp"

#include "driftless/core/random.hpp"

#include "tests/support/expect_error.hpp"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numbers>
#include <numeric>

namespace driftless {
namespace {

struct Rows {
  std::vector<double> eta;
  std::vector<double> label;
  std::vector<double> weight;
};

Evaluation evaluate(const FamilyOptions& options, const Rows& rows) {
  std::vector<double> sums(evaluation_width(options));
  add_evaluation(options, rows.eta, rows.label, rows.weight, sums);
  return evaluation_of(options, sums);
}

// Labels that agree with a noisy version of the prediction.
Rows random_rows(std::size_t count, std::uint64_t seed, double scale) {
  Stream random(seed, Purpose::generator);
  Rows rows;
  for (std::size_t j = 0; j < count; ++j) {
    rows.eta.push_back(scale * random.normal() - 1.0);
    rows.label.push_back(rows.eta.back() + 2.0 * random.normal() > 0.0 ? 1.0 : -1.0);
  }
  return rows;
}

double auc_of_pairs(const Rows& rows) {
  double ordered = 0.0, pairs = 0.0;
  for (std::size_t i = 0; i < rows.eta.size(); ++i)
    for (std::size_t j = 0; j < rows.eta.size(); ++j) {
      if (rows.label[i] < 0.0 || rows.label[j] > 0.0) continue;
      pairs += 1.0;
      ordered += rows.eta[i] > rows.eta[j] ? 1.0 : rows.eta[i] == rows.eta[j] ? 0.5 : 0.0;
    }
  return ordered / pairs;
}

double average_precision_of_rows(const Rows& rows) {
  std::vector<std::size_t> order(rows.eta.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return rows.eta[a] > rows.eta[b]; });
  double positive = 0.0, sum = 0.0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    if (rows.label[order[rank]] < 0.0) continue;
    positive += 1.0;
    sum += positive / static_cast<double>(rank + 1);
  }
  return sum / positive;
}

constexpr FamilyOptions logistic{.family = Family::logistic};

TEST(Evaluation, OfFourRowsOfTwoClassesIsWhatIsComputedByHand) {
  const double log3 = std::log(3.0);
  // Probabilities ¾, ¼, ½, ¾ of class 1.
  const Evaluation e = evaluate(logistic, {{log3, -log3, 0.0, log3}, {1.0, -1.0, 1.0, -1.0}, {}});
  EXPECT_EQ(e.rows, 4U);
  EXPECT_EQ(e.weight, 4.0);
  const double loss = (2.0 * std::log(4.0 / 3.0) + std::log(2.0) + std::log(4.0)) / 4.0;
  EXPECT_NEAR(e.loss, loss, 1e-15);
  EXPECT_EQ(e.accuracy, 0.5);  // the row with probability ½ has class 0
  EXPECT_THAT(e.confusion, testing::ElementsAre(1.0, 1.0, 1.0, 1.0));
  EXPECT_NEAR(e.brier, (2.0 / 16.0 + 1.0 / 4.0 + 9.0 / 16.0) / 4.0, 1e-15);
  EXPECT_NEAR(e.deviance, 8.0 * loss, 1e-14);
  EXPECT_NEAR(e.null_deviance, 8.0 * std::log(2.0), 1e-14);
  EXPECT_NEAR(e.explained_deviance, 1.0 - loss / std::log(2.0), 1e-14);
  EXPECT_NEAR(e.log_likelihood, -4.0 * loss, 1e-14);
  EXPECT_NEAR(e.pearson, 1.0 / 3.0 + 1.0 / 3.0 + 1.0 + 3.0, 1e-14);
  EXPECT_EQ(e.auc.value, (1.0 + 1.0 + 0.5) / 4.0);
  EXPECT_EQ(e.auc.error, 0.125);
  EXPECT_EQ(e.calibration[7].rows, 2U);
  EXPECT_NEAR(e.calibration[7].predicted, 0.75, 1e-15);
  EXPECT_EQ(e.calibration[7].observed, 0.5);
  EXPECT_EQ(e.calibration[3].rows, 0U);
  EXPECT_NEAR(e.calibration_error, (2.0 * 0.25 + 0.25 + 0.5) / 4.0, 1e-15);
}

TEST(Evaluation, RanksAreThoseOfAllPairsWithinTheStatedError) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Rows rows = random_rows(1500, seed, 1.5);
    const Evaluation e = evaluate(logistic, rows);
    EXPECT_LE(std::abs(e.auc.value - auc_of_pairs(rows)), e.auc.error);
    EXPECT_LE(std::abs(e.average_precision.value - average_precision_of_rows(rows)), e.average_precision.error);
    EXPECT_LT(e.auc.error, 2e-3);
    EXPECT_LT(e.average_precision.error, 2e-3);
  }
}

TEST(Evaluation, TheStatedErrorHoldsWhereNearlyAllRowsShareFewBins) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const Rows rows = random_rows(300, seed, 0.003);
    Rows ranked = rows;
    for (double& eta : ranked.eta) eta += 1.0;
    const Evaluation e = evaluate(logistic, ranked);
    EXPECT_GT(e.auc.error, 0.05);
    EXPECT_LE(std::abs(e.auc.value - auc_of_pairs(ranked)), e.auc.error);
    EXPECT_LE(std::abs(e.average_precision.value - average_precision_of_rows(ranked)), e.average_precision.error);
  }
}

TEST(Evaluation, RanksAreExactWhereNoBinHasBothClasses) {
  Rows rows;
  for (int j = 0; j < 60; ++j) {
    rows.eta.push_back(0.25 * (j % 20) + 0.001 * (j / 20));
    rows.label.push_back(j % 20 % 3 == 0 || j % 20 > 14 ? 1.0 : -1.0);
  }
  const Evaluation e = evaluate(logistic, rows);
  EXPECT_EQ(e.auc.error, 0.0);
  EXPECT_NEAR(e.auc.value, auc_of_pairs(rows), 1e-15);
  EXPECT_EQ(e.average_precision.error, 0.0);
  EXPECT_NEAR(e.average_precision.value, average_precision_of_rows(rows), 1e-15);
}

TEST(Evaluation, WholeWeightsAreRepeatedRows) {
  Rows weighted = random_rows(400, 5, 1.0), repeated;
  for (std::size_t j = 0; j < weighted.eta.size(); ++j) {
    weighted.weight.push_back(static_cast<double>(j % 4));
    for (std::size_t k = 0; k < j % 4; ++k) {
      repeated.eta.push_back(weighted.eta[j]);
      repeated.label.push_back(weighted.label[j]);
    }
  }
  const Evaluation w = evaluate(logistic, weighted), r = evaluate(logistic, repeated);
  EXPECT_EQ(w.rows, 300U);
  EXPECT_EQ(w.weight, 600.0);
  EXPECT_NEAR(w.loss, r.loss, 1e-14);
  EXPECT_EQ(w.confusion, r.confusion);
  EXPECT_NEAR(w.auc.value, r.auc.value, 1e-14);
  EXPECT_NEAR(w.brier, r.brier, 1e-14);
  // Weights do not say how many rows a bin has, which widens the error.
  EXPECT_GE(w.average_precision.error, r.average_precision.error);
  EXPECT_LE(std::abs(w.average_precision.value - average_precision_of_rows(repeated)), w.average_precision.error);
}

TEST(Evaluation, DoesNotDependOnHowTheRowsOfASiteAreDividedOverCalls) {
  const Rows rows = random_rows(1000, 6, 2.0);
  std::vector<double> at_once(evaluation_width(logistic)), in_steps = at_once;
  add_evaluation(logistic, rows.eta, rows.label, {}, at_once);
  for (std::size_t first = 0; first < 1000; first += 125)
    add_evaluation(logistic, std::span(rows.eta).subspan(first, 125), std::span(rows.label).subspan(first, 125), {},
                   in_steps);
  EXPECT_EQ(at_once, in_steps);
}

TEST(Evaluation, OfTheSumsOfSitesIsThatOfAllRowsAlsoWhereCountsAreRounded) {
  const Rows rows = random_rows(900, 7, 2.0);
  std::vector<double> mean(evaluation_width(logistic));
  for (std::size_t first = 0; first < 900; first += 300) {
    std::vector<double> site(mean.size());
    add_evaluation(logistic, std::span(rows.eta).subspan(first, 300), std::span(rows.label).subspan(first, 300), {},
                   site);
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += site[k] / 3.0;
  }
  for (double& number : mean) number *= 3.0;
  const Evaluation pooled = evaluate(logistic, rows), summed = evaluation_of(logistic, mean);
  EXPECT_EQ(summed.rows, 900U);
  EXPECT_EQ(summed.confusion, pooled.confusion);
  EXPECT_EQ(summed.auc.value, pooled.auc.value);
  EXPECT_EQ(summed.average_precision.value, pooled.average_precision.value);
  EXPECT_NEAR(summed.loss, pooled.loss, 1e-14);
  EXPECT_EQ(summed.calibration[2].rows, pooled.calibration[2].rows);
}

TEST(Evaluation, TheCurveRisesFromZeroToOneInFewPointsThatAreOfTheRows) {
  const Rows rows = random_rows(5000, 8, 3.0);
  const std::vector<RocPoint> roc = evaluate(logistic, rows).roc;
  EXPECT_GT(roc.size(), 100U);
  EXPECT_LE(roc.size(), 200U);
  EXPECT_EQ(roc.front().true_positives, 0.0);
  EXPECT_EQ(roc.back().true_positives, 1.0);
  EXPECT_EQ(roc.back().false_positives, 1.0);
  for (std::size_t i = 1; i < roc.size(); ++i) {
    EXPECT_LE(roc[i - 1].true_positives, roc[i].true_positives);
    EXPECT_LE(roc[i - 1].false_positives, roc[i].false_positives);
    EXPECT_GT(roc[i - 1].threshold, roc[i].threshold);
  }
  const RocPoint& middle = roc[roc.size() / 2];
  double above = 0.0, positive = 0.0;
  for (std::size_t j = 0; j < rows.eta.size(); ++j) {
    if (rows.label[j] < 0.0) continue;
    positive += 1.0;
    above += rows.eta[j] >= middle.threshold ? 1.0 : 0.0;
  }
  EXPECT_NEAR(middle.true_positives, above / positive, 1e-15);
}

TEST(Evaluation, AHigherScoreNeverHasALowerBin) {
  constexpr std::size_t bins = 4096;
  for (const double start : {-1e300, -50.0, -8.0, -1e-9, -0.0, 1e-9, 3.0, 8.0, 50.0, 1e300}) {
    double score = start;
    std::size_t bin = score_bin(score, bins);
    for (int step = 0; step < 100; ++step) {
      score = std::nextafter(score, 2e300);
      const std::size_t next = score_bin(score, bins);
      EXPECT_GE(next, bin);
      bin = next;
    }
    EXPECT_GE(score, lower_edge(bin, bins));
  }
  for (std::size_t bin = 1; bin < bins; ++bin) EXPECT_EQ(score_bin(lower_edge(bin, bins) + 1e-12, bins), bin);
}

TEST(Evaluation, OfOneClassAloneHasNoRanks) {
  const Evaluation e = evaluate(logistic, {{0.5, 1.0}, {1.0, 1.0}, {}});
  EXPECT_TRUE(std::isnan(e.auc.value));
  EXPECT_TRUE(e.roc.empty());
  EXPECT_EQ(e.accuracy, 1.0);
  EXPECT_EQ(e.null_deviance, 0.0);
  EXPECT_TRUE(std::isnan(e.explained_deviance));
  EXPECT_FALSE(evaluation_object(e).contains("auc"));
}

TEST(Evaluation, OfSeveralClassesIsWhatIsComputedByHand) {
  const FamilyOptions options{.family = Family::multinomial, .classes = 3};
  const double log2 = std::log(2.0);
  // Probabilities (¼, ½, ¼), (½, ¼, ¼) and (1/6, 1/6, 4/6).
  const Rows rows{{log2, 0.0, -log2, -log2, 0.0, 2.0 * log2}, {1.0, 2.0, 2.0}, {}};
  const Evaluation e = evaluate(options, rows);
  EXPECT_NEAR(e.loss, (log2 + 2.0 * log2 + std::log(1.5)) / 3.0, 1e-15);
  EXPECT_THAT(e.confusion, testing::ElementsAre(0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0));
  EXPECT_NEAR(e.accuracy, 2.0 / 3.0, 1e-15);
  const double first = 0.25 + 2.0 / 16.0, second = 0.25 + 1.0 / 16.0 + 9.0 / 16.0, third = 3.0 / 18.0;
  EXPECT_NEAR(e.brier, (first + second + third) / 3.0, 1e-15);
  EXPECT_NEAR(e.null_deviance, -2.0 * (std::log(1.0 / 3.0) + 2.0 * std::log(2.0 / 3.0)), 1e-14);
  EXPECT_TRUE(std::isnan(e.auc.value)) << "class 0 has no row";
}

TEST(Evaluation, TheAreaOfSeveralClassesIsTheMeanOfEachAgainstTheOthers) {
  const FamilyOptions options{.family = Family::multinomial, .classes = 3};
  Stream random(9, Purpose::generator);
  Rows rows;
  std::vector<Rows> one_against_others(3);
  for (int j = 0; j < 600; ++j) {
    const double a = random.normal(), b = random.normal();
    const int label = static_cast<int>(random.uniform() * 3.0);
    rows.eta.push_back(a + (label == 1 ? 1.0 : 0.0));
    rows.eta.push_back(b + (label == 2 ? 1.5 : 0.0));
    rows.label.push_back(label);
    const double e1 = std::exp(rows.eta[rows.eta.size() - 2]), e2 = std::exp(rows.eta.back());
    const double odds[3] = {1.0 / (e1 + e2), e1 / (1.0 + e2), e2 / (1.0 + e1)};
    for (int k = 0; k < 3; ++k) {
      one_against_others[static_cast<std::size_t>(k)].eta.push_back(std::log(odds[k]));
      one_against_others[static_cast<std::size_t>(k)].label.push_back(k == label ? 1.0 : -1.0);
    }
  }
  double area = 0.0;
  for (const Rows& one : one_against_others) area += auc_of_pairs(one) / 3.0;
  const Evaluation e = evaluate(options, rows);
  EXPECT_LE(std::abs(e.auc.value - area), e.auc.error);
  EXPECT_LT(e.auc.error, 0.01);
  EXPECT_TRUE(e.roc.empty());
}

TEST(Evaluation, RSquaredIsWithinItsErrorWhereTheMeanOfTheLabelsIsLarge) {
  const FamilyOptions options{.family = Family::least_squares};
  Stream random(10, Purpose::generator);
  Rows rows;
  for (int j = 0; j < 4000; ++j) {
    rows.eta.push_back(1e6 + random.normal());
    rows.label.push_back(rows.eta.back() + 0.5 * random.normal());
    rows.weight.push_back(0.5 + random.uniform());
  }
  long double weight = 0.0L, label = 0.0L, about_mean = 0.0L, miss = 0.0L;
  for (std::size_t j = 0; j < 4000; ++j) {
    weight += rows.weight[j];
    label += static_cast<long double>(rows.weight[j]) * rows.label[j];
  }
  const long double mean = label / weight;
  for (std::size_t j = 0; j < 4000; ++j) {
    about_mean += rows.weight[j] * (rows.label[j] - mean) * (rows.label[j] - mean);
    const long double gap = static_cast<long double>(rows.label[j]) - rows.eta[j];
    miss += rows.weight[j] * gap * gap;
  }
  const Evaluation e = evaluate(options, rows);
  EXPECT_LE(std::abs(e.r_squared.value - static_cast<double>(1.0L - miss / about_mean)), e.r_squared.error);
  EXPECT_LT(e.r_squared.error, 1e-2);
  EXPECT_NEAR(e.mean_squared_error, static_cast<double>(miss / weight), 1e-14);
  EXPECT_NEAR(e.deviance, static_cast<double>(miss), 1e-10);
  EXPECT_NEAR(e.null_deviance / static_cast<double>(about_mean), 1.0, 1e-3);
}

TEST(Evaluation, RSquaredIsUnknownWhereAllLabelsAreEqual) {
  const Evaluation e = evaluate({.family = Family::least_squares}, {{0.5, 1.0, 0.7}, {0.7, 0.7, 0.7}, {}});
  EXPECT_TRUE(std::isnan(e.r_squared.value));
  EXPECT_NEAR(e.mean_absolute_error, 0.5 / 3.0, 1e-15);
}

double log_density_of_normal(double y, double mean, double variance) {
  return -0.5 * (std::log(2.0 * std::numbers::pi * variance) + (y - mean) * (y - mean) / variance);
}

TEST(Evaluation, TheLikelihoodOfLeastSquaresIsThatOfNormalLabels) {
  const Evaluation e = evaluate({.family = Family::least_squares}, {{1.0, 2.0, 3.0}, {1.5, 1.0, 3.25}, {}});
  const double variance = (0.25 + 1.0 + 0.0625) / 3.0;
  EXPECT_NEAR(e.log_likelihood,
              log_density_of_normal(1.5, 1.0, variance) + log_density_of_normal(1.0, 2.0, variance) +
                  log_density_of_normal(3.25, 3.0, variance),
              1e-14);
}

TEST(Evaluation, OfCountsHasDevianceAndLikelihoodOfPoisson) {
  const Rows rows{{0.3, 1.1, -0.4}, {0.0, 4.0, 1.0}, {1.0, 2.0, 0.5}};
  const Evaluation e = evaluate({.family = Family::poisson}, rows);
  double deviance = 0.0, likelihood = 0.0, pearson = 0.0, null = 0.0;
  const double mean_label = (2.0 * 4.0 + 0.5) / 3.5;
  for (std::size_t j = 0; j < 3; ++j) {
    const double y = rows.label[j], mu = std::exp(rows.eta[j]), w = rows.weight[j];
    deviance += 2.0 * w * ((y > 0.0 ? y * std::log(y / mu) : 0.0) - (y - mu));
    null += 2.0 * w * ((y > 0.0 ? y * std::log(y / mean_label) : 0.0) - (y - mean_label));
    likelihood += w * (y * rows.eta[j] - mu - std::log(std::tgamma(y + 1.0)));
    pearson += w * (y - mu) * (y - mu) / mu;
  }
  EXPECT_NEAR(e.deviance, deviance, 1e-14);
  EXPECT_NEAR(e.null_deviance, null, 1e-14);
  EXPECT_NEAR(e.log_likelihood, likelihood, 1e-14);
  EXPECT_NEAR(e.pearson, pearson, 1e-14);
}

TEST(Evaluation, OfPositiveLabelsHasDevianceAndLikelihoodOfGamma) {
  const Rows rows{{0.3, 1.1, -0.4}, {1.0, 4.5, 0.25}, {1.0, 2.0, 1.0}};
  const Evaluation e = evaluate({.family = Family::gamma}, rows);
  double deviance = 0.0, pearson = 0.0, null = 0.0;
  const double mean_label = (1.0 + 9.0 + 0.25) / 4.0;
  for (std::size_t j = 0; j < 3; ++j) {
    const double y = rows.label[j], mu = std::exp(rows.eta[j]), w = rows.weight[j];
    deviance += 2.0 * w * ((y - mu) / mu - std::log(y / mu));
    null += 2.0 * w * ((y - mean_label) / mean_label - std::log(y / mean_label));
    pearson += w * (y / mu - 1.0) * (y / mu - 1.0);
  }
  const double shape = 4.0 / deviance;
  double likelihood = 0.0;
  for (std::size_t j = 0; j < 3; ++j) {
    const double y = rows.label[j], rate = shape / std::exp(rows.eta[j]);
    likelihood +=
        rows.weight[j] * (shape * std::log(rate) + (shape - 1.0) * std::log(y) - rate * y - std::lgamma(shape));
  }
  EXPECT_NEAR(e.deviance, deviance, 1e-14);
  EXPECT_NEAR(e.null_deviance, null, 1e-14);
  EXPECT_NEAR(e.log_likelihood, likelihood, 1e-12);
  EXPECT_NEAR(e.pearson, pearson, 1e-14);
}

TEST(Evaluation, OfAQuantileSaysWhichPartOfTheLabelsIsNotAboveIt) {
  const FamilyOptions options{.family = Family::quantile, .delta = 0.1, .tau = 0.75};
  const Evaluation e = evaluate(options, {{1.0, 1.0, 1.0, 1.0}, {0.5, 0.9, 1.0, 3.0}, {}});
  EXPECT_EQ(e.below, 0.75);
  EXPECT_TRUE(std::isnan(e.deviance));
  EXPECT_FALSE(evaluation_object(e).contains("log_likelihood"));
}

TEST(Evaluation, OfASquaredHingeHasRanksButNoProbabilities) {
  const Evaluation e = evaluate({.family = Family::squared_hinge}, {{2.0, -0.5, 0.5}, {1.0, -1.0, -1.0}, {}});
  EXPECT_NEAR(e.loss, (0.125 + 1.125) / 3.0, 1e-15);
  EXPECT_EQ(e.auc.value, 1.0);
  EXPECT_TRUE(e.calibration.empty());
  EXPECT_TRUE(std::isnan(e.brier));
  EXPECT_TRUE(std::isnan(e.deviance));
}

TEST(Evaluation, RejectsAPredictionThatIsNotFinite) {
  std::vector<double> sums(evaluation_width(logistic));
  const std::vector<double> eta{0.0, std::nan("")}, label{1.0, 1.0};
  expect_error<DataError>([&] { add_evaluation(logistic, eta, label, {}, sums); }, {"row 1", "nan"});
}

TEST(Evaluation, TheFileHasTheNumbersAndTheCurves) {
  Evaluation e = evaluate(logistic, random_rows(200, 11, 1.0));
  e.classes = {"no", "yes"};
  const auto json = nlohmann::json::parse(evaluation_json(e));
  EXPECT_EQ(json.at("rows"), 200);
  EXPECT_EQ(json.at("loss"), e.loss);
  EXPECT_EQ(json.at("auc_error"), e.auc.error);
  EXPECT_EQ(json.at("confusion").at("classes"), (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(json.at("confusion").at("weights").at(1).at(0), e.confusion[2]);
  EXPECT_EQ(json.at("roc").size(), e.roc.size());
  EXPECT_EQ(json.at("calibration").size(), 10U);
  const std::string text = evaluation_text(e);
  for (const char* words : {"log-loss", "AUC", "Brier score", "predicted yes", "mean predicted"})
    EXPECT_THAT(text, testing::HasSubstr(words));
  EXPECT_EQ(evaluation_text(evaluation_of(logistic, std::vector<double>(evaluation_width(logistic)))),
            "no rows to evaluate\n");
}

std::vector<SiteEvaluation> sites_with_rows(const std::vector<std::size_t>& rows, std::size_t min_rows) {
  std::vector<double> sums;
  std::vector<std::string> names;
  for (const std::size_t count : rows) {
    const Rows site = random_rows(count, 12 + count, 1.0);
    std::vector<double> own(evaluation_width(logistic));
    add_evaluation(logistic, site.eta, site.label, {}, own);
    sums.insert(sums.end(), own.begin(), own.end());
    names.push_back("site " + std::to_string(names.size()));
  }
  return site_evaluations(logistic, names, sums, min_rows);
}

std::vector<bool> shown(const std::vector<SiteEvaluation>& sites) {
  std::vector<bool> result;
  for (const SiteEvaluation& site : sites) result.push_back(site.evaluation.has_value());
  return result;
}

TEST(SiteEvaluations, OfFewRowsAreNotShownAndNeitherIsTheOneFromWhichASingleOneWouldFollow) {
  EXPECT_EQ(shown(sites_with_rows({50, 40, 60}, 10)), (std::vector<bool>{true, true, true}));
  EXPECT_EQ(shown(sites_with_rows({50, 9, 40, 60}, 10)), (std::vector<bool>{true, false, false, true}));
  EXPECT_EQ(shown(sites_with_rows({50, 9, 0, 60}, 10)), (std::vector<bool>{true, false, false, true}));
  EXPECT_EQ(shown(sites_with_rows({9}, 10)), (std::vector<bool>{false}));
}

TEST(SiteEvaluations, SayOfHiddenSitesNothingButTheirNames) {
  const std::vector<SiteEvaluation> sites = sites_with_rows({50, 3, 40}, 10);
  const auto json = site_evaluations_object(sites);
  EXPECT_EQ(json.at(0).at("rows"), 50);
  EXPECT_EQ(json.at(1), (nlohmann::ordered_json{{"site", "site 1"}, {"shown", false}}));
  const std::string text = site_evaluations_text(sites);
  EXPECT_THAT(text, testing::HasSubstr("accuracy"));
  EXPECT_THAT(text, testing::HasSubstr("too few to show"));
}

}  // namespace
}  // namespace driftless
