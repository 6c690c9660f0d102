#include "driftless/methods/method.hpp"

namespace driftless {

void prepare_output(Method& method, OutputPoint point) {
  const bool methods_own = point == OutputPoint::weighted || point == OutputPoint::uniform;
  if (methods_own && !method.keep_for_output(point))
    throw ConfigError({.what = "this method has no such 'output' point",
                       .seen = "output = " + toml_string(enum_name(point)),
                       .advice = "use last, best or best-gradient"});
}

}  // namespace driftless
