#include "driftless/data/images/find_images.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"
#include "driftless/data/find_data.hpp"

#include <algorithm>

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr const char* debian_data = "/usr/share/datasets";

struct SearchFolder {
  fs::path folder;
  bool own;  // it holds one set only, so that its files need not be told apart by their names
};

struct Found {
  ImageFiles files;
  fs::path folder;
  std::vector<std::string> missing;

  bool any() const { return !files.train.empty() || !files.test.empty(); }
};

std::optional<fs::path> file_in(const SearchFolder& where, const KnownImages& set, std::string_view file) {
  fs::path with_prefix = where.folder / set.name;
  with_prefix += "_";
  with_prefix += file;
  if (auto found = packed_or_plain(with_prefix)) return found;
  if (set.borrowed_names && !where.own) return std::nullopt;
  return packed_or_plain(where.folder / file);
}

Found look(const SearchFolder& where, const KnownImages& set) {
  Found found{.files = {.set = &set, .named = false, .train = {}, .test = {}}, .folder = where.folder, .missing = {}};
  const auto collect = [&](std::span<const std::string_view> names, std::vector<fs::path>& paths) {
    for (const std::string_view name : names) {
      if (auto path = file_in(where, set, name)) paths.push_back(std::move(*path));
      else found.missing.emplace_back(name);
    }
  };
  collect(set.train, found.files.train);
  collect(set.test, found.files.test);
  return found;
}

std::vector<SearchFolder> folders_of_name(const KnownImages& set) {
  std::vector<fs::path> roots = data_roots();
  roots.insert(roots.begin(), fs::path("."));
  roots.emplace_back(debian_data);
  std::vector<SearchFolder> folders;
  for (const fs::path& root : roots) {
    for (const fs::path& base : {root, root / "images"}) {
      folders.push_back({base, false});
      folders.push_back({base / set.name, true});
      if (set.archive_folder.empty()) continue;
      folders.push_back({base / set.archive_folder, true});
      folders.push_back({base / set.name / set.archive_folder, true});
    }
  }
  return folders;
}

std::vector<Found> found_in_folder(const fs::path& folder) {
  std::vector<Found> all;
  for (const KnownImages& set : known_images()) {
    all.push_back(look({folder, true}, set));
    if (!set.archive_folder.empty()) all.push_back(look({folder / set.archive_folder, true}, set));
  }
  return all;
}

bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

[[noreturn]] void fail_incomplete(const Found& found) {
  throw DataError({.what = "files of " + std::string(found.files.set->name) + " are missing",
                   .seen = found.folder.string() + ": no " + join(found.missing) + ", plain or packed",
                   .advice = "put them there; if you have none, " + std::string(found.files.set->source)});
}

[[noreturn]] void fail_not_found(const KnownImages& set) {
  std::vector<std::string> searched{"the current folder"};
  for (const fs::path& root : data_roots()) searched.push_back(root.string());
  searched.emplace_back(debian_data);
  std::string below = "images and " + std::string(set.name);
  if (!set.archive_folder.empty())
    below = "images, " + std::string(set.name) + " and " + std::string(set.archive_folder);
  throw DataError({.what = "the images '" + std::string(set.name) + "' were not found",
                   .seen = "searched for " + std::string(set.train.front()) + " in: " + join(searched) +
                           ", and in their subfolders " + below,
                   .advice = std::string(set.source)});
}

ImageFiles find_by_name(const KnownImages& set) {
  std::optional<Found> incomplete;
  for (const SearchFolder& where : folders_of_name(set)) {
    Found found = look(where, set);
    if (found.missing.empty()) {
      found.files.named = true;
      return std::move(found.files);
    }
    if (found.any() && !incomplete) incomplete = std::move(found);
  }
  if (incomplete) fail_incomplete(*incomplete);
  fail_not_found(set);
}

ImageFiles find_in_folder(const fs::path& folder) {
  const std::vector<Found> all = found_in_folder(folder);
  const Found* whole = nullptr;
  for (const Found& found : all) {
    if (!found.missing.empty()) continue;
    // Two sets with the same names of files: which one it is, their content will tell.
    if (whole == nullptr || whole->files.train == found.files.train) whole = &found;
    else
      throw DataError({.what = "the folder holds more than one set of images",
                       .seen = folder.string() + ": " + std::string(whole->files.set->name) + " and " +
                               std::string(found.files.set->name),
                       .advice = "give each a folder of its own"});
  }
  if (whole != nullptr) return whole->files;
  const auto some = std::ranges::find_if(all, &Found::any);
  if (some != all.end()) fail_incomplete(*some);
  throw DataError({.what = "the folder holds no images that are read here",
                   .seen = folder.string() + ": neither data_batch_1.bin nor train.bin nor train-images-idx3-ubyte",
                   .advice = "give a folder with the files of one of " + join(known_image_names())});
}

}  // namespace

bool names_images(const std::string& name_or_folder) {
  std::error_code error;
  if (fs::is_regular_file(name_or_folder, error)) return false;
  if (find_known_images(name_or_folder) != nullptr) return true;
  return is_folder(name_or_folder) && std::ranges::any_of(found_in_folder(name_or_folder), &Found::any);
}

ImageFiles find_images(const std::string& name_or_folder) {
  if (const KnownImages* set = find_known_images(name_or_folder)) return find_by_name(*set);
  if (is_folder(name_or_folder)) return find_in_folder(name_or_folder);
  const std::string similar = nearest(name_or_folder, known_image_names());
  throw DataError({.what = "there are no images '" + name_or_folder + "'",
                   .seen = "neither a folder nor one of " + join(known_image_names()),
                   .advice = (similar.empty() ? "" : "did you mean '" + similar + "'? ") +
                             std::string("give one of these names, or a folder with the files of one of them")});
}

}  // namespace driftless
