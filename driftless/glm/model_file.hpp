// model.json: a fitted model with its coding, for later use.
#pragma once

#include "driftless/glm/model.hpp"

#include <filesystem>
#include <string>

namespace driftless {

std::string model_json(const GlmModel& model);
// DataError where the file is not a model of this program.
GlmModel read_model(const std::filesystem::path& file);

}  // namespace driftless
