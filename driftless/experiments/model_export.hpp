// A trained model as a file for other programs.
#pragma once

#include <filesystem>
#include <string>

namespace driftless {

// Writes the model of the method with this label in a run directory as TorchScript; an empty label means the only
// method. Statistics of batch normalisation are computed at the model, from the training images. ConfigError if the run
// did not train a neural network; DataError if a file is missing.
void export_model(const std::filesystem::path& directory, const std::string& label, const std::filesystem::path& file);

}  // namespace driftless
