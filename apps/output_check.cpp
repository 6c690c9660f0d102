#include "apps/output_check.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/printable.hpp"

#include <system_error>

namespace driftless::app {

void require_other_file(const std::filesystem::path& out, std::span<const std::filesystem::path> inputs) {
  for (const std::filesystem::path& input : inputs) {
    std::error_code missing;  // then they are not the same file
    if (out.empty() || !std::filesystem::equivalent(out, input, missing)) continue;
    throw ConfigError({.what = "the output would replace a file that is read",
                       .seen = "--out " + printable(out.string()),
                       .advice = "give another name"});
  }
}

}  // namespace driftless::app
