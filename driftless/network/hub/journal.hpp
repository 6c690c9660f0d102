// The totals of completed collectives on the server's disk. A peer that returns after a fault receives from here the
// totals that it missed, with the same bits. A total is written before any peer may rely on it.
#pragma once

#include "driftless/federation/transport.hpp"
#include "driftless/network/hub/journal_record.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <vector>

namespace driftless {

struct Total {
  std::vector<double> values;
  Agreement agreement;
  History history = {};  // up to and including this total
};

struct JournalOptions {
  JournalOwner owner = {};                             // the run; files of another one are rejected
  std::uint64_t file_bytes = std::uint64_t{64} << 20;  // size at which a file is closed and the next one started
};

class Journal {
 public:
  // Opens the files that an earlier process left in the folder, or starts an empty journal. No peer relied on a last
  // record that is incomplete, so it is removed. DataError for any other damage, and for files of another run.
  Journal(std::filesystem::path folder, JournalOptions options);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  ExchangeId next() const { return next_; }  // one past the newest
  bool has(ExchangeId id) const;
  const Agreement& last_agreement() const { return last_; }
  // The position of a peer that has all totals before `id`; none where the journal no longer holds it.
  std::optional<Position> position_before(ExchangeId id) const;
  const History& history() const { return history_; }  // of all totals
  Position end() const { return {.next = next_, .history = history_, .absent = last_.absent}; }

  void append(std::span<const double> values, const Agreement& agreement);  // as number next()
  Total read(ExchangeId id) const;                                          // one that the journal holds
  StopSignal signal_of(ExchangeId id) const;                                // likewise; without its values
  // The totals before this one are kept to the end: with them the peers agreed on the problem, and a peer that restarts
  // always needs them.
  void keep_before(ExchangeId id);
  void stop_keeping();                // later totals are kept in memory only
  void remove_before(ExchangeId id);  // the other totals before this one are not needed; removes whole files

  // Writing totals to the disk may take long, and a caller need not hold its lock meanwhile: `begin_sync` returns what
  // to wait for, `wait` waits, and `end_sync` records the result.
  class Sync {
   public:
    void wait() const;  // DataError where the disk fails
    ~Sync();
    Sync(Sync&& other) noexcept;
    Sync& operator=(Sync&&) = delete;

   private:
    friend class Journal;
    Sync(int file, std::filesystem::path path, ExchangeId before);
    int file_;
    std::filesystem::path path_;
    ExchangeId before_;
  };
  Sync begin_sync() const;
  void end_sync(const Sync& sync);
  ExchangeId durable() const { return durable_; }  // totals before this one survive a loss of power

 private:
  // A file of many totals, named after the first one.
  struct Segment {
    std::filesystem::path path;
    Position start;  // before its first total
    std::vector<std::uint64_t> offsets;
    std::vector<History> histories;  // after each total
    std::uint64_t size = 0;
  };

  void open_segment(const std::filesystem::path& path, ExchangeId first, bool newest);
  void read_records(Segment& segment, int file, bool newest);
  static void cut_back(const Segment& segment, int file);
  void begin_segment();
  ExchangeId end_of_files() const { return memory_from_.value_or(next_); }  // totals before this one are in files
  const Segment* segment_of(ExchangeId id) const;

  std::filesystem::path folder_;
  JournalOptions options_;
  std::map<ExchangeId, Segment> segments_;  // by first
  ExchangeId kept_ = 0;
  ExchangeId next_ = 0;
  ExchangeId durable_ = 0;
  std::optional<ExchangeId> memory_from_;
  std::vector<Total> in_memory_;  // from there on
  Agreement last_;
  History history_;
  int append_to_ = -1;  // descriptor of the newest segment
};

}  // namespace driftless
