#include "tests/support/power_loss.hpp"

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <sys/stat.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;

using Files = std::map<std::string, ino_t>;  // by name

struct Durable {
  std::map<ino_t, std::uint64_t> bytes;
  std::map<fs::path, Files> folders;
};

Durable read_log(const fs::path& log) {
  Durable durable;
  std::ifstream text(log);
  Files* folder = nullptr;
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    std::string kind;
    std::getline(words, kind, '\t');
    if (kind == "folder") {
      std::string path;
      std::getline(words, path);
      folder = &durable.folders[path];
      folder->clear();
      continue;
    }
    ino_t inode = 0;
    words >> inode;
    if (kind == "file") {
      words >> durable.bytes[inode];
    } else if (folder != nullptr) {
      std::string name;
      std::getline(words >> std::ws, name);
      (*folder)[name] = inode;
    }
  }
  return durable;
}

Files files_in(const fs::path& folder) {
  Files files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    struct stat status{};
    if (entry.is_regular_file() && ::stat(entry.path().c_str(), &status) == 0)
      files[entry.path().filename().string()] = status.st_ino;
  }
  return files;
}

std::string first_bytes(const fs::path& file, std::uint64_t size) {
  std::ifstream stream(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (bytes.size() > size) bytes.resize(size);
  return bytes;
}

std::vector<fs::path> folders_of(const fs::path& top) {
  std::vector<fs::path> folders{top};
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top))
    if (entry.is_directory()) folders.push_back(entry.path());
  return folders;
}

// Where the bytes of an inode are: under one of the names, or among the links that the library kept.
std::map<ino_t, fs::path> locations(const fs::path& top, const fs::path& kept) {
  std::map<ino_t, fs::path> found;
  for (const fs::path& root : {top, kept}) {
    if (!fs::exists(root)) continue;
    for (const fs::path& folder : folders_of(root))
      for (const auto& [name, inode] : files_in(folder)) found.emplace(inode, folder / name);
  }
  return found;
}

void start_log(const FileFaults& faults) {
  fs::remove_all(faults.kept());
  fs::create_directories(faults.kept());
  std::ofstream log(faults.sync_log(), std::ios::trunc);
  for (const fs::path& folder : folders_of(faults.under)) {
    struct stat status{};
    ::stat(folder.c_str(), &status);
    const fs::path links = faults.kept() / std::to_string(status.st_ino);
    fs::create_directory(links);
    const Files files = files_in(folder);
    for (const auto& [name, inode] : files) {
      log << "file\t" << inode << '\t' << fs::file_size(folder / name) << '\n';
      fs::create_hard_link(folder / name, links / std::to_string(inode));
    }
    log << "folder\t" << folder.string() << '\n';
    for (const auto& [name, inode] : files) log << "entry\t" << inode << '\t' << name << '\n';
  }
}

}  // namespace

void make_durable(const FileFaults& faults) {
  if (fs::exists(faults.under)) start_log(faults);
}

void lose_power(const FileFaults& faults, Names names) {
  if (!fs::exists(faults.under)) return;
  Durable durable = read_log(faults.sync_log());
  const std::map<ino_t, fs::path> at = locations(faults.under, faults.kept());
  std::map<fs::path, std::string> left;
  for (const fs::path& folder : folders_of(faults.under)) {
    const Files now = files_in(folder);
    const Files then = names == Names::lost ? durable.folders[folder] : now;
    for (const auto& [name, inode] : then)
      if (at.contains(inode)) left[folder / name] = first_bytes(at.at(inode), durable.bytes[inode]);
    // A new inode for each file: a name that is back may be a link to one that is in the way.
    for (const auto& [name, inode] : now) fs::remove(folder / name);
  }
  for (const auto& [path, bytes] : left) std::ofstream(path, std::ios::binary) << bytes;
  start_log(faults);
}

}  // namespace driftless
