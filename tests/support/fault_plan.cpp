#include "tests/support/fault_plan.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace driftless {
namespace {

// The library's own files are written by system calls, since the functions of libc are those it interposes.
void append_to(const std::string& file, const std::string& text) {
  const long opened = ::syscall(SYS_openat, AT_FDCWD, file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (opened < 0) return;
  ::syscall(SYS_write, opened, text.data(), text.size());
  ::syscall(SYS_close, opened);
}

std::optional<std::size_t> number_in(const std::string& file) {
  const long opened = ::syscall(SYS_openat, AT_FDCWD, file.c_str(), O_RDONLY | O_CLOEXEC, 0);
  if (opened < 0) return std::nullopt;
  char text[32] = {};
  ::syscall(SYS_read, opened, text, sizeof text - 1);
  ::syscall(SYS_close, opened);
  return std::strtoull(text, nullptr, 10);
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

struct Entry {
  std::string name;
  ino_t inode = 0;
};

std::vector<Entry> files_in(const std::string& folder) {
  std::vector<Entry> entries;
  DIR* opened = ::opendir(folder.c_str());
  if (opened == nullptr) return entries;
  while (const dirent* entry = ::readdir(opened))
    if (entry->d_type == DT_REG) entries.push_back({entry->d_name, entry->d_ino});
  ::closedir(opened);
  return entries;
}

[[noreturn]] void end_process() {
  ::syscall(SYS_kill, ::getpid(), SIGKILL);
  for (;;) ::pause();  // until the signal arrives
}

// Keeps a link to each file of the folder, and none to files that the folder no longer has.
void keep_links(const std::string& kept, const std::string& folder, const std::vector<Entry>& entries) {
  struct stat status{};
  if (::stat(folder.c_str(), &status) != 0) return;
  ::syscall(SYS_mkdirat, AT_FDCWD, kept.c_str(), 0700);
  const std::string links = kept + "/" + std::to_string(status.st_ino);
  ::syscall(SYS_mkdirat, AT_FDCWD, links.c_str(), 0700);
  std::vector<Entry> old = files_in(links);
  for (const Entry& entry : entries) {
    const std::string link = links + "/" + std::to_string(entry.inode);
    ::syscall(SYS_linkat, AT_FDCWD, (folder + "/" + entry.name).c_str(), AT_FDCWD, link.c_str(), 0);
    std::erase_if(old, [&](const Entry& one) { return one.inode == entry.inode; });
  }
  for (const Entry& gone : old) ::syscall(SYS_unlinkat, AT_FDCWD, (links + "/" + gone.name).c_str(), 0);
}

}  // namespace

FaultPlan::FaultPlan()
    : under_(variable("DRIFTLESS_FAULT_UNDER")),
      trace_(variable("DRIFTLESS_FAULT_TRACE")),
      sync_log_(variable("DRIFTLESS_FAULT_SYNC_LOG")),
      kept_(variable("DRIFTLESS_FAULT_KEPT")),
      room_file_(variable("DRIFTLESS_FAULT_ROOM")),
      end_before_(nth_call("DRIFTLESS_FAULT_END_BEFORE")),
      end_after_(nth_call("DRIFTLESS_FAULT_END_AFTER")),
      delayed_rename_(nth_call("DRIFTLESS_FAULT_DELAY_RENAME")) {}

FaultPlan::NthCall FaultPlan::nth_call(const char* name) {
  const std::string text = variable(name);
  NthCall call;
  char* rest = nullptr;
  call.number = std::strtoull(text.c_str(), &rest, 10);
  if (*rest == ':') call.milliseconds = std::strtoull(rest + 1, nullptr, 10);
  return call;
}

bool FaultPlan::concerns(const std::string& path) const {
  if (under_.empty() || !path.starts_with(under_)) return false;
  return path.size() == under_.size() || path[under_.size()] == '/';
}

std::uint64_t FaultPlan::begin(const char* call, const std::string& path) {
  const int error = errno;
  const std::uint64_t number = ++calls_;
  if (!trace_.empty()) {
    const std::scoped_lock lock(writing_);
    append_to(trace_, std::to_string(number) + "\t" + call + "\t" + path + "\n");
  }
  if (number == end_before_.number) end_process();
  errno = error;
  return number;
}

void FaultPlan::end(std::uint64_t number) const {
  if (number == end_after_.number) end_process();
}

void FaultPlan::before_rename() {
  if (++renames_ != delayed_rename_.number) return;
  timespec left{.tv_sec = static_cast<time_t>(delayed_rename_.milliseconds / 1000),
                .tv_nsec = static_cast<long>(delayed_rename_.milliseconds % 1000) * 1'000'000};
  while (::nanosleep(&left, &left) != 0 && errno == EINTR) continue;
}

std::size_t FaultPlan::room_for(std::size_t bytes) {
  if (room_file_.empty()) return bytes;
  const int error = errno;
  const std::scoped_lock lock(counting_room_);
  const std::optional<std::size_t> given = number_in(room_file_);
  if (!given) room_.reset();
  else if (!room_) room_ = given;
  errno = error;
  if (!room_) return bytes;
  const std::size_t fits = bytes < *room_ ? bytes : *room_;
  *room_ -= fits;
  return fits;
}

void FaultPlan::record_file_sync(ino_t inode, off_t size) const {
  const std::scoped_lock lock(writing_);
  append_to(sync_log_, "file\t" + std::to_string(inode) + "\t" + std::to_string(size) + "\n");
}

void FaultPlan::record_folder_sync(const std::string& folder) const {
  const std::scoped_lock lock(writing_);
  const std::vector<Entry> entries = files_in(folder);
  std::string text = "folder\t" + folder + "\n";
  for (const Entry& entry : entries) text += "entry\t" + std::to_string(entry.inode) + "\t" + entry.name + "\n";
  keep_links(kept_, folder, entries);
  append_to(sync_log_, text);
}

// Never destroyed: threads of the program may still write while it exits.
FaultPlan& fault_plan() {
  static auto* const plan = new FaultPlan;
  return *plan;
}

}  // namespace driftless
