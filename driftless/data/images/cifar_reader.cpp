#include "driftless/data/images/cifar_reader.hpp"

#include "driftless/core/error.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/files/input_file.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr ImageShape cifar_shape{.channels = 3, .height = 32, .width = 32};

struct Layout {
  std::string name;
  std::vector<std::uint8_t> classes;  // of each label byte; the last byte is the label used
};

Layout layout_of(CifarLabels labels) {
  return labels == CifarLabels::ten ? Layout{"CIFAR-10", {10}} : Layout{"CIFAR-100", {20, 100}};
}

void check_size(const fs::path& path, std::size_t bytes, std::size_t record, const std::string& format) {
  if (bytes > 0 && bytes % record == 0) return;
  throw DataError(
      {.what = "the file is no whole number of " + format + " images",
       .seen = path.string() + ": " + std::to_string(bytes) + " bytes, an image has " + std::to_string(record),
       .advice = "fetch or copy the file again; it must be of the binary version of " + format});
}

std::int32_t read_label(const fs::path& path, std::size_t image, std::string_view record, const Layout& layout) {
  std::uint8_t label = 0;
  for (std::size_t k = 0; k < layout.classes.size(); ++k) {
    label = static_cast<std::uint8_t>(record[k]);
    if (label >= layout.classes[k])
      throw DataError(
          {.what = "a label is none of the " + std::to_string(layout.classes[k]) + " classes of " + layout.name,
           .seen = path.string() + ": image " + std::to_string(image) + ": label " + std::to_string(label),
           .advice = "fetch or copy the file again; it must be of the binary version of " + layout.name});
  }
  return label;
}

void append(ImageSet& set, const fs::path& path, std::string_view bytes, const Layout& layout) {
  const std::size_t record = layout.classes.size() + cifar_shape.size();
  check_size(path, bytes.size(), record, layout.name);
  for (std::size_t image = 0; image * record < bytes.size(); ++image) {
    const std::string_view one = bytes.substr(image * record, record);
    set.label.push_back(read_label(path, image, one, layout));
    const std::string_view pixels = one.substr(layout.classes.size());
    set.pixels.insert(set.pixels.end(), pixels.begin(), pixels.end());
  }
}

}  // namespace

ImageSet read_cifar(std::span<const fs::path> files, CifarLabels labels) {
  const Layout layout = layout_of(labels);
  ImageSet set;
  set.shape = cifar_shape;
  set.classes = layout.classes.back();
  Sha256 digest;
  for (const fs::path& path : files) {
    const std::string bytes = read_input_file(path);
    append(set, path, bytes, layout);
    digest.add(bytes);
  }
  set.digest = digest.hex();
  return set;
}

}  // namespace driftless
