#include "driftless/transports/journal.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/error.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t segment_bytes = std::uint64_t{64} << 20;
constexpr std::string_view prefix = "journal-";

// What stands before the values of a record. Numbers are as in memory: a journal never leaves its machine.
struct Head {
  std::array<char, 8> magic{'d', 'r', 'i', 'f', 't', 'j', '0', '1'};
  ExchangeId id = 0;
  std::uint64_t values = 0;
  std::uint64_t absent = 0;
  std::uint32_t word = 0;
  std::uint32_t check_head = 0;  // of the fields above
  std::uint32_t check_body = 0;  // of absent clients and values
  std::uint32_t unused = 0;

  std::uint64_t body_bytes() const { return sizeof(std::uint64_t) * absent + sizeof(double) * values; }
  // Not by body_bytes: counts that nobody wrote could wrap around.
  bool fits(std::uint64_t bytes) const {
    const std::uint64_t most = bytes / sizeof(double);
    return absent <= most && values <= most - absent;
  }
};

std::uint32_t check_of(std::uint32_t so_far, const void* data, std::size_t size) {
  if (size == 0) return so_far;  // without data zlib would begin anew
  return static_cast<std::uint32_t>(crc32_z(so_far, static_cast<const Bytef*>(data), size));
}

std::uint32_t head_check(const Head& head) { return check_of(0, &head, offsetof(Head, check_head)); }

[[noreturn]] void damaged(const fs::path& path, std::uint64_t at, const std::string& how) {
  throw DataError({.what = "the journal of the run is damaged",
                   .seen = path.string() + ", byte " + std::to_string(at) + ": " + how,
                   .advice = "restore the file from a copy, or start the run anew in another folder"});
}

[[noreturn]] void io_error(const fs::path& path, const char* what) {
  throw DataError({.what = std::string("the journal cannot be ") + what,
                   .seen = path.string() + ": " + std::strerror(errno),
                   .advice = "see that the disk has room and the folder may be written to"});
}

class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags) : number_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {
    if (number_ < 0) io_error(path, "opened");
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

void read_exactly(int file, void* to, std::uint64_t size, std::uint64_t at, const fs::path& path) {
  auto* bytes = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t got = ::pread(file, bytes, size, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) io_error(path, "read");
    if (got == 0) damaged(path, at, "it ends in the middle of a total");
    bytes += got;
    at += static_cast<std::uint64_t>(got);
    size -= static_cast<std::uint64_t>(got);
  }
}

void write_exactly(int file, const void* from, std::uint64_t size, const fs::path& path) {
  const auto* bytes = static_cast<const char*>(from);
  while (size > 0) {
    const ssize_t put = ::write(file, bytes, size);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) io_error(path, "written");
    bytes += put;
    size -= static_cast<std::uint64_t>(put);
  }
}

Head read_head(int file, std::uint64_t at, const fs::path& path) {
  Head head;
  read_exactly(file, &head, sizeof head, at, path);
  if (head.magic != Head{}.magic || head.check_head != head_check(head)) damaged(path, at, "no total begins here");
  return head;
}

News read_body(int file, std::uint64_t at, const Head& head, std::vector<double>& values, const fs::path& path) {
  News news{.word = head.word, .absent = std::vector<ClientId>(head.absent)};
  values.resize(head.values);
  const std::uint64_t absent_bytes = sizeof(ClientId) * head.absent;
  read_exactly(file, news.absent.data(), absent_bytes, at + sizeof head, path);
  read_exactly(file, values.data(), sizeof(double) * head.values, at + sizeof head + absent_bytes, path);
  const std::uint32_t check =
      check_of(check_of(0, news.absent.data(), absent_bytes), values.data(), sizeof(double) * head.values);
  if (check != head.check_body) damaged(path, at, "the numbers of total " + std::to_string(head.id) + " have changed");
  return news;
}

std::optional<ExchangeId> first_of(const fs::path& path) {
  const std::string name = path.filename().string();
  if (!name.starts_with(prefix)) return std::nullopt;
  ExchangeId first = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + prefix.size(), end, first);
  return error == std::errc() && stop == end ? std::optional(first) : std::nullopt;
}

}  // namespace

Journal::Journal(fs::path folder) : folder_(std::move(folder)) {
  fs::create_directories(folder_);
  std::map<ExchangeId, fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
    if (const auto first = first_of(entry.path())) found.emplace(*first, entry.path());
  for (const auto& [first, path] : found) open_segment(path, first, first == found.rbegin()->first);
  if (segments_.empty()) begin_segment();
  else append_to_ = Descriptor(segments_.rbegin()->second.path, O_WRONLY | O_APPEND).release();
}

Journal::~Journal() {
  if (append_to_ >= 0) ::close(append_to_);
}

void Journal::open_segment(const fs::path& path, ExchangeId first, bool newest) {
  if (first < next_) damaged(path, 0, "its first total is in another file already");
  next_ = first;  // those in between were forgotten
  Segment segment{.path = path, .first = first, .offsets = {}, .size = 0};
  const Descriptor file(path, O_RDWR);
  const std::uint64_t size = fs::file_size(path);
  std::vector<double> values;
  while (segment.size < size) {
    const std::uint64_t left = size - segment.size;
    const bool whole_head = left >= sizeof(Head);
    const Head head = whole_head ? read_head(file.get(), segment.size, path) : Head{};
    if (whole_head && head.id != next_) damaged(path, segment.size, "a total with another number than expected");
    if (!whole_head || !head.fits(left - sizeof(Head))) {
      if (!newest) damaged(path, segment.size, "it ends in the middle of a total");
      if (::ftruncate(file.get(), static_cast<off_t>(segment.size)) != 0) io_error(path, "cut back");
      break;
    }
    news_ = read_body(file.get(), segment.size, head, values, path);
    segment.offsets.push_back(segment.size);
    segment.size += sizeof(Head) + head.body_bytes();
    ++next_;
  }
  segments_.emplace(first, std::move(segment));
}

void Journal::begin_segment() {
  if (append_to_ >= 0) ::close(std::exchange(append_to_, -1));
  Segment segment{
      .path = folder_ / (std::string(prefix) + std::to_string(next_)), .first = next_, .offsets = {}, .size = 0};
  append_to_ = Descriptor(segment.path, O_WRONLY | O_APPEND | O_CREAT | O_TRUNC).release();
  segments_.emplace(next_, std::move(segment));
}

void Journal::append(const Total& total) {
  if (loose_from_) {
    loose_.push_back(total);
    news_ = total.news;
    ++next_;
    return;
  }
  if (segments_.rbegin()->second.size >= segment_bytes) begin_segment();
  Segment& segment = segments_.rbegin()->second;
  const std::uint64_t absent_bytes = sizeof(ClientId) * total.news.absent.size();
  Head head;
  head.id = next_;
  head.values = total.values.size();
  head.absent = total.news.absent.size();
  head.word = total.news.word;
  head.check_head = head_check(head);
  head.check_body = check_of(check_of(0, total.news.absent.data(), absent_bytes), total.values.data(),
                             sizeof(double) * total.values.size());
  write_exactly(append_to_, &head, sizeof head, segment.path);
  write_exactly(append_to_, total.news.absent.data(), absent_bytes, segment.path);
  write_exactly(append_to_, total.values.data(), sizeof(double) * total.values.size(), segment.path);
  segment.offsets.push_back(segment.size);
  segment.size += sizeof head + head.body_bytes();
  news_ = total.news;
  ++next_;
}

Total Journal::read(ExchangeId id) const {
  DRIFTLESS_ASSERT(has(id), "the journal does not hold this total");
  if (loose_from_ && id >= *loose_from_) return loose_[id - *loose_from_];
  const Segment& segment = std::prev(segments_.upper_bound(id))->second;
  const Descriptor file(segment.path, O_RDONLY);
  const std::uint64_t at = segment.offsets[id - segment.first];
  Total total;
  total.news = read_body(file.get(), at, read_head(file.get(), at, segment.path), total.values, segment.path);
  return total;
}

bool Journal::has(ExchangeId id) const {
  if (loose_from_ && id >= *loose_from_) return id < next_;
  const auto after = segments_.upper_bound(id);
  if (after == segments_.begin()) return false;
  const Segment& segment = std::prev(after)->second;
  return id - segment.first < segment.offsets.size();
}

void Journal::keep_before(ExchangeId id) {
  kept_ = id;
  if (next_ == id && segments_.rbegin()->second.size > 0) begin_segment();
}

void Journal::stop_keeping() {
  if (!loose_from_) loose_from_ = next_;
}

void Journal::forget_before(ExchangeId id) {
  for (auto segment = segments_.begin(); segment != segments_.end() && std::next(segment) != segments_.end();) {
    const bool needed = segment->first < kept_ || std::next(segment)->first > id;
    if (needed) {
      ++segment;
      continue;
    }
    fs::remove(segment->second.path);
    segment = segments_.erase(segment);
  }
}

}  // namespace driftless
