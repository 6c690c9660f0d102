// Public data sets that tests use where this machine has them: where find_data looks.
#pragma once

#include "driftless/core/error.hpp"
#include "driftless/data/find_data.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace driftless {

inline std::optional<std::filesystem::path> available_data(const std::string& name) {
  try {
    return find_data(name);
  } catch (const DataError&) { return std::nullopt; }
}

}  // namespace driftless
