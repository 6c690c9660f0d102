// The totals of past collectives on the server's disk. Whoever comes back after a fault is brought up to date from
// here, to the same bits. A total is written before anybody may rely on it.
#pragma once

#include "driftless/federation/transport.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

namespace driftless {

struct Total {
  std::vector<double> values;
  News news;
};

class Journal {
 public:
  // Opens what an earlier process left in the folder, or begins anew. A last record that was cut off in the middle was
  // never relied on and is forgotten. DataError for any other damage.
  explicit Journal(std::filesystem::path folder);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  ExchangeId next() const { return next_; }  // one past the newest
  bool has(ExchangeId id) const;
  const News& last_news() const { return news_; }

  void append(const Total& total);  // as number next()
  Total read(ExchangeId id) const;  // one that it has
  // Whoever starts again needs those before this one, always: with them peers agreed on the problem.
  void keep_before(ExchangeId id);
  void stop_keeping();                // totals from here on last as long as this process
  void forget_before(ExchangeId id);  // of the others these are needed no more; whole files are removed

 private:
  // Files of many totals each, named after the first one.
  struct Segment {
    std::filesystem::path path;
    ExchangeId first = 0;
    std::vector<std::uint64_t> offsets;
    std::uint64_t size = 0;
  };

  void open_segment(const std::filesystem::path& path, ExchangeId first, bool newest);
  void begin_segment();

  std::filesystem::path folder_;
  std::map<ExchangeId, Segment> segments_;  // by first
  ExchangeId kept_ = 0;
  ExchangeId next_ = 0;
  std::optional<ExchangeId> loose_from_;
  std::vector<Total> loose_;  // from there on
  News news_;
  int append_to_ = -1;  // descriptor of the newest segment
};

}  // namespace driftless
