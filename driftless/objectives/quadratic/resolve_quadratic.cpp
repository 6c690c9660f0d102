#include "driftless/objectives/quadratic/resolve_quadratic.hpp"

#include "driftless/objectives/quadratic/quadratic_recipes.hpp"

namespace driftless {
namespace {

std::string setting(std::string_view key, double value) { return std::string(key) + " = " + number(value); }

template <class E>
std::string setting(std::string_view key, E value)
  requires std::is_enum_v<E>
{
  return std::string(key) + " = " + OptionType<E>::write(value);
}

void reject(std::string_view key, const std::optional<double>& value, const std::string& where,
            const std::string& advice) {
  if (!value.has_value()) return;
  throw ConfigError({.what = "'" + std::string(key) + "' has no meaning here",
                     .seen = setting(key, given(value)) + " with " + where,
                     .advice = advice});
}

void resolve_r1(QuadraticSpec& spec) {
  const std::string where = setting("recipe", spec.recipe);
  const std::string advice = "leave it out, or use recipe = \"R2\", which has exactly the requested constants";
  reject("mu", spec.mu, where, advice);
  reject("delta", spec.delta, where, advice);
  reject("delta_A", spec.delta_A, where, advice);
  reject("spread", spec.spread, where, advice);
  if (spec.structure == QuadraticStructure::dense) {
    throw ConfigError({.what = "recipe R1 makes matrices that commute",
                       .seen = setting("structure", spec.structure),
                       .advice = "use structure = \"diagonal\" or \"rotated\", or recipe = \"R2\""});
  }
}

void check_deviations(const QuadraticSpec& spec) {
  if (spec.clients == 1 && given(spec.delta) > 0.0) {
    throw ConfigError({.what = "one client cannot differ from the mean of all",
                       .seen = setting("delta", given(spec.delta)) + " with clients = 1",
                       .advice = "set delta = 0 or clients to 2 or more"});
  }
  if (spec.samples == 1 && given(spec.spread) > 0.0) {
    throw ConfigError({.what = "one sample cannot differ from the mean of its client",
                       .seen = setting("spread", given(spec.spread)) + " with samples = 1",
                       .advice = "set spread = 0 or samples to 2 or more"});
  }
  if (spec.convexity == QuadraticClass::non_convex && given(spec.beta) == 0.0 && given(spec.spread) == 0.0) {
    throw ConfigError({.what = "nothing makes this problem non-convex",
                       .seen = "beta = 0 and spread = 0",
                       .advice = "set beta > 0, or spread > delta for indefinite samples"});
  }
}

void check_mean_deviation(const QuadraticSpec& spec) {
  if (spec.structure == QuadraticStructure::dense)
    reject("delta_A", spec.delta_A, setting("structure", spec.structure),
           "leave it out, or use structure = \"diagonal\" or \"rotated\"");
  if (!spec.delta_A) return;
  constexpr double rounding = 1e-12;
  const auto [low, high] = possible_delta_A(spec);
  if (given(spec.delta_A) >= low * (1.0 - rounding) && given(spec.delta_A) <= high * (1.0 + rounding)) return;
  throw ConfigError({.what = "no such clients have this delta_A",
                     .seen = setting("delta_A", given(spec.delta_A)) + " with " + setting("delta", given(spec.delta)) +
                             " and clients = " + std::to_string(spec.clients),
                     .advice = "choose it between " + number(low) + " and " + number(high) +
                               ", or take more clients, which allow a smaller one"});
}

void check_room(const QuadraticSpec& spec) {
  const double margin = given(spec.delta) + given(spec.spread);
  const double low = lowest_free_curvature(spec) + margin;
  const double high = spec.L - margin;
  if (!(low < high)) {
    const bool own_mu = spec.mu.has_value();
    throw ConfigError({.what = "the deviations delta and spread do not fit below L",
                       .seen = setting("L", spec.L) + (own_mu ? ", " + setting("mu", given(spec.mu)) : "") + ", " +
                               setting("delta", given(spec.delta)) + ", " + setting("spread", given(spec.spread)) +
                               ": client means would lie between " + number(low) + " and " + number(high),
                       .advice = std::string("raise L or lower delta, spread") + (own_mu ? " or mu" : "")});
  }
}

void resolve_r2(QuadraticSpec& spec) {
  if (spec.convexity == QuadraticClass::strongly_convex) {
    spec.mu = spec.mu.value_or(1.0);
  } else {
    reject("mu", spec.mu, setting("class", spec.convexity), "leave it out, or use class = \"strongly-convex\"");
  }
  spec.delta = spec.delta.value_or(spec.clients == 1 ? 0.0 : 5.0);
  spec.spread = spec.spread.value_or(spec.samples == 1 ? 0.0 : 9.0);
  check_deviations(spec);
  check_mean_deviation(spec);
  check_room(spec);
}

}  // namespace

QuadraticSpec resolved(QuadraticSpec spec) {
  checked(spec);
  const bool convex = spec.convexity != QuadraticClass::non_convex;
  if (convex && spec.beta.value_or(0.0) > 0.0) {
    throw ConfigError({.what = "the bounded term makes a problem non-convex",
                       .seen = setting("beta", given(spec.beta)) + " with " + setting("class", spec.convexity),
                       .advice = "set class = \"non-convex\" or leave beta out"});
  }
  spec.beta = spec.beta.value_or(convex ? 0.0 : 400.0);
  if (spec.recipe == QuadraticRecipe::r1) resolve_r1(spec);
  else resolve_r2(spec);
  if (spec.dim < least_dim(spec)) {
    throw ConfigError({.what = "too few variables for this recipe",
                       .seen = "dim = " + std::to_string(spec.dim),
                       .advice = "set dim to " + std::to_string(least_dim(spec)) + " or more"});
  }
  return spec;
}

}  // namespace driftless
