// Evaluates the formulas that the catalogue prints, from their text alone: an independent check of the numbers.
//
//   formula    = expression { ", " (symbol " = " expression | words) }
//   expression = term { ("+" | "−") term },   term = factor { ["/"] factor }: factors side by side are multiplied
//   factor     = primary ["²"],   primary = number | symbol | "√" factor | "(…)" | "min(…, …)" | "max(…, …)" | "⌈…⌉"
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace driftless::test {

// The value of a symbol that the formula does not define; not a number where there is none.
using SymbolValue = std::function<double(const std::string&)>;

// std::runtime_error where the text is no formula.
double evaluate_formula(std::string_view formula, const SymbolValue& symbol);

}  // namespace driftless::test
