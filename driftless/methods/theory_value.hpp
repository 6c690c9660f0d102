// The value that a theorem gives an option: a function of the constants of the federation and of the other options.
//
// Where the theorem depends on a choice, as λ of DANE+ on its local solver, there is a case for each choice. The
// formula names every option that enters, and is what is printed beside the number.
#pragma once

#include "driftless/core/constants.hpp"
#include "driftless/core/options.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

bool asks_for_theory(const OptionValue& value);      // it is the text "theory"
Settings asked_of_theory(const Settings& settings);  // those of which the value is to come from theory

// The options of a method by name: those it offers with their defaults, those its name fixes, and those given.
class OptionValues {
 public:
  OptionValues(const std::vector<OptionInfo>& offered, const Settings& fixed, const Settings& given);

  double number(std::string_view name) const;  // not a number where the value is unset or still to come from theory
  bool is(std::string_view name, std::string_view choice) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }

 private:
  const std::string* find(std::string_view name) const;

  OptionLines lines_;
};

struct TheoryInput {
  const Constants& c;  // without rounding: a convex f_i has μ ≥ 0
  const OptionValues& options;

  double operator[](std::string_view option) const { return options.number(option); }
  bool is(std::string_view option, std::string_view choice) const { return options.is(option, choice); }
  double n() const { return static_cast<double>(c.clients); }
  double cohort() const;  // clients that take part in a round
};

struct TheoryCase {
  std::string formula;
  std::function<OptionValue(const TheoryInput&)> value;
  std::string condition = {};                            // when it applies, in words; "" for the last case
  std::function<bool(const TheoryInput&)> applies = {};  // null: always
};

struct TheoryValue {
  std::string option;
  std::vector<TheoryCase> cases;  // the first that applies is taken

  const TheoryCase* at(const TheoryInput& input) const;  // null where the theory has no value for these options
  std::string text() const;                              // all formulas with their conditions
};

// An option whose value comes from theory.
struct TheoryUse {
  std::string option;
  std::string formula;
};

struct ResolvedSettings {
  Settings settings;
  std::vector<TheoryUse> theory;  // the options that were "theory"
};

// μ and μ_f below 0 by no more than rounding are 0.
Constants without_rounding(Constants constants);

}  // namespace driftless
