#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/scaffnew.hpp"

namespace driftless {

using namespace std::string_literals;

std::vector<MethodEntry> skipping_entries() {
  return {
      entry<Scaffnew>({.name = "scaffnew",
                       .summary = "local steps with randomly skipped communication (ProxSkip)",
                       .paper = "Mishchenko et al., ICML 2022",
                       .rate = "√(L/μ) log(1/ε)",
                       .demo = {{"step", 0.01}, {"p", 0.1}}}),
  };
}

}  // namespace driftless
