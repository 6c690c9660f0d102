#include "driftless/data/images/read_images.hpp"

#include "driftless/core/error.hpp"
#include "driftless/data/images/channel_statistics.hpp"
#include "driftless/data/images/cifar_reader.hpp"
#include "driftless/data/images/find_images.hpp"
#include "driftless/data/images/idx_reader.hpp"

#include <algorithm>

namespace driftless {
namespace {

ImageData read_files(const ImageFiles& files) {
  ImageData data;
  if (files.set->format == ImageFormat::idx) {
    const auto pair = [](const auto& paths) { return IdxFiles{.images = paths[0], .labels = paths[1]}; };
    data.train = read_idx(pair(files.train), files.named ? std::optional(files.set->classes) : std::nullopt);
    data.test = read_idx(pair(files.test), data.train.classes);
    return data;
  }
  const CifarLabels labels = files.set->format == ImageFormat::cifar10 ? CifarLabels::ten : CifarLabels::hundred;
  data.train = read_cifar(files.train, labels);
  data.test = read_cifar(files.test, labels);
  return data;
}

void check_shapes(const ImageData& data, const ImageFiles& files) {
  if (data.train.shape == data.test.shape) return;
  const auto text = [](const ImageShape& s) { return std::to_string(s.height) + " x " + std::to_string(s.width); };
  throw DataError({.what = "images for training and for testing differ in size",
                   .seen = files.test.front().string() + ": " + text(data.test.shape) + ", " +
                           files.train.front().string() + ": " + text(data.train.shape),
                   .advice = "check that the files belong to the same set"});
}

// Null if no known set has this content.
const KnownImages* recognised(const ImageSet& train) {
  const auto found = std::ranges::find(known_images(), train.digest, &KnownImages::train_digest);
  return found == known_images().end() ? nullptr : &*found;
}

void check_name(const KnownImages* content, const ImageFiles& files) {
  if (!files.named || content == nullptr || content == files.set) return;
  throw DataError({.what = "the files are those of another set",
                   .seen = files.train.front().string() + ": " + std::string(content->name) + ", asked for " +
                           std::string(files.set->name),
                   .advice = "move them into a folder '" + std::string(content->name) + "'; for " +
                             std::string(files.set->name) + ", " + std::string(files.set->source)});
}

void normalise(ImageData& data, const KnownImages* set) {
  const auto channels = static_cast<std::ptrdiff_t>(data.train.shape.channels);
  if (set != nullptr) {
    data.mean.assign(set->mean.begin(), set->mean.begin() + channels);
    data.deviation.assign(set->deviation.begin(), set->deviation.begin() + channels);
    return;
  }
  ChannelStatistics measured = channel_statistics(data.train);
  data.mean = std::move(measured.mean);
  data.deviation = std::move(measured.deviation);
  // A channel without variation becomes 0 when its mean is subtracted; dividing must leave it there.
  std::ranges::replace(data.deviation, 0.0, 1.0);
}

}  // namespace

ImageData read_images(const std::string& name_or_folder) {
  const ImageFiles files = find_images(name_or_folder);
  ImageData data = read_files(files);
  check_shapes(data, files);
  const KnownImages* content = recognised(data.train);
  check_name(content, files);
  normalise(data, files.set->format == ImageFormat::idx ? content : files.set);
  data.train.name = content != nullptr ? content->name : name_or_folder;
  data.test.name = data.train.name + " test";
  return data;
}

LabelledRows labelled_rows(const ImageSet& set) {
  return {.name = set.name, .digest = set.digest, .label = {set.label.begin(), set.label.end()}};
}

}  // namespace driftless
