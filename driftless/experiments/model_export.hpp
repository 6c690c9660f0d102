// A trained network as a file for use outside.
#pragma once

#include <filesystem>
#include <string>

namespace driftless {

// The model of the method with this label in a run directory, as TorchScript; an empty label is that of the only
// method. Statistics of batch normalisation are computed at the model, from the training images. ConfigError if the
// run was not one of a network; DataError if something is missing.
void export_model(const std::filesystem::path& directory, const std::string& label, const std::filesystem::path& file);

}  // namespace driftless
