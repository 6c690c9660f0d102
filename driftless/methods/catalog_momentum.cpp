#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/mime.hpp"
#include "driftless/methods/mime_mvr.hpp"

namespace driftless {

std::vector<MethodEntry> momentum_entries() {
  const std::string karimireddy = "Karimireddy et al., NeurIPS 2021";
  return {
      entry<Mime>({.name = "mime",
                   .summary = "drift-corrected local steps with the server's momentum, kept frozen",
                   .paper = karimireddy,
                   .rate = "none for this base",
                   .fixed = {{"correction", true}},
                   .demo = {{"step", 0.02}, {"local_steps", std::int64_t{10}}, {"b", 0.5}}}),
      entry<Mime>({.name = "mimelite",
                   .summary = "local steps with the server's momentum, without correction; drifts",
                   .paper = karimireddy,
                   .rate = "to a biased point",
                   .reaches_minimizer = false,
                   .fixed = {{"correction", false}},
                   .demo = {{"step", 0.01}, {"local_steps", std::int64_t{10}}}}),
      entry<MimeMvr>({.name = "mime-mvr",
                      .summary = "Mime with momentum-based variance reduction",
                      .paper = karimireddy,
                      .rate = "non-convex δ_B G F_0/(√n ε^{3/2}) + G²/(n ε) + δ_B F_0/ε",
                      .demo = {{"step", 0.01}, {"local_steps", std::int64_t{20}}, {"a", 0.2}}}),
  };
}

}  // namespace driftless
