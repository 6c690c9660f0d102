// The rendezvous of a federation with a server: it collects the rows of all sites piece by piece, adds them along the
// tree, keeps every total in the journal and hands it to all. It knows which sites are connected, which are late, and
// what to do about it. What carries the pieces is not its business.
#pragma once

#include "driftless/network/hub/hub_events.hpp"
#include "driftless/network/hub/hub_state.hpp"
#include "driftless/network/hub/row_range.hpp"
#include "driftless/network/hub/site.hpp"

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
  double first_wait = 0.0;  // the same for a site that this process has not seen yet, where that is longer
  double deadline = 600.0;  // seconds that a connected site may keep the others waiting
  OnLoss on_loss = OnLoss::abort;
  std::size_t quorum = 1;                  // sites without which the run fails
  std::vector<std::string> finished = {};  // sites that had everything before this process started
  std::function<void(const HubEvent&)> on_event = {};
};

class Hub {
  using Exchange = detail::HubExchange;
  using SiteState = detail::SiteState;

 public:
  Hub(std::size_t clients, std::vector<Site> sites, Journal& journal, HubOptions options);
  ~Hub();
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  // The server's own peer, which hosts no client.
  // Until all sites are connected or a stop is requested; Error where some do not join.
  void wait_for_sites(double seconds, const StopToken& stop_token = {});
  Agreement sum(ExchangeId id, std::span<const ClientId> from, std::span<double> total);
  Agreement share(ExchangeId id, std::size_t width, std::span<double> all, const RowCheck& check = {});
  // The same without blocking: starts the next exchange, and reports whether it has finished.
  void begin_sum(ExchangeId id, std::span<const ClientId> from, std::size_t width);
  void begin_share(ExchangeId id, std::size_t width, const RowCheck& check = {});
  bool is_over();
  void broadcast(StopSignal signal);
  void keep_before(ExchangeId id);  // these exchanges are needed whenever a peer starts again
  void saved(ExchangeId next);
  // Blocks until the totals before this exchange survive a loss of power, and returns up to where they do.
  ExchangeId make_durable(ExchangeId before);
  void stop_keeping();                                  // what comes now is not part of a resumed run
  void end(ErrorKind kind, ErrorInfo reason) noexcept;  // all sites are told
  // Until the sites have all totals, the time is over or a stop is requested.
  void let_finish(double seconds, const StopToken& stop_token = {});

  const std::vector<Site>& sites() const { return sites_; }
  std::size_t clients() const { return clients_; }
  ExchangeId next_exchange() const;  // the first one without a total
  // Where a peer is that has all totals before `id`; none where the journal no longer knows.
  std::optional<Position> position_before(ExchangeId id) const;
  std::size_t most_rows_held() const;  // entries of rows that were here at the same time, at most
  HubStatus status() const;

  // What a site is sent next.
  struct Outgoing {
    enum class Kind { piece, done, again, rejection, closed };
    Kind kind = Kind::closed;
    ExchangeId exchange = 0;
    std::uint32_t attempt = 0;
    std::size_t index = 0;
    std::span<const double> values = {};
    Agreement agreement = {};
    History history = {};
    std::optional<Rejection> rejection = {};
    std::shared_ptr<const Exchange> holds = {};  // where the values are
  };

  // Throws Rejection. `history` is that of the totals the site has.
  std::unique_ptr<HubConnection> enter(std::size_t site, ExchangeId next, std::optional<History> history = {});
  void mark_finished(std::size_t site);  // a site that says so without entering

 private:
  friend class HubConnection;
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::mutex>;

  void begin(std::shared_ptr<Exchange> exchange);
  bool look_after_live();
  Agreement meet(std::span<double> result);  // waits for the exchange that has started
  std::optional<Agreement> from_journal(ExchangeId id, std::span<double> result);
  Agreement still_valid(ExchangeId id, Agreement agreement) const;
  bool wanted(const Exchange& exchange, std::size_t site) const;
  bool delays(const Exchange& exchange, std::size_t site) const;
  void require_admissible(std::size_t site, ExchangeId next, std::optional<History> history) const;
  void accept(std::size_t site, Exchange& exchange, std::size_t index, std::vector<double> values);
  void add_rows(std::size_t site, Exchange& exchange, std::size_t index, std::span<const double> values);
  void check_rows(std::size_t site, const Exchange& exchange) const;
  void merge_ready(Exchange& exchange);
  void finish_if_complete(Exchange& exchange);
  void judge_outside(Exchange& exchange);
  ErrorInfo divergence(const Exchange& exchange) const;
  void check_losses();
  void lose(std::size_t site, ErrorKind kind, const std::string& why);
  void lose_misbehaved(std::size_t site);
  void start_again();
  void require_quorum();
  void throw_if_ended() const;
  void forget();
  void tell(HubEvent::Kind kind, std::size_t site, const std::string& text) const;
  std::string missing_sites(const Exchange& exchange) const;

  const std::size_t clients_;
  const std::vector<Site> sites_;
  const HubOptions options_;
  Journal& journal_;
  const ExchangeId first_live_;  // of this process

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<SiteState> states_;  // by site
  std::shared_ptr<Exchange> live_;
  StopSignal signal_ = StopSignal::none;
  std::vector<ClientId> absent_;
  ExchangeId own_saved_ = 0;
  std::optional<Rejection> ended_;
  std::size_t rows_held_ = 0;
  std::size_t most_rows_held_ = 0;
  TreeAdder adder_;
};

// One connection of a site, from joining to leaving; used by one thread that reads and one that writes.
class HubConnection {
 public:
  ~HubConnection();
  HubConnection(const HubConnection&) = delete;
  HubConnection& operator=(const HubConnection&) = delete;

  ExchangeId live() const { return live_; }  // rows are wanted from this exchange on
  Hub::Outgoing next();                      // waits
  void rows(ExchangeId id, std::uint32_t attempt, std::size_t index, std::vector<double> values);  // waits for room
  void saved(ExchangeId next);
  void finished();                 // the site has everything
  void failed(ErrorInfo reason);  // the site ends by itself
  void close();                    // `next` gives `closed`
  void reject(ErrorInfo info);     // the site misbehaves: it is told why and has no second chance

 private:
  friend class Hub;
  using Exchange = detail::HubExchange;
  using SiteState = detail::SiteState;
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::mutex>;
  HubConnection(Hub& hub, std::size_t site, ExchangeId next);

  Hub::Outgoing rejection(Rejection rejection);
  void take_up();
  std::optional<Hub::Outgoing> of_current();
  void require_due(const Exchange& exchange, std::size_t index, std::span<const double> values) const;
  bool note_outside(Exchange& exchange, std::size_t index, std::span<const double> values, const RowRange& range);

  Hub& hub_;
  std::size_t site_;
  ExchangeId live_;
  ExchangeId cursor_;  // the exchange the site is at
  std::shared_ptr<const Exchange> current_;
  std::size_t sent_ = 0;
  std::uint32_t attempt_ = 0;
  bool closed_ = false;
  bool rejection_sent_ = false;
};

}  // namespace driftless
