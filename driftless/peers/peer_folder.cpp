#include "driftless/peers/peer_folder.hpp"

#include "driftless/console/log.hpp"
#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/files/output_file.hpp"

#include <algorithm>
#include <mutex>
#include <random>
#include <sstream>
#include <sys/stat.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr const char* run_file = "run-id";
constexpr const char* audit_log = "audit.jsonl";
constexpr const char* finished_file = "finished-sites";
constexpr const char* dropped_file = "dropped-sites";

// A program that embeds the library may be several peers.
struct PrivateFilesOfAll {
  std::mutex mutex;
  std::size_t users = 0;
  mode_t before = 0;
};
PrivateFilesOfAll private_files;

bool is_draft_of_run_file(const fs::directory_entry& entry) { return is_draft_of(entry.path(), run_file); }

// What a start leaves that was killed early, or in which the site declined an offer.
bool is_of_no_run(const fs::directory_entry& entry) {
  return is_draft_of_run_file(entry) || entry.path().filename() == audit_log;
}

void remove_drafts_of_run_file(const fs::path& folder) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (is_draft_of_run_file(entry)) fs::remove(entry.path(), ignored);
}

// Removes the permissions of all users but the owner. Links are skipped: their targets do not belong to the peer.
void make_private(const fs::path& path) {
  std::error_code error;
  if (fs::is_symlink(path, error)) return;
  fs::permissions(path, fs::perms::group_all | fs::perms::others_all, fs::perm_options::remove, error);
  if (error && error != std::errc::no_such_file_or_directory)
    log_warning("others may be able to read this: " + path.string() + ": " + error.message());
}

}  // namespace

PeerFolder::PrivateFiles::PrivateFiles() {
  const std::lock_guard lock(private_files.mutex);
  if (private_files.users++ == 0) private_files.before = ::umask(S_IRWXG | S_IRWXO);
}

PeerFolder::PrivateFiles::~PrivateFiles() {
  const std::lock_guard lock(private_files.mutex);
  if (--private_files.users == 0) ::umask(private_files.before);
}

PeerFolder::PeerFolder(fs::path path) : path_(std::move(path)) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error)
    throw ConfigError({.what = "the folder for the run cannot be made",
                       .seen = "--out: " + path_.string() + ": " + error.message(),
                       .advice = "give another folder with --out DIR"});
  lock_.emplace(path_);
  if (!fs::exists(path_ / run_file, error)) return;
  make_private(path_);
  constexpr auto quietly = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator each(path_, quietly, error), end; !error && each != end; each.increment(error))
    make_private(each->path());
}

fs::path PeerFolder::audit_file() const { return path_ / audit_log; }

bool PeerFolder::has_results() const { return fs::exists(results() / "config.toml"); }

std::string PeerFolder::run(const std::string& configuration_digest) const {
  const fs::path file = path_ / run_file;
  if (!fs::exists(file)) return "";
  std::istringstream text(read_input_file(file));
  std::string name, digest;
  text >> name >> digest;
  if (name.empty() || digest.empty())
    throw ConfigError({.what = "the folder does not identify its run",
                       .seen = file.string(),
                       .advice = "restore the file from a copy, or give a new folder with --out DIR"});
  if (digest != configuration_digest)
    throw DataError({.what = "the folder holds the run of another configuration",
                     .seen = file.string(),
                     .advice = "use the configuration that the run was started with, or give a new folder with --out "
                               "DIR"});
  return name;
}

void PeerFolder::begin(const std::string& run, const std::string& configuration_digest) {
  std::error_code error;
  if (!std::ranges::all_of(fs::directory_iterator(path_, error), is_of_no_run) || error)
    throw ConfigError({.what = "the folder for the run is not empty, and nothing is overwritten",
                       .seen = "--out: " + path_.string(),
                       .advice = "give a new folder, or the one of a run that is to be continued"});
  make_private(path_);
  remove_drafts_of_run_file(path_);
  write_output_file(path_ / run_file, run + "\n" + configuration_digest + "\n", Durability::synced);
}

std::vector<std::string> PeerFolder::names_in(const char* file) const {
  std::vector<std::string> names;
  if (!fs::exists(path_ / file)) return names;
  std::istringstream text(read_input_file(path_ / file));
  for (std::string name; text >> name;) names.push_back(name);
  return names;
}

void PeerFolder::add_name(const char* file, const std::string& name) const {
  std::vector<std::string> names = names_in(file);
  if (std::ranges::count(names, name) > 0) return;
  names.push_back(name);
  write_output_file(path_ / file, join(names, "\n") + "\n", Durability::synced);
}

std::vector<std::string> PeerFolder::finished_sites() const { return names_in(finished_file); }
void PeerFolder::add_finished_site(const std::string& site) const { add_name(finished_file, site); }
std::vector<std::string> PeerFolder::dropped_sites() const { return names_in(dropped_file); }
void PeerFolder::add_dropped_site(const std::string& site) const { add_name(dropped_file, site); }

std::string new_run_name() {
  std::random_device entropy;
  std::string name;
  for (int i = 0; i < 16; ++i) name += "0123456789abcdef"[entropy() % 16];
  return name;
}

}  // namespace driftless
