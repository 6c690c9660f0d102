// The defaults of the tables of a configuration besides its methods, for pages that leave them out.
#pragma once

#include <string>

namespace driftless {

// Whether a key of [problem], [federation] or [output] has the default of its kind of problem, or says only where and
// how the results are written. `value` is TOML text.
bool is_usual_setting(const std::string& problem_kind, const std::string& table, const std::string& key,
                      const std::string& value);

}  // namespace driftless
