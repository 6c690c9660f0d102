// Public sets of images by name: their files, how they are recognised, what networks subtract and divide by.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

enum class ImageFormat { cifar10, cifar100, idx };

struct KnownImages {
  std::string_view name;
  ImageFormat format;
  std::size_t classes;
  std::span<const std::string_view> train;  // files; those of the idx format: images, then labels
  std::span<const std::string_view> test;
  std::string_view archive_folder;  // what the publisher's archive unpacks into; empty: no archive
  bool borrowed_names;  // another set has files of the same names: look only where the folder tells them apart
  std::string_view train_digest;  // as in ImageSet; empty: no copy was available
  std::array<double, 3> mean;     // of the channels there are
  std::array<double, 3> deviation;
  std::string_view source;  // how to get it
};

std::span<const KnownImages> known_images();  // sorted by name

const KnownImages* find_known_images(std::string_view name);  // null if there is none

std::vector<std::string> known_image_names();

}  // namespace driftless
