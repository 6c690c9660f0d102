#include "driftless/data/find_data.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"
#include "driftless/data/known_data.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> endings{"", ".zst", ".gz"};

std::vector<fs::path> split_folders(std::string_view list) {
  std::vector<fs::path> folders;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(':'), list.size());
    if (end > 0) folders.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return folders;
}

std::string without_ending(std::string name) {
  for (const std::string_view ending : endings) {
    if (!ending.empty() && name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  }
  return name;
}

std::vector<std::string> names_in(const std::vector<fs::path>& folders) {
  std::vector<std::string> names;
  for (const fs::path& folder : folders) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      std::error_code unknown;
      if (!entry->is_directory(unknown)) names.push_back(without_ending(entry->path().filename().string()));
    }
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<std::string> similar_names(const std::string& name, std::vector<std::string> known) {
  constexpr std::size_t most = 3;
  std::vector<std::string> similar;
  while (similar.size() < most) {
    const std::string best = nearest(name, known);
    if (best.empty()) break;
    similar.push_back(best);
    std::erase(known, best);
  }
  return similar;
}

}  // namespace

std::optional<fs::path> packed_or_plain(const fs::path& path) {
  for (const std::string_view ending : endings) {
    fs::path candidate = path;
    candidate += ending;
    std::error_code error;
    const fs::file_status status = fs::status(candidate, error);
    if (fs::exists(status) && !fs::is_directory(status)) return candidate;
  }
  return std::nullopt;
}

std::vector<fs::path> data_roots() {
  std::vector<fs::path> roots;
  if (const char* list = std::getenv("DRIFTLESS_DATA")) roots = split_folders(list);
  if (const char* home = std::getenv("HOME")) roots.push_back(fs::path(home) / ".cache" / "driftless");
  return roots;
}

std::vector<fs::path> data_folders() {
  std::vector<fs::path> folders;
  for (const fs::path& root : data_roots()) {
    folders.push_back(root);
    folders.push_back(root / "libsvm");
  }
  return folders;
}

fs::path find_data(const std::string& name_or_path) {
  if (name_or_path.empty())
    throw DataError({.what = "no data was named", .seen = "''", .advice = "give a path or a name such as a9a"});
  if (const auto found = packed_or_plain(name_or_path)) return *found;
  const std::vector<fs::path> folders = data_folders();
  for (const fs::path& folder : folders) {
    if (const auto found = packed_or_plain(folder / name_or_path)) return *found;
  }
  std::error_code error;
  if (fs::is_directory(name_or_path, error))
    throw DataError({.what = "a file was expected, this is a folder",
                     .seen = name_or_path,
                     .advice = "name one file in it, or name the folder in DRIFTLESS_DATA"});
  std::vector<std::string> searched{"the current folder"};
  for (const fs::path& folder : folders) searched.push_back(folder.string());
  const std::vector<std::string> similar = similar_names(without_ending(name_or_path), names_in(folders));
  const bool known = find_known_data(name_or_path) != nullptr;
  throw DataError({.what = "the data '" + name_or_path + "' was not found",
                   .seen = "searched: " + join(searched),
                   .advice = (known             ? "fetch it with 'driftless data get " + name_or_path + "', "
                              : similar.empty() ? ""
                                                : "did you mean " + join(similar, " or ") + "? ") +
                             "give a path, or name folders with data in DRIFTLESS_DATA"});
}

}  // namespace driftless
