#include "driftless/methods/acc_sonata.hpp"
#include "driftless/methods/aegs.hpp"
#include "driftless/methods/aide.hpp"
#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/dane_hb.hpp"
#include "driftless/methods/disco.hpp"
#include "driftless/methods/giant.hpp"
#include "driftless/methods/inexact_dane.hpp"
#include "driftless/methods/spag.hpp"

namespace driftless {

namespace {

std::vector<MethodEntry> everyone_works() {
  const std::string reddi = "Reddi et al., 2016";
  return {
      entry<InexactDane>({.name = "inexact-dane",
                          .summary = "DANE with its damping factor and any local solver",
                          .paper = reddi,
                          .rate = "(δ_A/μ) log(1/ε)",
                          .demo = {{"lambda", 5.0}}}),
      entry<Aide>({.name = "aide",
                   .summary = "InexactDANE accelerated by Catalyst",
                   .paper = reddi,
                   .rate = "√(δ_A/μ) log(1/ε) on quadratics",
                   .demo = {{"lambda", 5.0}, {"tau", 4.0}, {"mu", 1.0}}}),
      entry<AccSonata>({.name = "acc-sonata",
                        .summary = "SONATA on a star, accelerated by Catalyst",
                        .paper = "Tian et al., AISTATS 2022",
                        .rate = "√(δ/μ) log(1/ε)",
                        .demo = {{"lambda", 5.0}, {"mu", 1.0}}}),
      entry<Giant>({.name = "giant",
                    .summary = "mean of the clients' Newton directions, with line search",
                    .paper = "Wang et al., NeurIPS 2018",
                    .rate = "linear near x*, free of the condition number"}),
  };
}

std::vector<MethodEntry> delegate_works() {
  return {
      entry<DaneHb>({.name = "dane-hb",
                     .summary = "one client at the server solves, with a heavy ball",
                     .paper = "Yuan, Li, 2019",
                     .rate = "√(Δ_1/μ) log(1/ε) near x*",
                     .demo = {{"lambda", 5.0}, {"beta", 0.488}}}),
      entry<Spag>({.name = "spag",
                   .summary = "accelerated mirror descent in the geometry of one client at the server",
                   .paper = "Hendrikx et al., ICML 2020",
                   .rate = "√(Δ_1/μ) log(1/ε) asymptotically",
                   .demo = {{"lambda", 5.0}, {"mu", 1.0}}}),
      entry<Aegs>({.name = "aegs",
                   .summary = "accelerated extragradient sliding, one client at the server solves",
                   .paper = "Kovalev et al., NeurIPS 2022",
                   .rate = "√(Δ_1/μ) log(1/ε); convex √(Δ_1 R_0²/ε)",
                   .demo = {{"lambda", 5.0}, {"mu", 1.0}}}),
      entry<Disco>({.name = "disco",
                    .summary = "inexact Newton steps by conjugate gradients over all clients",
                    .paper = "Zhang, Xiao, ICML 2015",
                    .rate = "√(Δ_1/μ) exchanges, up to logarithms",
                    .demo = {{"lambda", 5.0}}}),
  };
}

}  // namespace

std::vector<MethodEntry> dane_line_entries() {
  std::vector<MethodEntry> all = everyone_works();
  for (MethodEntry& e : delegate_works()) all.push_back(std::move(e));
  return all;
}

}  // namespace driftless
