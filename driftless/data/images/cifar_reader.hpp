// The binary version of CIFAR-10 and CIFAR-100: records of one label byte (or two: coarse, then fine; fine is used) and
// 3072 pixels, the red, green and blue plane of 32 × 32.
#pragma once

#include "driftless/data/images/image_set.hpp"

#include <filesystem>
#include <span>

namespace driftless {

enum class CifarLabels { ten, hundred };

// Files one after the other; the name is left to the caller.
// DataError if a file is no whole number of records or has a label that is no class.
ImageSet read_cifar(std::span<const std::filesystem::path> files, CifarLabels labels);

}  // namespace driftless
