#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/proxskip_vr.hpp"
#include "driftless/methods/randprox.hpp"
#include "driftless/methods/scaffnew.hpp"

#include <cmath>

namespace driftless {

using namespace std::string_literals;

std::vector<MethodEntry> skipping_entries() {
  return {
      entry<Scaffnew>({.name = "scaffnew",
                       .summary = "local steps with randomly skipped communication (ProxSkip)",
                       .paper = "Mishchenko et al., ICML 2022",
                       .rate = "√(L/μ) log(1/ε)",
                       .demo = {{"step", 0.01}, {"p", 0.1}}}),
      entry<ProxSkipVr>({.name = "proxskip-vr",
                         .summary = "scaffnew with cheap variance-reduced local steps (L-SVRG): no noise floor",
                         .paper = "Malinovsky, Yi, Richtárik, NeurIPS 2022",
                         .rate = "√(L/μ) log(1/ε), L of single samples",
                         .proved_for = Convexity::strongly_convex,
                         .demo = {{"step", 0.01}, {"p", 0.1}, {"q", 0.2}, {"batch", std::int64_t{2}}}}),
      entry<RandProx>({.name = "randprox",
                       .summary = "scaffnew that carries a share of the entries each time, the same for all clients",
                       .paper = "Condat, Richtárik, ICLR 2023",
                       .rate = "(√(L/μ)/keep) log(1/ε)",
                       .proved_for = Convexity::convex,
                       .theory = {{"step", "1/L", [](const Constants& c) { return 1.0 / c.L; }},
                                  {"p", "√(μ/L)", [](const Constants& c) { return std::sqrt(c.mu / c.L); }}},
                       .demo = {{"step", 0.01}, {"p", 0.2}, {"keep", 0.5}}}),
  };
}

}  // namespace driftless
