#include "apps/peer_folder.hpp"

#include "driftless/core/error.hpp"
#include "driftless/data/input_file.hpp"
#include "driftless/data/output_file.hpp"

#include <random>

namespace driftless::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* run_file = "run-id";

}  // namespace

PeerFolder::PeerFolder(fs::path path) : path_(std::move(path)) {}

bool PeerFolder::has_results() const { return fs::exists(results() / "config.toml"); }

std::string PeerFolder::run() const {
  if (!fs::exists(path_ / run_file)) return "";
  std::string name = read_input_file(path_ / run_file);
  while (!name.empty() && name.back() == '\n') name.pop_back();
  return name;
}

void PeerFolder::begin(const std::string& run) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (!error && !fs::is_empty(path_, error) && !error)
    throw ConfigError({.what = "the folder for the run is not empty, and nothing is overwritten",
                       .seen = "--out: " + path_.string(),
                       .advice = "give a new folder, or the one of a run that is to be continued"});
  if (error)
    throw ConfigError({.what = "the folder for the run cannot be made",
                       .seen = "--out: " + path_.string() + ": " + error.message(),
                       .advice = "give another folder with --out DIR"});
  write_output_file(path_ / run_file, run + "\n", Durability::synced);
}

std::string new_run_name() {
  std::random_device entropy;
  std::string name;
  for (int i = 0; i < 16; ++i) name += "0123456789abcdef"[entropy() % 16];
  return name;
}

}  // namespace driftless::app
