// The keys of [problem] for kind = "glm".
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/glm/glm_clients.hpp"
#include "driftless/tables/preparation.hpp"

#include <string>
#include <variant>
#include <vector>

namespace driftless {

// The weight of ½‖x‖² without the intercept: a number, 1/M for M rows in all, or what a cross-validation finds.
struct GlmPenalty {
  enum class Rule { number, per_row, cross_validation };

  Rule rule = Rule::number;
  double value = 0.0;
};
template <>
struct OptionType<GlmPenalty> {
  static std::string allowed() { return "a number >= 0, \"1/M\", or \"cv\": by cross-validation"; }
  static bool read(const OptionValue& value, GlmPenalty& out) {
    double weight = 0.0;
    if (OptionType<double>::read(value, weight)) {
      out = {.rule = GlmPenalty::Rule::number, .value = weight};
      return weight >= 0.0 && weight <= 1e300;
    }
    if (value == OptionValue(std::string("1/M"))) out = {.rule = GlmPenalty::Rule::per_row};
    else if (value == OptionValue(std::string("cv"))) out = {.rule = GlmPenalty::Rule::cross_validation};
    else return false;
    return true;
  }
  static std::string write(const GlmPenalty& v) {
    if (v.rule == GlmPenalty::Rule::number) return number(v.value);
    return v.rule == GlmPenalty::Rule::per_row ? "\"1/M\"" : "\"cv\"";
  }
};

struct GlmKeys {
  Family family = Family::logistic;
  std::string schema;
  std::string data;
  GlmPenalty l2;
  std::vector<std::string> penalty_factors;
  bool intercept = true;
  double delta = 1.0;
  double tau = 0.5;
  Scaling scale = Scaling::standard;
  std::size_t min_count = 1;
  std::vector<std::string> class_weights;
  double test = 0.0;
  std::vector<std::string> test_files;
  std::size_t folds = 5;
  std::size_t path_length = 25;
  double path_ratio = 1e-6;
  PenaltyRule path_rule = PenaltyRule::one_error;
  bool local_models = true;
  std::size_t min_rows = 10;
  bool standard_errors = true;

  static Fields fields() {
    using S = GlmKeys;
    constexpr Range part{.low = 0.0, .high = 0.9};
    constexpr Range open_part{.low = 0.0, .high = 1.0, .low_open = true, .high_open = true};
    return {field("family", &S::family, anything, "the distribution of the label, or the loss"),
            field("schema", &S::schema, anything, "a schema file, or its text; 'driftless schema' proposes one"),
            field("data", &S::data, anything, "a CSV file to be divided, or \"sites\": each brings its own"),
            field("l2", &S::l2, anything, "weight of ½‖x‖², in which the intercept has no part"),
            field("penalty_factors", &S::penalty_factors, anything,
                  "\"COLUMN=NUMBER\" for columns whose l2 is multiplied by a number, 0 for no penalty"),
            field("intercept", &S::intercept, anything, "whether the model has an intercept"),
            field("delta", &S::delta, positive, "δ of family = \"huber\"; half the smoothed width of \"quantile\""),
            field("tau", &S::tau, open_part, "the level of family = \"quantile\""),
            field("scale", &S::scale, anything, "how numbers are scaled over all sites"),
            field("min_count", &S::min_count, at_least_one,
                  "levels with fewer rows at a site are merged into \"(other)\" before they leave it"),
            field("class_weights", &S::class_weights, anything,
                  "[\"balanced\"], or \"CLASS=NUMBER\" for each class whose rows do not count once"),
            field("test", &S::test, part, "part of the rows of each site that no fit uses, by class"),
            field("test_files", &S::test_files, anything, "one file per client with the test rows, beside files"),
            field("folds", &S::folds, Range{.low = 2.0, .high = 100.0}, "of the cross-validation of l2 = \"cv\""),
            field("path_length", &S::path_length, Range{.low = 2.0, .high = 1000.0}, "values of l2 that it tries"),
            field("path_ratio", &S::path_ratio, open_part, "the last of them divided by the first"),
            field("path_rule", &S::path_rule, anything, "the least loss, or the largest l2 within one standard error"),
            field("local_models", &S::local_models, anything, "whether each site also fits a model to its rows alone"),
            field("min_rows", &S::min_rows, at_least_one, "sites with fewer test rows show no measures of their own"),
            field("standard_errors", &S::standard_errors, anything,
                  "whether the errors of the coefficients are found, from matrices of each site")};
  }
};

// The keys with the schema that they name.
struct GlmSetup {
  GlmKeys keys;
  Schema schema;
};

}  // namespace driftless
