// A library to be loaded with LD_PRELOAD into the real programs. It stands in for the calls of libc that change files,
// those that libstdc++'s streams and std::filesystem use among them, so that a test can end a process at every single
// one, fill the disk, or learn what was synced. Nothing of it is in the programs themselves.
#include "tests/support/fault_plan.hpp"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

using driftless::fault_plan;
using driftless::FaultPlan;

// The function of libc that this library hides.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

std::string path_of(int descriptor) {
  char path[4096];
  const ssize_t size = ::readlink(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), path, sizeof path - 1);
  return size > 0 ? std::string(path, static_cast<std::size_t>(size)) : "";
}

std::string absolute(int folder, const char* path) {
  const std::filesystem::path given = path;
  if (given.is_absolute()) return given.lexically_normal().string();
  std::error_code ignored;
  const std::filesystem::path base =
      folder == AT_FDCWD ? std::filesystem::current_path(ignored) : std::filesystem::path(path_of(folder));
  return (base / given).lexically_normal().string();
}

template <class Call>
auto counted(const char* name, const std::string& path, Call&& call) {
  FaultPlan& plan = fault_plan();
  if (!plan.concerns(path)) return call();
  const std::uint64_t number = plan.begin(name, path);
  const auto result = call();
  const int error = errno;
  plan.end(number);
  errno = error;
  return result;
}

bool full(const std::string& path) {
  struct stat status{};
  const int error = errno;
  const bool is_new = ::stat(path.c_str(), &status) != 0;
  errno = error;
  return is_new && fault_plan().concerns(path) && fault_plan().room_for(1) == 0;
}

int no_room() {
  errno = ENOSPC;
  return -1;
}

// Of a file that was just made or emptied nothing is durable, whatever was synced under its inode before.
void note_emptied(int descriptor, const std::string& path) {
  FaultPlan& plan = fault_plan();
  struct stat status{};
  if (descriptor < 0 || !plan.concerns(path) || !plan.records_syncs() || ::fstat(descriptor, &status) != 0) return;
  if (status.st_size == 0) plan.record_file_sync(status.st_ino, 0);
}

template <class Call>
int opened(int folder, const char* path, int flags, Call&& call) {
  if ((flags & (O_CREAT | O_TRUNC)) == 0) return call();
  const std::string where = absolute(folder, path);
  return counted("open", where, [&] {
    if (full(where)) return no_room();
    const int descriptor = call();
    note_emptied(descriptor, where);
    return descriptor;
  });
}

template <class Call>
std::FILE* opened_stream(const char* path, const char* mode, Call&& call) {
  if (std::strpbrk(mode, "wa") == nullptr) return call();
  const std::string where = absolute(AT_FDCWD, path);
  return counted("open", where, [&]() -> std::FILE* {
    if (full(where)) {
      errno = ENOSPC;
      return nullptr;
    }
    std::FILE* stream = call();
    if (stream != nullptr) note_emptied(::fileno(stream), where);
    return stream;
  });
}

bool is_regular(int descriptor) {
  struct stat status{};
  const int error = errno;
  const bool regular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  errno = error;
  return regular;
}

// `call` writes as many bytes as it is told.
template <class Call>
ssize_t written(int descriptor, std::size_t size, Call&& call) {
  if (!is_regular(descriptor)) return call(size);
  const std::string where = path_of(descriptor);
  return counted("write", where, [&]() -> ssize_t {
    const std::size_t fits = fault_plan().concerns(where) ? fault_plan().room_for(size) : size;
    return fits == 0 && size > 0 ? no_room() : call(fits);
  });
}

// What is durable afterwards is what was there before.
template <class Call>
int synced(int descriptor, Call&& call) {
  const std::string where = path_of(descriptor);
  return counted("sync", where, [&] {
    struct stat status{};
    ::fstat(descriptor, &status);
    const int result = call();
    FaultPlan& plan = fault_plan();
    if (result != 0 || !plan.concerns(where) || !plan.records_syncs()) return result;
    if (S_ISDIR(status.st_mode)) plan.record_folder_sync(where);
    else plan.record_file_sync(status.st_ino, status.st_size);
    return result;
  });
}

template <class Call>
int renamed(int folder, const char* to, Call&& call) {
  const std::string where = absolute(folder, to);
  return counted("rename", where, [&] {
    if (fault_plan().concerns(where)) fault_plan().before_rename();
    return call();
  });
}

template <class Call>
int made_folder(int folder, const char* path, Call&& call) {
  const std::string where = absolute(folder, path);
  return counted("mkdir", where, [&] { return full(where) ? no_room() : call(); });
}

mode_t mode_of(int flags, std::va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  static auto* const real = next<int(const char*, int, ...)>("open");
  return opened(AT_FDCWD, path, flags, [&] { return real(path, flags, mode); });
}

int open64(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  static auto* const real = next<int(const char*, int, ...)>("open64");
  return opened(AT_FDCWD, path, flags, [&] { return real(path, flags, mode); });
}

int openat(int folder, const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  static auto* const real = next<int(int, const char*, int, ...)>("openat");
  return opened(folder, path, flags, [&] { return real(folder, path, flags, mode); });
}

int openat64(int folder, const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  static auto* const real = next<int(int, const char*, int, ...)>("openat64");
  return opened(folder, path, flags, [&] { return real(folder, path, flags, mode); });
}

// What open becomes under _FORTIFY_SOURCE where the flags are not known to the compiler.
int __open_2(const char* path, int flags) {
  static auto* const real = next<int(const char*, int)>("__open_2");
  return opened(AT_FDCWD, path, flags, [&] { return real(path, flags); });
}

int __open64_2(const char* path, int flags) {
  static auto* const real = next<int(const char*, int)>("__open64_2");
  return opened(AT_FDCWD, path, flags, [&] { return real(path, flags); });
}

std::FILE* fopen(const char* path, const char* mode) {
  static auto* const real = next<std::FILE*(const char*, const char*)>("fopen");
  return opened_stream(path, mode, [&] { return real(path, mode); });
}

std::FILE* fopen64(const char* path, const char* mode) {
  static auto* const real = next<std::FILE*(const char*, const char*)>("fopen64");
  return opened_stream(path, mode, [&] { return real(path, mode); });
}

ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  static auto* const real = next<ssize_t(int, const void*, std::size_t)>("write");
  return written(descriptor, size, [&](std::size_t fits) { return real(descriptor, bytes, fits); });
}

ssize_t pwrite(int descriptor, const void* bytes, std::size_t size, off_t at) {
  static auto* const real = next<ssize_t(int, const void*, std::size_t, off_t)>("pwrite");
  return written(descriptor, size, [&](std::size_t fits) { return real(descriptor, bytes, fits, at); });
}

ssize_t pwrite64(int descriptor, const void* bytes, std::size_t size, off64_t at) {
  static auto* const real = next<ssize_t(int, const void*, std::size_t, off64_t)>("pwrite64");
  return written(descriptor, size, [&](std::size_t fits) { return real(descriptor, bytes, fits, at); });
}

// Where not everything fits, only the first buffer that has bytes is written, and of it what fits.
ssize_t writev(int descriptor, const iovec* buffers, int count) {
  static auto* const real = next<ssize_t(int, const iovec*, int)>("writev");
  static auto* const real_write = next<ssize_t(int, const void*, std::size_t)>("write");
  std::size_t size = 0;
  for (int i = 0; i < count; ++i) size += buffers[i].iov_len;
  return written(descriptor, size, [&](std::size_t fits) {
    if (fits == size) return real(descriptor, buffers, count);
    const iovec* first = buffers;
    while (first->iov_len == 0) ++first;
    return real_write(descriptor, first->iov_base, fits < first->iov_len ? fits : first->iov_len);
  });
}

int fsync(int descriptor) {
  static auto* const real = next<int(int)>("fsync");
  return synced(descriptor, [&] { return real(descriptor); });
}

int fdatasync(int descriptor) {
  static auto* const real = next<int(int)>("fdatasync");
  return synced(descriptor, [&] { return real(descriptor); });
}

int ftruncate(int descriptor, off_t size) noexcept {
  static auto* const real = next<int(int, off_t)>("ftruncate");
  return counted("truncate", path_of(descriptor), [&] { return real(descriptor, size); });
}

int ftruncate64(int descriptor, off64_t size) noexcept {
  static auto* const real = next<int(int, off64_t)>("ftruncate64");
  return counted("truncate", path_of(descriptor), [&] { return real(descriptor, size); });
}

int truncate(const char* path, off_t size) noexcept {
  static auto* const real = next<int(const char*, off_t)>("truncate");
  return counted("truncate", absolute(AT_FDCWD, path), [&] { return real(path, size); });
}

int rename(const char* from, const char* to) noexcept {
  static auto* const real = next<int(const char*, const char*)>("rename");
  return renamed(AT_FDCWD, to, [&] { return real(from, to); });
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  static auto* const real = next<int(int, const char*, int, const char*)>("renameat");
  return renamed(to_folder, to, [&] { return real(from_folder, from, to_folder, to); });
}

int link(const char* from, const char* to) noexcept {
  static auto* const real = next<int(const char*, const char*)>("link");
  return counted("link", absolute(AT_FDCWD, to), [&] { return real(from, to); });
}

int remove(const char* path) noexcept {
  static auto* const real = next<int(const char*)>("remove");
  return counted("remove", absolute(AT_FDCWD, path), [&] { return real(path); });
}

int unlink(const char* path) noexcept {
  static auto* const real = next<int(const char*)>("unlink");
  return counted("remove", absolute(AT_FDCWD, path), [&] { return real(path); });
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  static auto* const real = next<int(int, const char*, int)>("unlinkat");
  return counted("remove", absolute(folder, path), [&] { return real(folder, path, flags); });
}

int rmdir(const char* path) noexcept {
  static auto* const real = next<int(const char*)>("rmdir");
  return counted("remove", absolute(AT_FDCWD, path), [&] { return real(path); });
}

int mkdir(const char* path, mode_t mode) noexcept {
  static auto* const real = next<int(const char*, mode_t)>("mkdir");
  return made_folder(AT_FDCWD, path, [&] { return real(path, mode); });
}

int mkdirat(int folder, const char* path, mode_t mode) noexcept {
  static auto* const real = next<int(int, const char*, mode_t)>("mkdirat");
  return made_folder(folder, path, [&] { return real(folder, path, mode); });
}

}  // extern "C"
