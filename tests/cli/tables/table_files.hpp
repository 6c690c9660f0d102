// What a run on tables leaves besides its metrics.
#pragma once

#include "tests/support/temp_folder.hpp"

#include <filesystem>
#include <string>

namespace driftless {

// model.json, evaluation.json, inference.json and penalty_path.json, one after the other; those that it has.
inline std::string table_files(const std::filesystem::path& run, const std::string& label) {
  std::string text;
  for (const char* file : {"model.json", "evaluation.json", "inference.json", "penalty_path.json"})
    text += TempFolder::read(run / label / file);
  return text;
}

}  // namespace driftless
