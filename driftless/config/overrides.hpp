// Settings from outside the file: environment variables, and the flags -c key=value, which take precedence.
#pragma once

#include "driftless/config/config_document.hpp"

namespace driftless {

// DRIFTLESS_THREADS sets federation.threads.
void apply_environment(ConfigDocument& document);

// `key` of the top level, `table.key`, `method.key` for every method that has it, or `method.label.key` for one.
// ConfigError if the text is not an assignment or names no option.
void apply_override(ConfigDocument& document, const std::string& assignment);

}  // namespace driftless
