#include "driftless/core/parts.hpp"

#include <utility>

namespace driftless {
namespace {

thread_local Lender* lender_here = nullptr;

}  // namespace

Lending::Lending(Lender& lender) : before_(std::exchange(lender_here, &lender)) {}
Lending::~Lending() { lender_here = before_; }

void for_each_part(std::size_t count, const Part& run) {
  if (count > 1 && lender_here != nullptr) {
    lender_here->run_parts(count, run);
    return;
  }
  for (std::size_t part = 0; part < count; ++part) run(part);
}

}  // namespace driftless
