// The rendezvous of a federation with a server: it collects the rows of all sites piece by piece, adds them along the
// tree, keeps every total in the journal and hands it to all. It knows who is here, who is late, and what to do about
// it. What carries the pieces is not its business.
#pragma once

#include "driftless/core/error.hpp"
#include "driftless/transports/journal.hpp"
#include "driftless/transports/pieces.hpp"
#include "driftless/transports/seat.hpp"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace driftless {

struct HubOptions {
  double grace = 60.0;      // seconds that a site may be away
  double deadline = 600.0;  // seconds that a site which is here may keep the others waiting
  OnLoss on_loss = OnLoss::abort;
  std::size_t quorum = 1;                                 // sites without which the run fails
  std::function<void(const std::string&)> on_event = {};  // told who comes, goes and is late
};

// What a site tells about its data before a run.
struct SiteFacts {
  std::string site;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> labels;  // distinct ones, a few
};

// Why a site may not take part; `later` where asking again in a while may help.
struct Refused {
  ExitCode code = ExitCode::connection;
  Trouble trouble;
  bool later = false;
};

class Hub {
  struct Exchange;
  struct Place;

 public:
  Hub(std::size_t clients, std::vector<Seat> seats, Journal& journal, HubOptions options);
  ~Hub();
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  // The server's own peer, which hosts nobody.
  // Until all are here, or somebody does not want to wait; Error where some do not come.
  void wait_for_sites(double seconds, const std::function<bool()>& tired = {});
  News sum(ExchangeId id, std::span<const ClientId> from, std::span<double> total);
  News share(ExchangeId id, std::size_t width, std::span<double> all);
  // The same in steps, for who does not want to wait there: the next exchange begins, and is it over?
  void begin_sum(ExchangeId id, std::span<const ClientId> from, std::size_t width);
  void begin_share(ExchangeId id, std::size_t width);
  bool is_over();
  void say(std::uint32_t word);
  void keep_before(ExchangeId id);  // these exchanges are needed whenever somebody starts again
  void saved(ExchangeId next);
  void stop_keeping();                               // what comes now is not part of a run that goes on later
  void end(ExitCode code, Trouble reason) noexcept;  // everybody is told
  void let_finish(double seconds);                   // until the sites have what they came for, or time is over

  const std::vector<Seat>& seats() const { return seats_; }
  std::size_t clients() const { return clients_; }
  std::vector<ClientId> absent_before(ExchangeId id) const;  // who was given up when that exchange began
  std::size_t most_rows_held() const;                        // entries of rows that were here at the same time, at most

  // What a site is sent next.
  struct Outgoing {
    enum class Kind { piece, done, again, refusal, closed };
    Kind kind = Kind::closed;
    ExchangeId exchange = 0;
    std::uint32_t attempt = 0;
    std::size_t index = 0;
    std::span<const double> values = {};
    News news = {};
    Refused refused = {};
    std::shared_ptr<const Exchange> holds = {};  // where the values are
  };

  // One connection of a site, from joining to leaving; used by one thread that reads and one that writes.
  class Line {
   public:
    ~Line();
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;

    ExchangeId live() const { return live_; }                        // rows are wanted from this exchange on
    const std::vector<ClientId>& absent() const { return absent_; }  // given up before the exchange the site is at
    Outgoing next();                                                 // waits
    void rows(ExchangeId id, std::uint32_t attempt, std::size_t index, std::vector<double> values);  // waits for room
    void saved(ExchangeId next);
    void finished();               // the site has everything
    void close();                  // `next` gives `closed`
    void refuse(Trouble trouble);  // the site misbehaves: it is told why and has no second chance

   private:
    friend class Hub;
    Line(Hub& hub, std::size_t seat, ExchangeId next);

    Outgoing refusal(Refused refused);
    void take_up();
    std::optional<Outgoing> of_current();
    void require_due(const Exchange& exchange, std::size_t index, std::span<const double> values) const;

    Hub& hub_;
    std::size_t seat_;
    ExchangeId live_;
    std::vector<ClientId> absent_;
    ExchangeId cursor_;  // the exchange the site is at
    std::shared_ptr<const Exchange> current_;
    std::size_t sent_ = 0;
    std::uint32_t attempt_ = 0;
    bool closed_ = false;
    bool refusal_sent_ = false;
  };

  // Throws Refused.
  std::unique_ptr<Line> enter(std::size_t seat, ExchangeId next);

 private:
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::mutex>;

  void begin(std::shared_ptr<Exchange> exchange);
  bool look_after_live();
  News meet(std::span<double> result);  // waits for the exchange that has begun
  std::optional<News> from_journal(ExchangeId id, std::span<double> result);
  bool wanted(const Exchange& exchange, std::size_t seat) const;
  void accept(std::size_t seat, Exchange& exchange, std::size_t index, std::vector<double> values);
  void merge_ready(Exchange& exchange);
  void finish_if_complete(Exchange& exchange);
  void check_losses();
  void lose(std::size_t seat, ExitCode code, const std::string& why);
  void require_quorum();
  void throw_if_ended() const;
  std::vector<ClientId> absent_at(ExchangeId id) const;
  void forget();
  void tell(const std::string& event) const;
  std::string who_is_missing(const Exchange& exchange) const;

  const std::size_t clients_;
  const std::vector<Seat> seats_;
  const HubOptions options_;
  Journal& journal_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Place> places_;  // by seat
  std::shared_ptr<Exchange> live_;
  std::uint32_t word_ = 0;
  std::vector<ClientId> absent_;
  ExchangeId own_saved_ = 0;
  std::optional<Refused> ended_;
  std::size_t rows_held_ = 0;
  std::size_t most_rows_held_ = 0;
  TreeAdder adder_;
};

}  // namespace driftless
