// Public data sets that tests use where this machine has them: in the checkout's ../shared/data, or where find_data
// looks. The program that includes this defines DRIFTLESS_SHARED_DATA.
#pragma once

#include "driftless/core/error.hpp"
#include "driftless/data/find_data.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace driftless {

inline std::optional<std::filesystem::path> available_data(const std::string& name) {
  for (const std::string_view ending : {"", ".zst", ".gz"}) {
    std::filesystem::path path = std::filesystem::path(DRIFTLESS_SHARED_DATA) / "libsvm" / name;
    path += ending;
    if (std::filesystem::exists(path)) return path;
  }
  try {
    return find_data(name);
  } catch (const DataError&) { return std::nullopt; }
}

}  // namespace driftless
