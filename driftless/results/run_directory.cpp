#include "driftless/results/run_directory.hpp"

#include "driftless/console/machine.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/results/directory_lock.hpp"

#include <algorithm>
#include <array>
#include <system_error>

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr const char* config_name = "config.toml";

[[noreturn]] void reject(const fs::path& path, const std::string& reason, const std::string& flag) {
  throw ConfigError({.what = "results cannot be written to this folder",
                     .seen = flag + ": " + path.string() + ": " + reason,
                     .advice = "give another folder with --out DIR or output.dir"});
}

// Files that a run writes before its run.json, which marks its start; a killed process leaves drafts of them.
constexpr std::array<std::string_view, 4> early_names{config_name, "constants.json", "split.json", "run.json"};

bool is_early_draft(const fs::path& path) {
  return std::ranges::any_of(early_names, [&](std::string_view name) { return is_draft_of(path, name); });
}

[[noreturn]] void reject_used(const fs::path& path) {
  std::error_code ignored;
  const bool resumable = fs::exists(path / config_name, ignored);
  throw ConfigError({.what = "the folder for the results is not empty, and nothing is overwritten",
                     .seen = "--out: " + path.string(),
                     .advice = std::string("give a new folder, or remove this one first") +
                               (resumable ? "; 'driftless resume' continues a run" : "")});
}

// A loss of power leaves empty files, and folders without files.
bool has_no_content(const fs::directory_entry& entry) {
  if (!entry.is_directory()) return fs::is_empty(entry.path()) || is_draft(entry.path());
  return std::ranges::all_of(fs::directory_iterator(entry.path()), has_no_content);
}

// The same command was killed in this folder before its run began. Such a folder holds no other files, and a running
// process holds the lock, so that its drafts are kept.
void clean_up_earlier_start(const fs::path& path, const std::string& config_text) {
  const auto is_leftover = [&](const fs::directory_entry& entry) {
    if (entry.is_directory()) return has_no_content(entry);
    const fs::path name = entry.path().filename();
    if (std::ranges::count(early_names, name) > 0 && has_no_content(entry)) return true;
    if (name == config_name) return read_input_file(entry.path()) == config_text;
    return is_early_draft(entry.path());
  };
  const auto check = [&] {
    if (!std::ranges::all_of(fs::directory_iterator(path), is_leftover)) reject_used(path);
  };
  check();  // before locking, so that a process that uses the folder does not encounter the lock
  const DirectoryLock lock(path);
  check();
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(path))
    if (is_early_draft(entry.path()) || has_no_content(entry)) fs::remove_all(entry.path(), ignored);
}

// True if the folder was created.
bool make_given(const fs::path& path, const std::string& config_text) {
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_directory(path, error)) reject(path, "this is a file", "--out");
  if (fs::is_directory(path, error)) {
    if (!fs::is_empty(path, error)) clean_up_earlier_start(path, config_text);
    return false;
  }
  fs::create_directories(path, error);
  if (error) reject(path, error.message(), "--out");
  return true;
}

// Two runs that start in the same second get different names.
fs::path make_new(const fs::path& parent, const std::string& name) {
  std::error_code error;
  fs::create_directories(parent, error);
  if (error) reject(parent, error.message(), "output.dir");
  for (std::size_t attempt = 1;; ++attempt) {
    const fs::path path = parent / (attempt == 1 ? name : name + "-" + std::to_string(attempt));
    if (fs::create_directory(path, error)) return path;
    if (error) reject(path, error.message(), "output.dir");
  }
}

}  // namespace

bool holds_nothing(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder, error) &&
         std::ranges::all_of(fs::directory_iterator(folder, error),
                             [](const fs::directory_entry& entry) { return is_draft_of(entry.path(), config_name); });
}

RunDirectory::RunDirectory(const OutputConfig& output, const std::string& config_text, const std::string& out,
                           Durability durability) {
  if (!out.empty()) {
    path_ = out;
    made_ = make_given(path_, config_text);
    begun_ = fs::exists(path_ / config_name);
  } else {
    path_ = make_new(output.dir, output.name + "-" + utc_stamp() + "-" + short_hash(config_text));
    made_ = true;
  }
  try {
    write_output_file(path_ / config_name, config_text, durability);
  } catch (const DataError& error) { reject(path_, error.info().seen, out.empty() ? "output.dir" : "--out"); }
}

void RunDirectory::write_config(const std::string& text) const { write_output_file(path_ / config_name, text); }

fs::path RunDirectory::method_folder(const std::string& label) const {
  const fs::path folder = path_ / label;
  std::error_code error;
  fs::create_directory(folder, error);
  if (error) reject(folder, error.message(), "run directory");
  return folder;
}

void RunDirectory::sync() const {
  sync_to_disk(path_ / config_name);
  sync_folder(path_);
}

void RunDirectory::discard() const noexcept {
  if (begun_) return;
  std::error_code ignored;
  fs::remove(path_ / config_name, ignored);
  if (made_) fs::remove(path_, ignored);
}

}  // namespace driftless
