// The values from theory: those of the theorem for the options given, and those that the formulas beside them say.
#include "driftless/methods/catalog.hpp"

#include "tests/methods/formula.hpp"
#include "tests/support/testbed.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>

namespace driftless::test {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Constants constants(double mu) {
  return {.clients = 6,
          .L = 101.5,
          .L_f = 93.25,
          .mu = mu,
          .mu_f = mu,
          .delta_A = 4.125,
          .delta_A_up = 4.5,
          .delta_B = 5.375,
          .delta_1 = 4.875,
          .L_sample = 707.0,
          .noise = {.samples = {5, 9}, .variance = {64.0, 100.0}}};
}

const OptionValue& setting(const Settings& settings, const std::string& name) {
  return std::ranges::find(settings, name, &Settings::value_type::first)->second;
}

double number_of(const Settings& settings, const std::string& name) {
  const OptionValue& value = setting(settings, name);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::get<double>(value);
}

// The mean over the two clients of E‖g_i − ∇f_i‖².
double variance_of_batches(double b) {
  return ((b < 5 ? 64.0 * (5 - b) / (4 * b) : 0.0) + (b < 9 ? 100.0 * (9 - b) / (8 * b) : 0.0)) / 2;
}

// What a symbol of a formula stands for, without the code of the catalogue.
double symbol_value(const std::string& name, const Constants& c, const OptionValues& options) {
  const double n = static_cast<double>(c.clients);
  const std::map<std::string, double> known{{"L", c.L},         {"L_f", c.L_f},     {"L_s", c.L_sample},
                                            {"μ", c.mu},        {"μ_f", c.mu_f},    {"δ_A", c.delta_A},
                                            {"δ_B", c.delta_B}, {"Δ_1", c.delta_1}, {"n", n}};
  if (const auto found = known.find(name); found != known.end()) return found->second;
  if (name == "σ") return std::sqrt(variance_of_batches(options.number("batch")));
  const double given = options.number(name);
  if (name == "cohort") return given > 0.0 ? std::min(given, n) : n;
  if (name != "sparsity") return given;
  const double cohort = symbol_value("cohort", c, options);
  return given > 0.0 ? std::min(given, cohort) : cohort;
}

class TheoryValues : public testing::TestWithParam<std::string> {
 protected:
  const MethodEntry& entry() const { return find_method(GetParam()); }

  // How many values were compared.
  std::size_t compare(const Settings& given, const Constants& raw) const {
    Settings settings = given;
    for (const TheoryValue& t : entry().theory)
      if (std::ranges::find(given, t.option, &Settings::value_type::first) == given.end())
        settings.emplace_back(t.option, "theory"s);
    ResolvedSettings resolved;
    try {
      resolved = resolve_theory_values(entry(), settings, raw);
    } catch (const ConfigError&) { return 0; }  // these options have no theorem
    const Constants c = without_rounding(raw);
    const OptionValues options = values_of(entry(), resolved.settings);
    for (const auto& [option, formula] : resolved.theory) {
      if (formula.starts_with('"')) {
        EXPECT_THAT(formula, HasSubstr(to_text(setting(resolved.settings, option))));
        continue;
      }
      const double said = evaluate_formula(formula, [&](const std::string& s) { return symbol_value(s, c, options); });
      const double got = number_of(resolved.settings, option);
      EXPECT_TRUE(got == said || std::abs(got - said) <= 1e-13 * std::abs(said) ||
                  (std::isnan(got) && std::isnan(said)))
          << option << " = " << got << ", but " << formula << " = " << said;
    }
    return resolved.theory.size();
  }

  // Other values of one option than its default.
  static std::vector<OptionValue> other_values(const OptionInfo& option) {
    std::vector<OptionValue> values;
    for (const std::string& choice : option.choices) values.emplace_back(choice);
    if (option.kind == OptionKind::whole_number) values = {std::int64_t{0}, std::int64_t{3}, std::int64_t{200}};
    if (option.kind == OptionKind::number) values = {0.25, 7.5};
    return values;
  }
};

TEST_P(TheoryValues, AreWhatTheirFormulasSayForEveryOption) {
  for (const double mu : {0.75, 0.0, -1.3e-17, -2.0}) {
    const std::size_t compared = compare({}, constants(mu));
    EXPECT_TRUE(compared > 0 || mu <= 0.0 || entry().theory.empty());
    for (const OptionInfo& option : entry().options)
      for (const OptionValue& value : other_values(option)) {
        SCOPED_TRACE(option.name + " = " + to_text(value) + ", mu = " + std::to_string(mu));
        compare({{option.name, value}}, constants(mu));
      }
  }
}

TEST_P(TheoryValues, AreNotBelowZeroWhereConvexityIsLostByRoundingAlone) {
  Constants c = constants(-1.3e-17);
  for (const auto& [option, value] : theory_settings(entry(), c))
    if (const auto* number = std::get_if<double>(&value)) { EXPECT_FALSE(*number < 0.0) << option; }
}

std::string test_name(const testing::TestParamInfo<std::string>& method) {
  std::string name = method.param;
  for (char& c : name) c = c == '+' ? 'P' : c == '-' ? '_' : c;
  return name;
}

std::vector<std::string> all_methods() {
  std::vector<std::string> names;
  for (const MethodEntry& entry : method_catalog()) names.push_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, TheoryValues, testing::ValuesIn(all_methods()), test_name);

// Worked out by hand from the theorems: n = 6, L = 101.5, μ = 0.75, δ_A = 4.125, δ_B = 5.375, L of samples 707.
struct Expected {
  std::string method;
  Settings given;
  std::string option;
  double value;
  double mu = 0.75;
};

void PrintTo(const Expected& e, std::ostream* out) { *out << e.method << " " << e.option; }

class TheoremsValue : public testing::TestWithParam<Expected> {};

TEST_P(TheoremsValue, IsUsedForTheOptionsGiven) {
  const Expected& e = GetParam();
  const Settings settings = theory_settings(find_method(e.method), constants(e.mu), e.given);
  EXPECT_NEAR(number_of(settings, e.option), e.value, 1e-12 * std::abs(e.value));
}

const std::vector<Expected> table{
    {"fedavg", {{"local_steps", std::int64_t{200}}}, "step", 1 / (200 * 101.5)},
    {"scaffold", {{"local_steps", std::int64_t{200}}}, "step", 1 / (200 * 101.5)},
    {"mimelite", {{"local_steps", std::int64_t{7}}}, "step", 1 / (7 * 101.5)},
    {"fedadam", {{"local_steps", std::int64_t{7}}}, "step", 1 / (7 * 101.5)},
    {"feddc", {{"local_steps", std::int64_t{7}}}, "step", 1 / (7 * 101.5)},
    {"adabest", {{"local_steps", std::int64_t{7}}}, "step", 1 / (7 * 101.5)},
    {"fedpvr", {{"local_steps", std::int64_t{7}}}, "step", 1 / (7 * 101.5)},
    {"fedexp", {{"local_steps", std::int64_t{7}}}, "step", 1 / (7 * 101.5)},
    {"fedlin", {{"local_steps", std::int64_t{200}}}, "step", 1 / (6 * 200 * 101.5)},
    {"fedred-gd", {{"lambda", 0.001}}, "p", 0.376 / 101.125},
    {"fedred-gd", {{"lambda", 0.001}, {"eta", 50.0}}, "p", 0.376 / 49.625},
    {"fedred", {{"lambda", 0.001}}, "p", 0.376 / 101.875},
    {"fedred", {{"solver", "gd"s}}, "p", 4.5 / 101.125},
    {"fedred-gd", {}, "mu", 0.75},
    {"fedred-gd", {{"averaging", "random"s}}, "eta", 609.0},
    {"fedred-gd", {}, "lambda", 5.375, -2.0},
    {"fedred-gd", {}, "eta", 609.0, -2.0},
    {"fedred-gd", {}, "p", 5.375 / 101.5, -2.0},
    {"fedred", {}, "eta", 21.5, -2.0},
    {"fedred", {}, "p", 0.5, -2.0},
    {"fedred-sgd", {{"epsilon", 0.5}, {"batch", std::int64_t{3}}}, "eta", 101.5 + (64 / 6.0 + 25) / 2 / 0.5},
    {"fedred-sgd", {{"epsilon", 0.5}, {"sigma", 3.0}}, "eta", 101.5 + 9 / 0.5},
    {"fedred-sgd", {{"epsilon", 0.5}, {"batch", std::int64_t{9}}}, "eta", 101.5},
    {"fedred-sgd", {{"epsilon", 0.5}, {"sigma", 3.0}}, "eta", 3 * 101.5 + 16 * 101.5 * 9 / 0.5, -2.0},
    {"fedred-sgd", {{"epsilon", 1e9}, {"sigma", 3.0}}, "eta", 609.0, -2.0},
    {"fedred-sgd", {{"epsilon", 0.5}, {"sigma", 3.0}}, "p", 5.375 / 101.5, -2.0},
    {"fedred-sgd", {}, "eta", 203.0},
    {"dane+", {}, "lambda", 4.125},
    {"dane+", {{"solver", "agd"s}}, "lambda", 8.25},
    {"dane+", {{"solver", "newton-cg"s}}, "lambda", 8.25},
    {"dane+", {{"averaging", "random"s}}, "lambda", 10.75},
    {"dane+", {}, "lambda", 10.75, -2.0},
    {"dane+", {{"control_variate", "drift"s}}, "lambda", std::sqrt(0.75 * 101.5)},
    {"dane+-gd", {}, "lambda", 8.25},
    {"tamuna", {{"cohort", std::int64_t{4}}, {"sparsity", std::int64_t{2}}}, "p", std::sqrt(6 * 0.75 / (2 * 101.5))},
    {"tamuna", {{"cohort", std::int64_t{4}}}, "p", std::sqrt(6 * 0.75 / (4 * 101.5))},
    {"5gcs", {{"cohort", std::int64_t{2}}}, "tau", std::sqrt(0.75 * 100.75 / 24)},
    {"5gcs", {{"mu", 0.5}}, "tau", std::sqrt(0.5 * 101.0 / 72)},
    {"randprox", {{"keep", 0.25}}, "p", 4 * std::sqrt(0.75 / 101.5)},
    {"proxskip-vr", {}, "step", 1 / (6 * 707.0)},
    {"proxskip-vr", {}, "p", std::sqrt(0.75 / (6 * 707.0))},
    {"proxskip-vr", {{"batch", std::int64_t{0}}}, "step", 1 / 101.5},
    {"mime-mvr", {}, "a", std::pow(5.375 * 19 / 101.5, 2) / 4},
    {"mime-mvr", {{"local_steps", std::int64_t{10}}}, "a", std::pow(53.75 / 101.5, 2) / 4},
    {"diana", {{"compressor", "rand-k"s}, {"keep", 0.5}}, "step", 1 / (101.5 * 2)},
    {"ef21", {{"keep", 0.75}}, "step", 1 / (101.5 * (1 + std::sqrt(0.5) / 0.5))},
    {"dane-hb", {{"lambda", 3.0}}, "beta", std::pow(1 - std::sqrt(0.75 / 6.75), 2)},
    {"spag", {{"delegate", std::int64_t{2}}}, "lambda", 5.375},
};
INSTANTIATE_TEST_SUITE_P(Options, TheoremsValue, testing::ValuesIn(table), [](const auto& info) {
  std::string name = info.param.method + "_" + info.param.option + "_" + std::to_string(info.index);
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

TEST(TheoryValue, OfMimeMvrLeavesMomentum) {
  const Settings settings = theory_settings(find_method("mime-mvr"), demo_quadratics().constants);
  EXPECT_LT(number_of(settings, "a"), 0.5);
}

TEST(TheoryValue, IsAnErrorWhereTheProblemDoesNotKnowASamplesSmoothness) {
  Constants c = constants(0.75);
  c.L_sample = 0.0;
  EXPECT_THROW(theory_settings(find_method("proxskip-vr"), c), ConfigError);
}

TEST(TheoryValue, SaysWhereItIsARuleOfThumb) {
  for (const char* method : {"scaffold", "fedavg", "fedprox"})
    EXPECT_THAT(find_method(method).theory.front().text(), HasSubstr("a rule of thumb")) << method;
}

TEST(Formula, IsEvaluatedFromItsText) {
  const SymbolValue symbol = [](const std::string& s) { return s == "μ" ? 4.0 : s == "keep" ? 0.5 : nan; };
  EXPECT_EQ(evaluate_formula("min(1, √(2 α μ)/6), α = keep, a rule of thumb", symbol), 2.0 / 6);
  EXPECT_EQ(evaluate_formula("(1 − √μ)² + ⌈μ/3⌉", symbol), 3.0);
  EXPECT_TRUE(std::isnan(evaluate_formula("K μ", symbol)));
  EXPECT_THROW(static_cast<void>(evaluate_formula("(μ", symbol)), std::runtime_error);
}

}  // namespace
}  // namespace driftless::test
