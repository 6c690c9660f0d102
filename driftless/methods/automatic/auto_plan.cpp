#include "driftless/methods/automatic/auto_plan.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace driftless {
namespace {

// Of a whole run.
struct Work {
  double exchanges;
  double up;      // vectors of a client
  double down;    // likewise
  double passes;  // of a client
};

struct Candidate {
  AutoChoice choice;
  bool possible;
  Work work;
};

constexpr double most_dim_of_matrices = 1000.0;  // one matrix has 4 MB there
constexpr double most_rank_of_span = 512.0;

std::vector<Candidate> candidates(const AutoFacts& facts, const AutoOptions& options) {
  const double d = facts.dim;
  const double R = facts.rank.value_or(0.0);
  const double rho = std::max(facts.similarity.value_or(1.0), 1e-3);
  const bool spans = facts.hessians && facts.rank && R <= most_rank_of_span && 2.0 * R < d;
  const double similar = 80.0 * std::sqrt(5.0 / rho);
  return {
      {AutoChoice::newton,
       facts.hessians && options.matrices && d <= most_dim_of_matrices,
       {8.0, 8.0 * (1.0 + 0.5 * (d + 1.0)), 8.0, 8.0 * (1.0 + std::min(d, 8.0))}},
      {AutoChoice::newton_in_span, spans, {11.0, R + 5.0 + 9.0 * (1.0 + 0.5 * R * R / d), 11.0, 10.0 * (R + 1.0)}},
      {AutoChoice::merged_newton_cg, facts.hessians, {30.0, 180.0, 60.0, 180.0}},
      {AutoChoice::newton_cg, facts.hessians, {45.0, 45.0, 45.0, 45.0}},
      {AutoChoice::lbfgs, !facts.hessians, {80.0, 80.0, 80.0, 80.0}},
      {AutoChoice::acc_s_dane,
       !facts.hessians && facts.similarity.has_value(),
       {similar, 1.5 * similar, similar, 10.0 * similar}},
  };
}

double amount(const Work& work, const AutoFacts& facts, const AutoOptions& options) {
  const double vector = 8.0 * facts.dim;  // bytes
  switch (options.save) {
    case Save::exchanges: return work.exchanges;
    case Save::bytes: return facts.clients * vector * (work.up + work.down);
    case Save::messages: return facts.clients * (work.up + work.down);
    case Save::local: return work.passes;
    case Save::time:
      return work.exchanges *
             read_link(options.link, "link =")
                 .exchange_seconds({.clients = facts.clients, .up = vector * work.up / work.exchanges, .down = vector});
  }
  return work.exchanges;
}

}  // namespace

std::vector<AutoEstimate> auto_estimates(const AutoFacts& facts, const AutoOptions& options) {
  std::vector<AutoEstimate> estimates;
  for (const Candidate& candidate : candidates(facts, options))
    if (candidate.possible) estimates.push_back({candidate.choice, amount(candidate.work, facts, options)});
  std::ranges::stable_sort(estimates, {}, &AutoEstimate::amount);
  return estimates;
}

}  // namespace driftless
