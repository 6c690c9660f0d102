// The idx format of MNIST and of what came after it: a file of images (bytes, three dimensions) and one of labels
// (bytes, one dimension), each with a magic number and its sizes in front, the high byte first.
#pragma once

#include "driftless/data/images/image_set.hpp"

#include <filesystem>
#include <optional>

namespace driftless {

struct IdxFiles {
  std::filesystem::path images;
  std::filesystem::path labels;
};

// Without a number of classes it is the largest label and one; the name is left to the caller.
// DataError if a file is no such file or cut short, the two differ in number, or a label is no class.
ImageSet read_idx(const IdxFiles& files, std::optional<std::size_t> classes);

}  // namespace driftless
