#include "driftless/data/images/idx_reader.hpp"

#include "driftless/core/error.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/files/input_file.hpp"

#include <algorithm>
#include <string_view>

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t image_magic = 0x803;  // unsigned bytes (8) in three dimensions
constexpr std::uint32_t label_magic = 0x801;  // … and in one

[[noreturn]] void fail(const fs::path& path, std::string what, const std::string& seen,
                       std::string advice = "fetch or copy the file again") {
  throw DataError({.what = std::move(what), .seen = path.string() + ": " + seen, .advice = std::move(advice)});
}

// A header of the magic number and the sizes, then the bytes.
class IdxFile {
 public:
  IdxFile(const fs::path& path, std::uint32_t magic, const std::string& content)
      : path_(path), bytes_(read_input_file(path)), dimensions_(magic & 0xFFU) {
    if (bytes_.size() < header()) fail(path_, "the file ends inside its idx header", sized());
    if (word(0) != magic)
      fail(
          path_, "the file is no idx file of " + content,
          "magic number " + std::to_string(word(0)) + ", expected " + std::to_string(magic),
          "check that images and labels were not exchanged, and that the file is unpacked or packed with gzip or zstd");
    check_size();
  }

  const fs::path& path() const { return path_; }
  const std::string& bytes() const { return bytes_; }
  std::size_t count() const { return size(0); }
  std::size_t size(std::size_t dimension) const { return word(dimension + 1); }
  std::string_view content() const { return std::string_view(bytes_).substr(header()); }

 private:
  std::size_t header() const { return 4 * (dimensions_ + 1); }
  std::string sized() const { return std::to_string(bytes_.size()) + " bytes"; }

  std::uint32_t word(std::size_t index) const {
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < 4; ++k) value = value << 8 | static_cast<std::uint8_t>(bytes_[4 * index + k]);
    return value;
  }

  // Sizes may be anything in a damaged file: dividing cannot overflow.
  void check_size() const {
    std::string sizes = std::to_string(count());
    std::size_t entry = 1;
    for (std::size_t d = 1; d < dimensions_; ++d) {
      entry *= size(d);
      sizes += " x " + std::to_string(size(d));
    }
    if (count() == 0 || entry == 0) fail(path_, "the idx file is empty", "sizes " + sizes);
    const std::size_t here = content().size();
    if (here % entry == 0 && here / entry == count()) return;
    fail(path_, here / entry < count() ? "the idx file is cut short" : "the idx file is longer than its header says",
         sized() + ", of them " + std::to_string(header()) + " of a header that tells " + sizes);
  }

  fs::path path_;
  std::string bytes_;
  std::size_t dimensions_;
};

void check_labels(const IdxFile& file, const std::vector<std::int32_t>& labels, std::size_t classes) {
  const auto odd = std::ranges::find_if(labels, [&](std::int32_t l) { return static_cast<std::size_t>(l) >= classes; });
  if (odd == labels.end()) return;
  fail(file.path(), "a label is none of the " + std::to_string(classes) + " classes",
       "image " + std::to_string(odd - labels.begin()) + ": label " + std::to_string(*odd),
       "check that the labels belong to this set, or fetch or copy the file again");
}

}  // namespace

ImageSet read_idx(const IdxFiles& files, std::optional<std::size_t> classes) {
  const IdxFile images(files.images, image_magic, "images");
  const IdxFile labels(files.labels, label_magic, "labels");
  if (images.count() != labels.count())
    fail(labels.path(), "the numbers of images and labels differ",
         std::to_string(labels.count()) + " labels, " + images.path().string() + " has " +
             std::to_string(images.count()) + " images",
         "check that both files belong to the same set");
  ImageSet set;
  set.shape = {.channels = 1, .height = images.size(1), .width = images.size(2)};
  set.pixels.assign(images.content().begin(), images.content().end());
  for (const char label : labels.content()) set.label.push_back(static_cast<std::uint8_t>(label));
  set.classes = classes.value_or(static_cast<std::size_t>(std::ranges::max(set.label)) + 1);
  check_labels(labels, set.label, set.classes);
  set.digest = Sha256().add(images.bytes()).add(labels.bytes()).hex();
  return set;
}

}  // namespace driftless
