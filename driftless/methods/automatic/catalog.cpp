#include "driftless/methods/automatic/auto.hpp"
#include "driftless/methods/catalog_entry.hpp"

namespace driftless {

std::vector<MethodEntry> automatic_entries() {
  return {entry<Auto>(
      {.name = "auto",
       .summary = "measures the problem and chooses a method without parameters; the default",
       .paper = "driftless",
       .messages = {"as the chosen method", "as the chosen method"},
       .rate = {.rounds = {rates::remark("that of the chosen method")}, .proved_for = Convexity::strongly_convex},
       .uses_hessian = true,
       .goal_option = "gradient_goal",
       .ranges = {{.option = "matrices", .values = {true, false}}}})};
}

}  // namespace driftless
