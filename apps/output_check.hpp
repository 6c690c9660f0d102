// That a command does not replace what it reads.
#pragma once

#include <filesystem>
#include <span>

namespace driftless::app {

// ConfigError where the output, which replaces an existing file, is one of the inputs. Nothing is given: nothing is
// checked.
void require_other_file(const std::filesystem::path& out, std::span<const std::filesystem::path> inputs);

}  // namespace driftless::app
