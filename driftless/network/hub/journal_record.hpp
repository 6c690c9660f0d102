// The format of a journal: a header for each file, with its owner and what precedes it, and a header for each total.
// Numbers are stored as in memory, because a journal never leaves its machine.
#pragma once

#include "driftless/federation/transport.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace driftless {

// The run that a journal belongs to.
struct JournalOwner {
  std::string run;                   // identifies the run over restarts
  std::string configuration_digest;  // of the configuration that all sites have
};

namespace detail {

// An open file that closes itself. DataError where it cannot be opened.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags);
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }
  int release();

 private:
  int number_;
};

[[noreturn]] void journal_damaged(const std::filesystem::path& path, std::uint64_t at, const std::string& how);
[[noreturn]] void journal_io_error(const std::filesystem::path& path, const char* what);

// The header of a file.
struct FileHead {
  std::array<char, 8> magic{'d', 'r', 'i', 'f', 't', 'j', '0', '2'};
  std::array<char, 64> owner{};  // SHA-256 of run and configuration digest, hexadecimal
  ExchangeId first = 0;
  History history = {};      // of the totals before this file
  std::uint64_t absent = 0;  // clients that were dropped before; their ids follow the header
  std::uint64_t check = 0;   // CRC-32 of the fields above and of those ids
};

// The header of a total. The ids of absent clients follow it, then the values.
struct RecordHead {
  std::array<char, 8> magic{'d', 'r', 'i', 'f', 't', 't', '0', '2'};
  ExchangeId id = 0;
  std::uint64_t values = 0;
  std::uint64_t absent = 0;
  std::uint32_t signal = 0;
  std::uint32_t check_body = 0;  // CRC-32 of absent clients and values
  History history = {};          // up to and including this total
  std::uint64_t check_head = 0;  // CRC-32 of the fields above

  std::uint64_t body_bytes() const { return sizeof(std::uint64_t) * absent + sizeof(double) * values; }
  // Without body_bytes, which would overflow for damaged counts.
  bool fits(std::uint64_t bytes) const;
};

std::array<char, 64> owner_mark(const JournalOwner& owner);

void write_file_head(int file, const std::filesystem::path& path, const JournalOwner& owner, const Position& start);
// The position at which the file starts, and the size of its header; none where the file ends within the header.
// DataError where the file is damaged or belongs to another run.
struct FileStart {
  Position position;
  std::uint64_t bytes = 0;
};
std::optional<FileStart> read_file_head(int file, std::uint64_t size, const std::filesystem::path& path,
                                        const JournalOwner& owner);

// Appends a total as one write, and returns its history.
History write_record(int file, const std::filesystem::path& path, ExchangeId id, const History& before,
                     std::span<const double> values, const Agreement& agreement);
RecordHead read_record_head(int file, std::uint64_t at, const std::filesystem::path& path);
Agreement read_record_body(int file, std::uint64_t at, const RecordHead& head, std::vector<double>& values,
                           const std::filesystem::path& path);
// Whether the bytes from `from` to `to` are all zero.
bool only_zeros(int file, std::uint64_t from, std::uint64_t to, const std::filesystem::path& path);
History history_after(const History& before, const RecordHead& head);
// The history after a total that is kept in memory only.
History history_of(const History& before, ExchangeId id, std::span<const double> values, const Agreement& agreement);

}  // namespace detail
}  // namespace driftless
