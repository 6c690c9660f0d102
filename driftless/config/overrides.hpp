// What is set from outside the file: environment variables, then the flags -c key=value, which win.
#pragma once

#include "driftless/config/config_document.hpp"

namespace driftless {

// DRIFTLESS_THREADS stands for federation.threads.
void apply_environment(ConfigDocument& document);

// `key` of the top level, `table.key`, `method.key` for every method that has it, or `method.label.key` for one.
// ConfigError if the text is no assignment or names nothing.
void apply_override(ConfigDocument& document, const std::string& assignment);

}  // namespace driftless
