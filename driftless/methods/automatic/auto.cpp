#include "driftless/methods/automatic/auto.hpp"

#include "driftless/components/similarity/secants.hpp"

namespace driftless {
namespace {

// Local problems by gradients alone.
LocalSolverOptions gradients_alone() {
  return {.solver = SolverName::adaptive, .stop_rule = StopRuleName::proximal, .tolerance = 0.5};
}

// ρ = L̂/δ̂ between x and a point a little down the gradient: two exchanges.
double measured_similarity(Federation& fed, const Vector& x, const Vector& g) {
  constexpr double short_step = 1e-4;  // relative to x
  SecantEstimates secants;
  secants.start(fed);
  secants.gradient(fed, x);
  const double norm = g.norm();
  if (norm == 0.0) return 1.0;
  secants.gradient(fed, x - (short_step * (1.0 + x.norm()) / norm) * g);
  return secants.known() ? secants.smoothness() / secants.dissimilarity() : 1.0;
}

}  // namespace

Auto::Auto(const AutoOptions& o)
    : MethodWith(o),
      newton_({.steps = NewtonSteps::halley}),
      in_span_(NewtonInSpanOptions{}),
      merged_newton_cg_({.directions = merged_directions, .gradient_goal = o.gradient_goal}),
      newton_cg_({.gradient_goal = o.gradient_goal}),
      lbfgs_(LbfgsOptions{}),
      acc_s_dane_({.local = gradients_alone(), .accelerated = true}) {}

void Auto::prepare(const Federation& fed) {
  dim_ = fed.dim();
  merged_newton_cg_.prepare(fed);
  newton_cg_.prepare(fed);
  lbfgs_.prepare(fed);
  acc_s_dane_.prepare(fed);
}

void Auto::start(Federation& fed, Vector& x) {
  prepare(fed);
  clients_ = fed.everyone().size();
  offered_ = static_cast<std::uint64_t>(Offer::hessians);
  rank_ = similarity_ = -1.0;
  choose();  // as far as it can be said before the first look
  const LookAlso also = what_to_look_at();
  const FirstLook look = first_look(fed, x, also);
  offered_ = static_cast<std::uint64_t>(look.hessians ? Offer::hessians
                                        : look.jumps  ? Offer::jumping_hessians
                                                      : Offer::gradients);
  rank_ = look.rank.value_or(-1.0);
  if (offered() == Offer::gradients) similarity_ = measured_similarity(fed, x, look.g);
  if (!also.hessian || !look.hessians) choose();
  start_chosen(fed, x, look);
}

void Auto::choose() { chosen_ = static_cast<std::uint64_t>(auto_estimates(facts(), o_).front().choice); }

// What the method that seems best before the look would ask for at its start; not where products would be long and the
// clients, such as networks, may offer none.
LookAlso Auto::what_to_look_at() const {
  constexpr Index most = 1'000'000;
  if (chosen() == AutoChoice::newton) return {.hessian = true};
  if (chosen() == AutoChoice::merged_newton_cg && dim_ <= most)
    return {.directions = merged_newton_cg_.first_directions(dim_)};
  return {};
}

void Auto::start_chosen(Federation& fed, Vector& x, const FirstLook& look) {
  switch (chosen()) {
    case AutoChoice::newton:
      if (look.H.size() == 0) return newton_.start(fed, x);
      return newton_.start_from(fed, x, look);
    case AutoChoice::newton_in_span: return in_span_.start_from(fed, x, look);
    case AutoChoice::merged_newton_cg:
      if (look.products.empty()) return merged_newton_cg_.start(fed, x);
      return merged_newton_cg_.start_from(fed, look.f, look.g, look.products);
    case AutoChoice::newton_cg: return newton_cg_.start_from(fed, look.f, look.g, {});
    case AutoChoice::lbfgs: return lbfgs_.start_from(fed, look.f, look.g);
    case AutoChoice::acc_s_dane: return acc_s_dane_.start(fed, x);
  }
}

AutoFacts Auto::facts() const {
  AutoFacts facts{.clients = static_cast<double>(clients_),
                  .dim = static_cast<double>(dim_),
                  .hessians = offered() == Offer::hessians};
  if (rank_ >= 0.0) facts.rank = rank_;
  if (similarity_ >= 0.0) facts.similarity = similarity_;
  return facts;
}

Method& Auto::chosen_method() {
  switch (chosen()) {
    case AutoChoice::newton: return newton_;
    case AutoChoice::newton_in_span: return in_span_;
    case AutoChoice::merged_newton_cg: return merged_newton_cg_;
    case AutoChoice::newton_cg: return newton_cg_;
    case AutoChoice::lbfgs: return lbfgs_;
    case AutoChoice::acc_s_dane: return acc_s_dane_;
  }
  return newton_cg_;
}

// What was chosen comes first: the variables of that method follow.
void Auto::visit_state(StateVisitor& visit) {
  visit.count("chosen", chosen_);
  visit.count("clients_at_start", clients_);
  visit.count("offered", offered_);
  visit.number("rank", rank_);
  visit.number("similarity", similarity_);
  chosen_method().visit_state(visit);
}

std::optional<MethodDecision> Auto::decision() const {
  const AutoFacts known = facts();
  const std::string saved(enum_name(o_.save));
  MethodDecision decision{.chosen = std::string(enum_name(chosen())), .reason = {}, .measured = {}};
  decision.measured = {{"clients", known.clients}, {"dimension", known.dim}};
  if (known.rank) decision.measured.emplace_back("dimension of the span of the data", *known.rank);
  if (known.similarity) decision.measured.emplace_back("smoothness over dissimilarity", *known.similarity);
  decision.reason = "d = " + number(known.dim);
  if (known.rank && 2.0 * *known.rank < known.dim) decision.reason += ", data of rank " + number(*known.rank);
  if (offered() == Offer::gradients) decision.reason += ", gradients alone";
  if (offered() == Offer::jumping_hessians) decision.reason += ", Hessians that jump";
  if (known.similarity) decision.reason += ", L/δ = " + number(*known.similarity, 3);
  decision.reason += "; estimated " + saved + ":";
  for (const auto& [choice, amount] : auto_estimates(known, o_)) {
    const std::string name(enum_name(choice));
    decision.reason += (decision.reason.back() == ':' ? " " : ", ") + name + " " + number(amount, 3);
    decision.measured.emplace_back(saved + " of " + name + ", estimated", amount);
  }
  return decision;
}

}  // namespace driftless
