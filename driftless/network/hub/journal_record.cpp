#include "driftless/network/hub/journal_record.hpp"

#include "driftless/core/error.hpp"
#include "driftless/files/digest.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utility>
#include <zlib.h>

namespace driftless::detail {
namespace {

namespace fs = std::filesystem;

static_assert(sizeof(FileHead) == 8 + 64 + 8 + 16 + 8 + 8 && sizeof(RecordHead) == 64, "headers have no padding");

std::uint32_t check_of(std::uint32_t so_far, const void* data, std::size_t size) {
  if (size == 0) return so_far;  // without data zlib would start from zero
  return static_cast<std::uint32_t>(crc32_z(so_far, static_cast<const Bytef*>(data), size));
}

std::uint32_t head_check(const RecordHead& head) { return check_of(0, &head, offsetof(RecordHead, check_head)); }

std::uint32_t head_check(const FileHead& head, std::span<const ClientId> absent) {
  return check_of(check_of(0, &head, offsetof(FileHead, check)), absent.data(), absent.size_bytes());
}

void read_exactly(int file, void* to, std::uint64_t size, std::uint64_t at, const fs::path& path) {
  auto* bytes = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t got = ::pread(file, bytes, size, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) journal_io_error(path, "read");
    if (got == 0) journal_damaged(path, at, "it ends in the middle of a total");
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
    if (put < 0) journal_io_error(path, "written");
    bytes += put;
    size -= static_cast<std::uint64_t>(put);
  }
}

RecordHead head_of(const History& before, ExchangeId id, std::span<const double> values, const Agreement& agreement) {
  RecordHead head;
  head.id = id;
  head.values = values.size();
  head.absent = agreement.absent.size();
  head.signal = static_cast<std::uint32_t>(agreement.signal);
  head.check_body = check_of(check_of(0, agreement.absent.data(), sizeof(ClientId) * agreement.absent.size()),
                             values.data(), values.size_bytes());
  head.history = history_after(before, head);
  head.check_head = head_check(head);
  return head;
}

bool rising_below(std::span<const ClientId> ids, ClientId least_unknown) {
  return std::ranges::adjacent_find(ids, std::greater_equal<>()) == ids.end() &&
         (ids.empty() || ids.back() < least_unknown);
}

constexpr ClientId most_clients = ClientId{1} << 48;

}  // namespace

Descriptor::Descriptor(const fs::path& path, int flags) : number_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {
  if (number_ < 0) journal_io_error(path, "opened");
}
Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}
int Descriptor::release() { return std::exchange(number_, -1); }

void journal_damaged(const fs::path& path, std::uint64_t at, const std::string& how) {
  throw DataError({.what = "the journal of the run is damaged",
                   .seen = path.string() + ", byte " + std::to_string(at) + ": " + how,
                   .advice = "restore the file from a copy, or start a new run in another folder"});
}

void journal_io_error(const fs::path& path, const char* what) {
  throw DataError({.what = std::string("the journal cannot be ") + what,
                   .seen = path.string() + ": " + std::strerror(errno),
                   .advice = "make sure that the disk has room and the folder may be written to"});
}

bool RecordHead::fits(std::uint64_t bytes) const {
  const std::uint64_t most = bytes / sizeof(double);
  return absent <= most && values <= most - absent;
}

std::array<char, 64> owner_mark(const JournalOwner& owner) {
  const std::string digest = sha256(owner.run + "\n" + owner.configuration_digest);
  std::array<char, 64> mark{};
  std::copy_n(digest.begin(), mark.size(), mark.begin());
  return mark;
}

void write_file_head(int file, const fs::path& path, const JournalOwner& owner, const Position& start) {
  FileHead head;
  head.owner = owner_mark(owner);
  head.first = start.next;
  head.history = start.history;
  head.absent = start.absent.size();
  head.check = head_check(head, start.absent);
  std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
  bytes.append(reinterpret_cast<const char*>(start.absent.data()), sizeof(ClientId) * start.absent.size());
  write_exactly(file, bytes.data(), bytes.size(), path);
}

std::optional<FileStart> read_file_head(int file, std::uint64_t size, const fs::path& path, const JournalOwner& owner) {
  if (size < sizeof(FileHead)) return std::nullopt;
  FileHead head;
  read_exactly(file, &head, sizeof head, 0, path);
  if (head.magic != FileHead{}.magic) journal_damaged(path, 0, "this is not a journal of this version of the program");
  const std::uint64_t rest = size - sizeof head;
  FileStart start{.position = {.next = head.first, .history = head.history, .absent = {}}, .bytes = sizeof head};
  if (head.absent <= rest / sizeof(ClientId)) {
    start.position.absent.resize(head.absent);
    read_exactly(file, start.position.absent.data(), sizeof(ClientId) * head.absent, sizeof head, path);
    start.bytes += sizeof(ClientId) * head.absent;
  }
  if (head.absent != start.position.absent.size() || head.check != head_check(head, start.position.absent) ||
      !rising_below(start.position.absent, most_clients))
    journal_damaged(path, 0, "the header of the file has changed");
  if (head.owner != owner_mark(owner))
    throw DataError({.what = "the journal belongs to another run",
                     .seen = path.string(),
                     .advice = "restore the journal that this run wrote, or start a new run in another folder"});
  return start;
}

History write_record(int file, const fs::path& path, ExchangeId id, const History& before,
                     std::span<const double> values, const Agreement& agreement) {
  const RecordHead head = head_of(before, id, values, agreement);
  write_exactly(file, &head, sizeof head, path);
  write_exactly(file, agreement.absent.data(), sizeof(ClientId) * agreement.absent.size(), path);
  write_exactly(file, values.data(), values.size_bytes(), path);
  return head.history;
}

RecordHead read_record_head(int file, std::uint64_t at, const fs::path& path) {
  RecordHead head;
  read_exactly(file, &head, sizeof head, at, path);
  if (head.magic != RecordHead{}.magic || head.check_head != head_check(head))
    journal_damaged(path, at, "no total starts here");
  return head;
}

Agreement read_record_body(int file, std::uint64_t at, const RecordHead& head, std::vector<double>& values,
                           const fs::path& path) {
  Agreement agreement{.signal = static_cast<StopSignal>(head.signal), .absent = std::vector<ClientId>(head.absent)};
  values.resize(head.values);
  const std::uint64_t absent_bytes = sizeof(ClientId) * head.absent;
  read_exactly(file, agreement.absent.data(), absent_bytes, at + sizeof head, path);
  read_exactly(file, values.data(), sizeof(double) * head.values, at + sizeof head + absent_bytes, path);
  const std::uint32_t check =
      check_of(check_of(0, agreement.absent.data(), absent_bytes), values.data(), sizeof(double) * head.values);
  if (check != head.check_body)
    journal_damaged(path, at, "the numbers of total " + std::to_string(head.id) + " have changed");
  if (head.signal > static_cast<std::uint32_t>(last_stop_signal) || !rising_below(agreement.absent, most_clients))
    journal_damaged(path, at, "the agreement with total " + std::to_string(head.id) + " is invalid");
  return agreement;
}

bool only_zeros(int file, std::uint64_t from, std::uint64_t to, const fs::path& path) {
  std::array<char, 4096> block{};
  while (from < to) {
    const std::size_t size = std::min<std::uint64_t>(block.size(), to - from);
    read_exactly(file, block.data(), size, from, path);
    if (std::any_of(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(size), [](char c) { return c != 0; }))
      return false;
    from += size;
  }
  return true;
}

History history_after(const History& before, const RecordHead& head) {
  Sha256 digest;
  for (const std::uint64_t word : {before.high, before.low, head.id, head.values, head.absent,
                                   std::uint64_t{head.signal}, std::uint64_t{head.check_body}})
    digest.add_word(word);
  const std::string hex = digest.hex();
  History after;
  std::from_chars(hex.data(), hex.data() + 16, after.high, 16);
  std::from_chars(hex.data() + 16, hex.data() + 32, after.low, 16);
  return after;
}

History history_of(const History& before, ExchangeId id, std::span<const double> values, const Agreement& agreement) {
  return head_of(before, id, values, agreement).history;
}

}  // namespace driftless::detail
