// The run of examples/hospitals, for tests of what is done with a fitted model.
#pragma once

#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <filesystem>
#include <gtest/gtest.h>

namespace driftless {

// The folder gets a copy of examples/hospitals.
inline void copy_hospitals(const TempFolder& folder) {
  const std::filesystem::path source = std::filesystem::path(DRIFTLESS_SOURCE_FOLDER) / "examples" / "hospitals";
  std::filesystem::create_directories(folder / "examples");
  std::filesystem::copy(source, folder / "examples/hospitals", std::filesystem::copy_options::recursive);
}

// Leaves the run directory "fit".
inline void fit_hospitals(const TempFolder& folder, const std::vector<std::string>& more = {}) {
  copy_hospitals(folder);
  std::vector<std::string> arguments{"run", "examples/hospitals/readmission.toml", "--out", "fit"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const ProgramResult result = run_program({.arguments = arguments, .folder = folder.path()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
}

}  // namespace driftless
