// From a name such as "mnist", or a folder, to the files of a set of images.
#pragma once

#include "driftless/data/images/known_images.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace driftless {

struct ImageFiles {
  const KnownImages* set = nullptr;  // whose files these are, going by their names
  bool named = false;                // the set was asked for by its name, not by a folder
  std::vector<std::filesystem::path> train;
  std::vector<std::filesystem::path> test;
};

// Whether a user who writes this means images and not rows: no file of that name, but the name of a set of images or a
// folder with a file of one.
bool names_images(const std::string& name_or_folder);

// A name is looked for in the current folder, the roots of find_data.hpp and Debian's folder for data sets, each with
// its subfolder images and in both with a subfolder of the set's name and of its archive's. Files may be packed, and
// have the name of the set and _ in front.
// DataError with the folders searched, or with what is missing in a folder that has some of the files.
ImageFiles find_images(const std::string& name_or_folder);

}  // namespace driftless
