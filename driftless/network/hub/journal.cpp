#include "driftless/network/hub/journal.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/error.hpp"

#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace driftless {
namespace {

namespace fs = std::filesystem;

using detail::Descriptor;
using detail::journal_damaged;
using detail::journal_io_error;

constexpr std::string_view prefix = "journal-";

std::optional<ExchangeId> first_of(const fs::path& path) {
  const std::string name = path.filename().string();
  if (!name.starts_with(prefix)) return std::nullopt;
  ExchangeId first = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + prefix.size(), end, first);
  return error == std::errc() && stop == end ? std::optional(first) : std::nullopt;
}

// Exceptions of std::filesystem contain no advice.
template <class Body>
auto with_folder(const fs::path& folder, Body&& body) {
  try {
    return body();
  } catch (const fs::filesystem_error& error) {
    throw DataError({.what = "the folder of the journal cannot be used",
                     .seen = folder.string() + ": " + error.code().message(),
                     .advice = "make sure that the folder exists, can be written to and is used by one server only"});
  }
}

std::map<ExchangeId, fs::path> files_in(const fs::path& folder) {
  return with_folder(folder, [&] {
    fs::create_directories(folder);
    std::map<ExchangeId, fs::path> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
      if (const auto first = first_of(entry.path())) found.emplace(*first, entry.path());
    return found;
  });
}

void write_to_disk(int file, const fs::path& path) {
  // EINVAL: the file system does not support it.
  if (::fdatasync(file) != 0 && errno != EINVAL) journal_io_error(path, "written to the disk");
  // Writing to a removed file succeeds, but its content is lost when the process ends.
  struct stat about{};
  if (::fstat(file, &about) == 0 && about.st_nlink == 0)
    throw DataError({.what = "a file of the journal was removed while the server uses it",
                     .seen = path.string(),
                     .advice = "restore the folder of the journal from a copy, or start a new run in another folder"});
}

}  // namespace

Journal::Sync::Sync(int file, fs::path path, ExchangeId before)
    : file_(file), path_(std::move(path)), before_(before) {}
Journal::Sync::Sync(Sync&& other) noexcept
    : file_(std::exchange(other.file_, -1)), path_(std::move(other.path_)), before_(other.before_) {}
Journal::Sync::~Sync() {
  if (file_ >= 0) ::close(file_);
}
void Journal::Sync::wait() const {
  if (file_ >= 0) write_to_disk(file_, path_);
}

Journal::Journal(fs::path folder, JournalOptions options) : folder_(std::move(folder)), options_(std::move(options)) {
  const std::map<ExchangeId, fs::path> found = files_in(folder_);
  for (const auto& [first, path] : found) open_segment(path, first, first == found.rbegin()->first);
  if (segments_.empty()) begin_segment();
  else append_to_ = Descriptor(segments_.rbegin()->second.path, O_WRONLY | O_APPEND).release();
  // The last writes of an earlier process may not have reached the disk yet.
  write_to_disk(append_to_, segments_.rbegin()->second.path);
  durable_ = next_;
}

Journal::~Journal() {
  if (append_to_ >= 0) ::close(append_to_);
}

void Journal::open_segment(const fs::path& path, ExchangeId first, bool newest) {
  const Descriptor file(path, O_RDWR);
  const std::uint64_t size = with_folder(folder_, [&] { return fs::file_size(path); });
  const std::optional<detail::FileStart> start = detail::read_file_head(file.get(), size, path, options_.owner);
  if (!start) {  // a process was killed while it made the file
    if (!newest) journal_damaged(path, 0, "it ends within its header");
    with_folder(folder_, [&] { return fs::remove(path); });
    return;
  }
  if (start->position.next != first) journal_damaged(path, 0, "its name is not that of its first total");
  if (first < next_) journal_damaged(path, 0, "its first total is in another file already");
  // Totals in between were removed; where none are missing, the files must continue each other.
  if (first == next_ && !segments_.empty() && start->position.history != history_)
    journal_damaged(path, 0, "it does not continue the file before it");
  next_ = first;
  history_ = start->position.history;
  last_ = {.signal = StopSignal::none, .absent = start->position.absent};
  write_to_disk(file.get(), path);  // an earlier process, or a person who restored the file, may not have done it
  Segment segment{.path = path, .start = start->position, .offsets = {}, .histories = {}, .size = start->bytes};
  read_records(segment, file.get(), newest);
  segments_.emplace(first, std::move(segment));
}

void Journal::read_records(Segment& segment, int file, bool newest) {
  const std::uint64_t size = with_folder(folder_, [&] { return fs::file_size(segment.path); });
  std::vector<double> values;
  while (segment.size < size) {
    const std::uint64_t left = size - segment.size;
    const bool whole_head = left >= sizeof(detail::RecordHead);
    // After a loss of power some file systems report the new size but return zeros for the content.
    if (newest && detail::only_zeros(file, segment.size, size, segment.path)) return cut_back(segment, file);
    const detail::RecordHead head =
        whole_head ? detail::read_record_head(file, segment.size, segment.path) : detail::RecordHead{};
    if (whole_head && head.id != next_)
      journal_damaged(segment.path, segment.size, "a total with another number than expected");
    if (!whole_head || !head.fits(left - sizeof head)) {
      if (!newest) journal_damaged(segment.path, segment.size, "it ends in the middle of a total");
      return cut_back(segment, file);
    }
    if (head.history != detail::history_after(history_, head))
      journal_damaged(segment.path, segment.size, "this total does not follow those before it");
    last_ = detail::read_record_body(file, segment.size, head, values, segment.path);
    history_ = head.history;
    segment.offsets.push_back(segment.size);
    segment.histories.push_back(history_);
    segment.size += sizeof head + head.body_bytes();
    ++next_;
  }
}

void Journal::cut_back(const Segment& segment, int file) {
  if (::ftruncate(file, static_cast<off_t>(segment.size)) != 0) journal_io_error(segment.path, "cut back");
}

void Journal::begin_segment() {
  if (append_to_ >= 0) {
    write_to_disk(append_to_, segments_.rbegin()->second.path);
    ::close(std::exchange(append_to_, -1));
    durable_ = next_;
  }
  Segment segment{.path = folder_ / (std::string(prefix) + std::to_string(next_)),
                  .start = end(),
                  .offsets = {},
                  .histories = {},
                  .size = 0};
  append_to_ = Descriptor(segment.path, O_WRONLY | O_APPEND | O_CREAT | O_TRUNC).release();
  detail::write_file_head(append_to_, segment.path, options_.owner, segment.start);
  write_to_disk(append_to_, segment.path);
  const Descriptor folder(folder_, O_RDONLY | O_DIRECTORY);
  if (::fsync(folder.get()) != 0 && errno != EINVAL) journal_io_error(folder_, "written to the disk");
  segment.size = sizeof(detail::FileHead) + sizeof(ClientId) * segment.start.absent.size();
  segments_.emplace(next_, std::move(segment));
}

void Journal::append(std::span<const double> values, const Agreement& agreement) {
  if (memory_from_) {
    history_ = detail::history_of(history_, next_, values, agreement);
    in_memory_.push_back({.values = {values.begin(), values.end()}, .agreement = agreement, .history = history_});
  } else {
    if (segments_.rbegin()->second.size >= options_.file_bytes) begin_segment();
    Segment& segment = segments_.rbegin()->second;
    history_ = detail::write_record(append_to_, segment.path, next_, history_, values, agreement);
    segment.offsets.push_back(segment.size);
    segment.histories.push_back(history_);
    segment.size += sizeof(detail::RecordHead) + sizeof(ClientId) * agreement.absent.size() + values.size_bytes();
  }
  last_ = agreement;
  ++next_;
}

const Journal::Segment* Journal::segment_of(ExchangeId id) const {
  const auto after = segments_.upper_bound(id);
  if (after == segments_.begin()) return nullptr;
  const Segment& segment = std::prev(after)->second;
  return id - segment.start.next < segment.offsets.size() ? &segment : nullptr;
}

Total Journal::read(ExchangeId id) const {
  DRIFTLESS_ASSERT(has(id), "the journal does not hold this total");
  if (memory_from_ && id >= *memory_from_) return in_memory_[id - *memory_from_];
  const Segment& segment = *segment_of(id);
  const Descriptor file(segment.path, O_RDONLY);
  const std::uint64_t at = segment.offsets[id - segment.start.next];
  Total total;
  const detail::RecordHead head = detail::read_record_head(file.get(), at, segment.path);
  if (head.id != id || head.history != segment.histories[id - segment.start.next])
    journal_damaged(segment.path, at, "it has changed since it was opened");
  total.agreement = detail::read_record_body(file.get(), at, head, total.values, segment.path);
  total.history = head.history;
  return total;
}

StopSignal Journal::signal_of(ExchangeId id) const {
  DRIFTLESS_ASSERT(has(id), "the journal does not hold this total");
  if (memory_from_ && id >= *memory_from_) return in_memory_[id - *memory_from_].agreement.signal;
  const Segment& segment = *segment_of(id);
  const Descriptor file(segment.path, O_RDONLY);
  const std::uint64_t at = segment.offsets[id - segment.start.next];
  return static_cast<StopSignal>(detail::read_record_head(file.get(), at, segment.path).signal);
}

bool Journal::has(ExchangeId id) const {
  if (memory_from_ && id >= *memory_from_) return id < next_;
  return segment_of(id) != nullptr;
}

std::optional<Position> Journal::position_before(ExchangeId id) const {
  if (id == 0) return Position{};
  if (id == next_) return end();
  if (memory_from_ && id > *memory_from_) return std::nullopt;  // no peer restarts from these
  const auto at = segments_.upper_bound(id);
  if (at == segments_.begin()) return std::nullopt;
  const Segment& segment = std::prev(at)->second;
  if (id == segment.start.next) return segment.start;
  if (id - segment.start.next > segment.offsets.size()) return std::nullopt;
  return Position{
      .next = id, .history = segment.histories[id - 1 - segment.start.next], .absent = read(id - 1).agreement.absent};
}

void Journal::keep_before(ExchangeId id) {
  kept_ = id;
  if (next_ == id && !segments_.rbegin()->second.offsets.empty()) begin_segment();
}

void Journal::stop_keeping() {
  if (!memory_from_) memory_from_ = next_;
}

void Journal::remove_before(ExchangeId id) {
  for (auto segment = segments_.begin(); segment != segments_.end() && std::next(segment) != segments_.end();) {
    const bool needed = segment->first < kept_ || std::next(segment)->first > id;
    if (needed) {
      ++segment;
      continue;
    }
    with_folder(folder_, [&] { return fs::remove(segment->second.path); });
    segment = segments_.erase(segment);
  }
}

Journal::Sync Journal::begin_sync() const {
  const fs::path& path = segments_.rbegin()->second.path;
  if (durable_ == end_of_files()) return {-1, path, durable_};
  const int file = ::fcntl(append_to_, F_DUPFD_CLOEXEC, 0);
  if (file < 0) journal_io_error(path, "written to the disk");
  return {file, path, end_of_files()};
}

void Journal::end_sync(const Sync& sync) { durable_ = std::max(durable_, sync.before_); }

}  // namespace driftless
