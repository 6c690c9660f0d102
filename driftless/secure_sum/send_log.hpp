// What a site has sent under masks, and what it has told of its masks. Two different rows under one mask would show
// their difference, and a row that can be unmasked in two sums would show the difference of the sums; so a site keeps
// this list over restarts, and sends nothing that does not agree with it.
#pragma once

#include "driftless/federation/checkpointing.hpp"
#include "driftless/secure_sum/secret.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <set>

namespace driftless {

// A sum, as a site distinguishes them. The numbers of the exchanges that only end an interrupted process are used again
// by the run that continues, for other sums.
struct SumName {
  ExchangeId exchange = 0;
  bool ends_process = false;

  auto operator<=>(const SumName&) const = default;
};

class SendLog {
 public:
  explicit SendLog(std::filesystem::path file);  // empty: nothing is kept

  // Records that this row is sent in this attempt. DataError where another row of this exchange was sent before;
  // TransportError where the attempt was replaced, or another one can be unmasked already.
  void on_send(const SumName& sum, std::uint32_t attempt, const Secret& digest);
  // Records that this attempt can be unmasked. TransportError where its row was not sent, or another attempt can.
  void on_reveal(const SumName& sum, std::uint32_t attempt);
  // Records that a share of this site's secret was given to the server: it takes no part from now on.
  void on_loss(std::size_t site);
  bool is_lost(std::size_t site) const { return lost_.contains(site); }

  void forget_before(ExchangeId exchange);  // this site has a checkpoint there

 private:
  struct Entry {
    Secret digest{};
    std::uint32_t attempt = 0;
    bool revealed = false;
  };
  void append(const std::string& line);
  void read(const std::string& text);
  std::string text() const;

  std::filesystem::path file_;
  std::map<SumName, Entry> entries_;
  std::set<std::size_t> lost_;
};

}  // namespace driftless
