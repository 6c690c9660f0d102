#include "tests/support/file_faults.hpp"

#include <fstream>
#include <sstream>

namespace driftless {

namespace fs = std::filesystem;

void FileFaults::fill_disk(std::uint64_t bytes_left) const {
  const fs::path draft = logs / "room.new";
  std::ofstream(draft) << bytes_left;
  fs::rename(draft, room());
}

void FileFaults::make_room() const { fs::remove(room()); }

std::vector<std::pair<std::string, std::string>> FileFaults::environment() const {
  fs::create_directories(logs);
  std::vector<std::pair<std::string, std::string>> variables{{"LD_PRELOAD", DRIFTLESS_FAULT_LIBRARY},
                                                             // A sanitizer insists on being loaded first otherwise.
                                                             {"ASAN_OPTIONS", "verify_asan_link_order=0"},
                                                             {"DRIFTLESS_FAULT_UNDER", under.string()},
                                                             {"DRIFTLESS_FAULT_ROOM", room().string()}};
  if (traces) variables.emplace_back("DRIFTLESS_FAULT_TRACE", trace().string());
  if (records_syncs) {
    variables.emplace_back("DRIFTLESS_FAULT_SYNC_LOG", sync_log().string());
    variables.emplace_back("DRIFTLESS_FAULT_KEPT", kept().string());
  }
  if (end_before != 0) variables.emplace_back("DRIFTLESS_FAULT_END_BEFORE", std::to_string(end_before));
  if (end_after != 0) variables.emplace_back("DRIFTLESS_FAULT_END_AFTER", std::to_string(end_after));
  if (delayed_rename != 0)
    variables.emplace_back("DRIFTLESS_FAULT_DELAY_RENAME",
                           std::to_string(delayed_rename) + ":" + std::to_string(delay_milliseconds));
  return variables;
}

std::vector<FileCall> read_trace(const fs::path& file) {
  std::vector<FileCall> calls;
  std::ifstream text(file);
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    FileCall call;
    std::string path;
    words >> call.number >> call.name;
    std::getline(words >> std::ws, path);
    call.path = path;
    calls.push_back(std::move(call));
  }
  return calls;
}

}  // namespace driftless
