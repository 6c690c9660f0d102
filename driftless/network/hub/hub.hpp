// The centre of a federation with a server: it receives the rows of all sites chunk by chunk, adds them along the tree,
// writes every total into the journal and hands it to all sites. It knows which sites are connected and which are late,
// and drops the lost ones or ends the run. It does not depend on what carries the messages.
#pragma once

#include "driftless/network/hub/hub_events.hpp"
#include "driftless/network/hub/hub_state.hpp"
#include "driftless/network/hub/key_board.hpp"
#include "driftless/network/hub/row_range.hpp"
#include "driftless/network/hub/site_slot.hpp"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace driftless {

struct HubOptions {
  double grace = 60.0;      // seconds that a site may be disconnected
  double first_wait = 0.0;  // the same for a site that has not joined this process yet, where that is longer
  double deadline = 600.0;  // seconds that a connected site may keep the others waiting
  OnLoss on_loss = OnLoss::abort;
  std::size_t quorum = 1;                  // with fewer sites the run fails
  StopToken stop_token = {};               // of the server, polled while it waits for sites
  double stop_patience = 0.5;              // seconds that a stop waits for the exchange under way, and so for a round
  std::vector<std::string> finished = {};  // sites that had all totals before this process started
  std::vector<std::string> dropped = {};   // sites that an earlier process dropped; only needed with masks
  const KeyBoard* keys = nullptr;          // of sites that mask their rows
  // The sites that are needed to unmask the row of a lost one; 0: rows are not masked, or no site may be lost.
  std::size_t unmask_threshold = 0;
  std::function<void(const HubEvent&)> on_event = {};
};

class Hub {
  using Exchange = detail::HubExchange;
  using Site = detail::SiteState;

 public:
  Hub(std::size_t clients, std::vector<SiteSlot> slots, Journal& journal, HubOptions options);
  ~Hub();
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  // For the server's own peer, which hosts no client.
  // Blocks until all sites are connected or a stop is requested. Error where some do not join, or join and leave for
  // longer than the grace period while only such sites are missing.
  void wait_for_sites(double seconds, const StopToken& stop_token = {});
  Agreement sum(ExchangeId id, std::span<const ClientId> from, std::span<double> total);
  Agreement add_integers(ExchangeId id, std::span<double> total);
  Agreement share(ExchangeId id, std::size_t width, std::span<double> all, const RowCheck& check = {});
  // Non-blocking: starts the next exchange and reports whether it has finished.
  void begin_sum(ExchangeId id, std::span<const ClientId> from, std::size_t width);
  void begin_integers(ExchangeId id, std::size_t width);
  void begin_share(ExchangeId id, std::size_t width, const RowCheck& check = {});
  bool is_complete();
  void broadcast(StopSignal signal);
  // The exchanges that the server begins between these two calls belong to a round that may be abandoned.
  void open_round(RoundLimits limits);
  void close_round();
  void abandon_round(StopSignal reason);    // by the server's own peer
  bool site_abandons(ExchangeId id) const;  // a site has no rows for this exchange, which is not complete
  bool is_abandoned(ExchangeId id) const;   // the journal holds the end of a round in place of a total
  void throw_if_over();                     // in long work of the server's own peer
  void keep_before(ExchangeId id);          // every peer that restarts needs the totals before this exchange
  void on_checkpoint(ExchangeId next);      // of the server's own peer
  // Blocks until the totals before this exchange survive a loss of power. Returns the first exchange that may not.
  ExchangeId make_durable(ExchangeId before);
  void stop_keeping();                                  // later totals are no part of a resumed run
  void end(ErrorKind kind, ErrorInfo reason) noexcept;  // sends the reason to all sites
  // Blocks until all sites have finished, the time is over or a stop is requested.
  void wait_for_finish(double seconds, const StopToken& stop_token = {});

  const std::vector<SiteSlot>& slots() const { return slots_; }
  std::size_t clients() const { return clients_; }
  ExchangeId next_exchange() const;  // the first one without a total
  // The position of a peer that has all totals before `id`; none where the journal no longer holds it.
  std::optional<Position> position_before(ExchangeId id) const;
  std::optional<Rejection> ended() const;  // why the run has ended for all sites
  std::size_t most_rows_held() const;      // the largest number of entries of rows in memory at the same time
  HubStatus status() const;

  // The next message to a site.
  struct Outgoing {
    enum class Kind { chunk, done, repeat, unmask, rejection, closed };
    Kind kind = Kind::closed;
    ExchangeId exchange = 0;
    std::uint32_t attempt = 0;
    std::size_t index = 0;
    std::span<const double> values = {};
    Agreement agreement = {};
    History history = {};
    std::vector<std::size_t> lost = {};  // whose rows are to be unmasked by their shares
    std::optional<Rejection> rejection = {};
    std::shared_ptr<const Exchange> owner = {};  // of the values
  };

  // A site joins with the totals before `next`, whose history it gives. Throws Rejection.
  std::unique_ptr<HubConnection> join(std::size_t slot, ExchangeId next, std::optional<History> history = {});
  void on_decline(std::size_t slot, const std::string& reason);  // the site does not take part in what is offered
  void mark_finished(std::size_t slot);                          // for a site that reports it without joining

 private:
  friend class HubConnection;
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::mutex>;

  void begin(std::shared_ptr<Exchange> exchange);
  void check_stop();
  void check_round();
  bool limits_work() const { return round_ && round_->limits_work; }
  void abandon(StopSignal reason);                     // the exchange under way
  bool check_live();                                   // whether the exchange under way is complete
  Agreement wait_for_total(std::span<double> result);  // of the exchange under way
  std::optional<Agreement> from_journal(ExchangeId id, std::span<double> result);
  Agreement without_old_interruption(ExchangeId id, Agreement agreement) const;
  bool owes_rows(const Exchange& exchange, std::size_t slot) const;
  bool is_awaited(const Exchange& exchange, std::size_t slot) const;
  bool unmasks(const Exchange& exchange) const;
  std::uint32_t first_attempt() const;
  bool unmask(Exchange& exchange);  // whether the total is there
  void remove_masks(Exchange& exchange) const;
  void lose_while_unmasking(std::size_t slot);
  bool delays_others(const Exchange& exchange, std::size_t slot) const;
  void require_admissible(std::size_t slot, ExchangeId next, std::optional<History> history) const;
  void accept(std::size_t slot, Exchange& exchange, std::size_t index, std::vector<double> values);
  void store_shared_rows(std::size_t slot, Exchange& exchange, std::size_t index, std::span<const double> values);
  void check_shared_rows(std::size_t slot, const Exchange& exchange) const;
  void merge_ready(Exchange& exchange);
  void finish_if_complete(Exchange& exchange);
  void judge_out_of_range(Exchange& exchange);
  ErrorInfo divergence(const Exchange& exchange) const;
  std::vector<std::size_t> missing_sites() const;
  bool are_away_for_good(std::span<const std::size_t> missing) const;
  void check_losses();
  void lose(std::size_t slot, ErrorKind kind, const std::string& why);
  void lose_misbehaved(std::size_t slot);
  void repeat_exchange();
  void require_quorum();
  void end_locked(ErrorKind kind, ErrorInfo reason);
  void throw_if_ended() const;
  void remove_unneeded_totals();
  void report(HubEvent::Kind kind, std::size_t slot, const std::string& text) const;
  std::string awaited_sites(const Exchange& exchange) const;

  const std::size_t clients_;
  const std::vector<SiteSlot> slots_;
  const HubOptions options_;
  Journal& journal_;
  const ExchangeId first_live_;  // exchanges before it were completed by an earlier process

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Site> sites_;  // by slot
  std::shared_ptr<Exchange> live_;
  StopSignal signal_ = StopSignal::none;
  std::optional<Clock::time_point> stop_seen_;  // when the stop token first asked for an end
  bool stop_agreed_ = false;                    // the sites have been told with a total
  std::optional<RoundLimits> round_;            // the one that is open
  StopSignal own_abandonment_ = StopSignal::none;
  struct Abandonment {
    std::size_t slot = 0;
    ExchangeId exchange = 0;
  };
  std::optional<Abandonment> site_abandonment_;  // the last one
  std::vector<ClientId> absent_;
  ExchangeId own_checkpoint_ = 0;
  bool ends_process_ = false;  // the exchanges from now on only end this process
  std::optional<Rejection> ended_;
  std::size_t rows_held_ = 0;
  std::size_t most_rows_held_ = 0;
  TreeAdder adder_;
};

// One connection of a site, from joining to leaving. One thread reads from the site and one writes to it.
class HubConnection {
 public:
  ~HubConnection();
  HubConnection(const HubConnection&) = delete;
  HubConnection& operator=(const HubConnection&) = delete;

  ExchangeId live() const { return live_; }  // the first exchange for which the site sends rows
  Hub::Outgoing next();                      // blocks
  // A chunk of rows from the site. Blocks while the site is too far ahead of the slowest one.
  void receive(ExchangeId id, std::uint32_t attempt, std::size_t index, std::vector<double> values);
  // What unmasks the row of this site, and shares of the secrets of lost ones, by slot.
  void on_reveal(ExchangeId id, std::uint32_t attempt, const Secret& seed,
                 std::span<const std::pair<std::size_t, Secret>> shares);
  void on_abandon(ExchangeId id);  // the site has no rows for the rest of the round: too much work for a client
  void on_checkpoint(ExchangeId next);
  void on_finished();               // the site has all totals
  void on_abort(ErrorInfo reason);  // the site ends the run
  void close();                     // `next` returns `closed` from now on
  void reject(ErrorInfo info);      // the site misbehaves: it receives the reason and may not join again

 private:
  friend class Hub;
  using Exchange = detail::HubExchange;
  using Site = detail::SiteState;
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::mutex>;
  HubConnection(Hub& hub, std::size_t slot, ExchangeId next);

  Hub::Outgoing reject_with(Rejection rejection);
  void select_exchange();
  std::optional<Hub::Outgoing> next_of_current();
  void require_expected(const Exchange& exchange, std::size_t index, std::span<const double> values) const;
  bool record_out_of_range(Exchange& exchange, std::size_t index, std::span<const double> values,
                           const RowRange& range);

  Hub& hub_;
  std::size_t slot_;
  ExchangeId live_;
  ExchangeId cursor_;  // the exchange whose total the site receives next
  std::shared_ptr<const Exchange> current_;
  std::size_t sent_ = 0;  // chunks of it
  std::uint32_t attempt_ = 0;
  std::uint32_t asked_ = 0;  // the last question about masks
  bool closed_ = false;
  bool rejection_sent_ = false;
};

}  // namespace driftless
