#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/fedred.hpp"

namespace driftless {

using namespace std::string_literals;

std::vector<MethodEntry> fedred_entries() {
  const std::string jiang = "Jiang, Rodomanov, Stich, ICML 2024";
  const std::string similarity = "(δ_A/μ) log(1/ε); convex δ_A R_0²/ε; non-convex δ_B F_0/ε";
  return {
      entry<FedRed>({.name = "fedred",
                     .summary = "doubly regularised drift correction, exact local steps",
                     .paper = jiang,
                     .rate = similarity,
                     .demo = {{"lambda", 5.0}, {"eta", 100.0}, {"p", 0.055}}}),
      entry<FedRed>({.name = "fedred-gd",
                     .summary = "doubly regularised drift correction, one gradient per local step",
                     .paper = jiang,
                     .rate = similarity,
                     .fixed = {{"solver", "gd"s}},
                     .demo = {{"lambda", 5.0}, {"eta", 100.0}, {"p", 0.055}}}),
      entry<FedRed>({.name = "fedred-sgd",
                     .summary = "doubly regularised drift correction, one minibatch per local step",
                     .paper = jiang,
                     .rate = similarity + ", plus noise",
                     .limit = "the noise of minibatches does not vanish",
                     .fixed = {{"solver", "sgd"s}},
                     .demo = {{"lambda", 5.0}, {"eta", 200.0}, {"p", 0.055}, {"batch", std::int64_t{5}}}}),
  };
}

}  // namespace driftless
