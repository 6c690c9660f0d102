#include "driftless/run/run_directory.hpp"

#include "driftless/data/output_file.hpp"
#include "driftless/run/machine.hpp"

#include <system_error>

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr const char* config_name = "config.toml";

[[noreturn]] void refuse(const fs::path& path, const std::string& reason, const std::string& place) {
  throw ConfigError({.what = "results cannot be written there",
                     .seen = place + ": " + path.string() + ": " + reason,
                     .advice = "give another folder with --out DIR or output.dir"});
}

// True if the folder was made now.
bool make_given(const fs::path& path) {
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_directory(path, error)) refuse(path, "this is a file", "--out");
  if (fs::is_directory(path, error)) {
    if (fs::is_empty(path, error)) return false;
    throw ConfigError({.what = "the folder for the results is not empty, and nothing is overwritten",
                       .seen = "--out: " + path.string(),
                       .advice = "give a new folder, or remove this one first"});
  }
  fs::create_directories(path, error);
  if (error) refuse(path, error.message(), "--out");
  return true;
}

// Two runs of one second get different names.
fs::path make_new(const fs::path& parent, const std::string& name) {
  std::error_code error;
  fs::create_directories(parent, error);
  if (error) refuse(parent, error.message(), "output.dir");
  for (std::size_t attempt = 1;; ++attempt) {
    const fs::path path = parent / (attempt == 1 ? name : name + "-" + std::to_string(attempt));
    if (fs::create_directory(path, error)) return path;
    if (error) refuse(path, error.message(), "output.dir");
  }
}

}  // namespace

RunDirectory::RunDirectory(const RunConfig& config, const std::string& out)
    : RunDirectory(config.output, canonical_text(config), out) {}

RunDirectory::RunDirectory(const OutputConfig& output, const std::string& config_text, const std::string& out) {
  if (!out.empty()) {
    path_ = out;
    made_ = make_given(path_);
  } else {
    path_ = make_new(output.dir, output.name + "-" + utc_stamp() + "-" + short_hash(config_text));
    made_ = true;
  }
  try {
    write_output_file(path_ / config_name, config_text);
  } catch (const DataError& error) { refuse(path_, error.trouble().seen, out.empty() ? "output.dir" : "--out"); }
}

void RunDirectory::write_config(const RunConfig& config) const {
  write_output_file(path_ / config_name, canonical_text(config));
}

fs::path RunDirectory::method_folder(const std::string& label) const {
  const fs::path folder = path_ / label;
  std::error_code error;
  fs::create_directory(folder, error);
  if (error) refuse(folder, error.message(), "run directory");
  return folder;
}

void RunDirectory::discard() const noexcept {
  if (begun_) return;
  std::error_code ignored;
  fs::remove(path_ / config_name, ignored);
  if (made_) fs::remove(path_, ignored);
}

}  // namespace driftless
