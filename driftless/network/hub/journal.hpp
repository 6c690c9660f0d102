// The totals of past collectives on the server's disk. A peer that returns after a fault is brought up to date from
// here, to the same bits. A total is written before any peer may rely on it.
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
  History history = {};  // up to and with this total
};

struct JournalOptions {
  JournalOwner owner = {};                             // the run; another one's files are rejected
  std::uint64_t file_bytes = std::uint64_t{64} << 20;  // a file that has grown to this is closed
};

class Journal {
 public:
  // Opens what an earlier process left in the folder, or starts with nothing. A last record that was cut off in the
  // middle was never relied on and is dropped. DataError for any other damage, and for files of another run.
  Journal(std::filesystem::path folder, JournalOptions options);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  ExchangeId next() const { return next_; }  // one past the newest
  bool has(ExchangeId id) const;
  const Agreement& last_agreement() const { return last_; }
  // Where a peer is that has all totals before `id`; none where the journal no longer knows.
  std::optional<Position> position_before(ExchangeId id) const;
  const History& history() const { return history_; }  // of all totals
  Position end() const { return {.next = next_, .history = history_, .absent = last_.absent}; }

  void append(std::span<const double> values, const Agreement& agreement);  // as number next()
  Total read(ExchangeId id) const;                                          // one that it has
  // A peer that starts again needs those before this one, always: with them peers agreed on the problem.
  void keep_before(ExchangeId id);
  void stop_keeping();                // totals from here on last as long as this process
  void forget_before(ExchangeId id);  // the others before this one are no longer needed; whole files are removed

  // Bringing totals to the disk may take long. So that a caller with a lock need not hold it meanwhile, `begin_sync`
  // tells what to wait for, `wait` does, and `end_sync` records it.
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
  // Files of many totals each, named after the first one.
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
  ExchangeId keeping_end() const { return loose_from_.value_or(next_); }  // totals before this one are in files
  const Segment* segment_of(ExchangeId id) const;

  std::filesystem::path folder_;
  JournalOptions options_;
  std::map<ExchangeId, Segment> segments_;  // by first
  ExchangeId kept_ = 0;
  ExchangeId next_ = 0;
  ExchangeId durable_ = 0;
  std::optional<ExchangeId> loose_from_;
  std::vector<Total> loose_;  // from there on
  Agreement last_;
  History history_;
  int append_to_ = -1;  // descriptor of the newest segment
};

}  // namespace driftless
