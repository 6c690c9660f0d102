#include "driftless/core/error.hpp"
#include "driftless/nets/net_problem.hpp"

namespace driftless {
namespace {

[[noreturn]] void refuse(const NetSpec& spec) {
  throw ConfigError({.what = "neural networks need LibTorch, which this build was made without",
                     .seen = "kind = \"torch\", model = \"" + spec.model + "\"",
                     .advice = "run './scripts/install-packages torch' and build with -DDRIFTLESS_WITH_TORCH=ON"});
}

}  // namespace

NetProblem make_net_problem(NetSpec spec, const ImageData&, const Partition&, std::uint64_t, std::size_t) {
  refuse(spec);
}

void export_net(const NetSpec& spec, const ImageData&, const Vector&, const Vector&, const std::string&) {
  refuse(spec);
}

}  // namespace driftless
