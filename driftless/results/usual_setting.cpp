#include "driftless/results/usual_setting.hpp"

#include "driftless/config/config_table.hpp"
#include "driftless/problems/federation_config.hpp"
#include "driftless/problems/kinds.hpp"
#include "driftless/results/output_config.hpp"

#include <array>

namespace driftless {

bool is_usual_setting(const std::string& problem_kind, const std::string& table, const std::string& key,
                      const std::string& value) {
  constexpr std::array<std::string_view, 3> of_writing{"dir", "name", "save_seconds"};
  if (table == "output")
    return std::ranges::find(of_writing, key) != of_writing.end() || is_default_of<OutputConfig>(key, value);
  if (table == "federation") return key == "threads" || is_default_of<FederationConfig>(key, value);
  return table == "problem" && is_usual_problem_key(problem_kind, key, value);
}

}  // namespace driftless
