// What the page shows of the models of tables that a run fitted.
#pragma once

#include "driftless/results/run_files.hpp"

namespace driftless {

// A list with an entry for each method that fitted a model; empty where none did.
nlohmann::ordered_json fits_json(const RunFiles& run);

// Of the intervals, as in most papers; `driftless summary --level` has others.
inline constexpr double interval_level = 0.95;

// Whether this is the name of a constant, "(intercept)" or "CLASS: (intercept)", which forest plots leave out.
bool is_constant(const std::string& name);

// Without standard errors only so many coefficients, the largest of the coded variables, are on the page.
inline constexpr std::size_t most_shown_coefficients = 2000;

}  // namespace driftless
