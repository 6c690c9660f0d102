#include "driftless/core/error.hpp"
#include "driftless/torch/net_problem.hpp"

namespace driftless {

void require_networks(const NetSpec& spec) {
  throw ConfigError(
      {.what = "neural networks need LibTorch, which this build was made without",
       .seen = R"(kind = "torch", model = ")" + spec.model + '"',
       .advice = "build with ./scripts/build torch (-DDRIFTLESS_WITH_TORCH=ON) and use what is in build/torch"});
}

NetProblem make_net_problem(const NetSpec& spec, const ImageData&, const Partition&, std::uint64_t, std::size_t) {
  require_networks(spec);
  return {};
}

void export_net(const NetSpec& spec, const ImageData&, const Vector&, const Vector&, const std::string&) {
  require_networks(spec);
}

}  // namespace driftless
