#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/dane_line/acc_sonata.hpp"
#include "driftless/methods/dane_line/aegs.hpp"
#include "driftless/methods/dane_line/aide.hpp"
#include "driftless/methods/dane_line/dane_hb.hpp"
#include "driftless/methods/dane_line/disco.hpp"
#include "driftless/methods/dane_line/distributed_newton.hpp"
#include "driftless/methods/dane_line/giant.hpp"
#include "driftless/methods/dane_line/inexact_dane.hpp"
#include "driftless/methods/dane_line/rates.hpp"
#include "driftless/methods/dane_line/spag.hpp"
#include "driftless/methods/theory_values.hpp"

namespace driftless {

using namespace std::string_literals;

namespace {

std::vector<MethodEntry> everyone_works() {
  const std::string reddi = "Reddi et al., 2016";
  return {
      entry<InexactDane>({.name = "inexact-dane",
                          .summary = "DANE with its damping factor and any local solver",
                          .paper = reddi,
                          .messages = {"∇f_i, then x_i", "∇f, then x"},
                          .rate = {.rounds = {rates::strongly_convex("(δ_A/μ) log(1/ε)")}},
                          .takes_robust_means = true,
                          .theory = {theory::lambda_is_delta_A()},
                          .demo = {{"lambda", 5.0}}}),
      entry<Aide>({.name = "aide",
                   .summary = "InexactDANE accelerated by Catalyst",
                   .paper = reddi,
                   .messages = {"as inexact-dane, inner_rounds times", "as inexact-dane, inner_rounds times"},
                   .rate = {.rounds = {rates::strongly_convex("√(δ_A/μ) log(1/ε) on quadratics")},
                            .proved_for = Convexity::strongly_convex},
                   .theory = {theory::lambda_is_delta_A(),
                              theory::number("tau", "max(δ_A − μ, 0)",
                                             [](theory::In t) { return std::max(t.c.delta_A - t.c.mu, 0.0); }),
                              theory::mu()},
                   .demo = {{"lambda", 5.0}, {"tau", 4.0}, {"mu", 1.0}}}),
      entry<AccSonata>(
          {.name = "acc-sonata",
           .summary = "SONATA on a star, accelerated by Catalyst",
           .paper = "Tian et al., AISTATS 2022",
           .messages = {"v_i, then differences of ∇F_i, inner_rounds times", "z, then y, inner_rounds times"},
           .rate = {.rounds = {rates::strongly_convex("√(δ/μ) log(1/ε)")}, .proved_for = Convexity::strongly_convex},
           .theory = {theory::number("lambda", "max(δ_A, μ)",
                                     [](theory::In t) { return std::max(t.c.delta_A, t.c.mu); }),
                      theory::mu()},
           .demo = {{"lambda", 5.0}, {"mu", 1.0}}}),
      entry<Giant>({.name = "giant",
                    .summary = "mean of the clients' Newton directions, with line search",
                    .paper = "Wang et al., NeurIPS 2018",
                    .messages = {"∇f_i, then p_i, then f_i at the trial steps", "∇f, then p"},
                    .rate = {.rounds = {rates::strongly_convex("linear near x*, free of the condition number")},
                             .proved_for = Convexity::strongly_convex},
                    .trial_turn = 2,
                    .uses_hessian = true,
                    .ranges = {{.option = "cg_tolerance", .values = {1e-2, 1e-4, 1e-10}}}}),
      entry<DistributedNewton>(
          {.name = "newton-cg",
           .summary = "Newton's method, every Hessian product an exchange, with line search",
           .paper = "Dembo et al., 1982; preconditioner of Morales, Nocedal, 2000",
           .messages = {"∇²f_i u for each CG step, then ∇f_i and f_i", "u for each CG step, then x"},
           .rate = {.rounds = {rates::strongly_convex("superlinear near x*")},
                    .proved_for = Convexity::strongly_convex},
           .trial_turn = 1,
           .uses_hessian = true,
           .ranges = {{.option = "cg_tolerance", .values = {0.3, 0.7, 0.9}},
                      {.option = "preconditioner", .values = {"none"s, "jacobi"s}}}}),
  };
}

std::vector<MethodEntry> delegate_works() {
  return {
      entry<DaneHb>({.name = "dane-hb",
                     .summary = "one client at the server solves, with a heavy ball",
                     .paper = "Yuan, Li, 2019",
                     .messages = {"∇f_i", "the delegate's point"},
                     .rate = {.rounds = {rates::strongly_convex("√(Δ_1/μ) log(1/ε) near x*")},
                              .proved_for = Convexity::strongly_convex},
                     .theory = {theory::lambda_is_delta_of_delegate(),
                                theory::number("beta", "(1 − √(μ/(μ + 2 λ)))², λ = lambda",
                                               [](theory::In t) {
                                                 const double mu = t.c.mu;
                                                 return std::pow(1.0 - std::sqrt(mu / (mu + 2.0 * t["lambda"])), 2);
                                               })},
                     .demo = {{"lambda", 5.0}, {"beta", 0.488}}}),
      entry<Spag>({.name = "spag",
                   .summary = "accelerated mirror descent in the geometry of one client at the server",
                   .paper = "Hendrikx et al., ICML 2020",
                   .messages = {"∇f_i; with gain_rule merged also f_i at two points", "the delegate's point"},
                   .rate = spag_rate(),
                   .theory = {theory::lambda_is_delta_of_delegate(), theory::mu()},
                   .demo = {{"lambda", 5.0}, {"mu", 1.0}}}),
      entry<Aegs>({.name = "aegs",
                   .summary = "accelerated extragradient sliding, one client at the server solves",
                   .paper = "Kovalev et al., NeurIPS 2022",
                   .messages = {"∇f_i at x_g and at x_f", "the delegate's point, then ∇f"},
                   .rate = aegs_rate(),
                   .theory = {theory::lambda_is_delta_of_delegate(), theory::mu()},
                   .demo = {{"lambda", 5.0}, {"mu", 1.0}}}),
      entry<Disco>({.name = "disco",
                    .summary = "inexact Newton steps by conjugate gradients over all clients",
                    .paper = "Zhang, Xiao, ICML 2015",
                    .messages = {"∇f_i, then ∇²f_i u for each PCG step, then f_i at the trial steps",
                                 "∇f, then P⁻¹r for each PCG step"},
                    .rate = {.rounds = {rates::strongly_convex("√(Δ_1/μ) exchanges, up to logarithms")},
                             .proved_for = Convexity::strongly_convex},
                    .uses_hessian = true,
                    .theory = {theory::lambda_is_delta_of_delegate(),
                               theory::number("pcg_tolerance", "√(μ/L)/20",
                                              [](theory::In t) { return std::sqrt(t.c.mu / t.c.L) / 20.0; })},
                    .demo = {{"lambda", 5.0}}}),
  };
}

}  // namespace

std::vector<MethodEntry> dane_line_entries() { return joined(everyone_works(), delegate_works()); }

}  // namespace driftless
