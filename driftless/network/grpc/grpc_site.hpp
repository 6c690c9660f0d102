// The transport of a site: its end of the stream to the server. A broken connection is replaced, and the totals that
// the site missed meanwhile come from the server's journal.
#pragma once

#include "driftless/network/grpc/grpc_site_options.hpp"
#include "driftless/network/hub/site_offer.hpp"
#include "driftless/secure_sum/row_masker.hpp"

#include <chrono>
#include <memory>

namespace driftless {

namespace detail {
class SiteConnection;
struct Unmask;
struct KeysOfSites;
}  // namespace detail

// The server lost power and no longer has totals that this site has received. The site must restart from its
// checkpoint, which never relies on totals that the server could lose.
struct CheckpointNeeded : Error {
  explicit CheckpointNeeded(ErrorInfo info) : Error(ErrorKind::data, std::move(info)) {}
};

class GrpcSite final : public Transport, public Checkpointing {
 public:
  explicit GrpcSite(GrpcSiteOptions options);
  ~GrpcSite() override;

  SiteOffer query_offer();  // Error where the server cannot be reached or rejects this site
  SiteComparison compare(const SiteFacts& own);
  // Tells the server why this site does not take part. False where that is not possible.
  bool decline(const ErrorInfo& reason) noexcept;
  void accept(const SiteOffer& offer, std::string configuration_digest);  // joins with the first collective
  // From now on this site masks its rows, and rejects what would show them. `hosted`: the clients of each site.
  void mask_rows(SecureSumOptions options, std::vector<std::vector<ClientId>> hosted, std::size_t least_sites);
  void finish();  // reports that this site has all totals and has written its results
  // The same for a site that had finished before. False where the server cannot be reached or runs something else.
  bool report_finished() noexcept;

  const Layout& layout() const override { return offer_.layout; }
  const Agreement& agreement() const override { return agreement_; }
  void broadcast(StopSignal) override {}  // only rank 0 broadcasts
  void throw_if_ended() override;
  void open_round(RoundLimits limits) override;
  bool round_is_abandoned() override;
  bool clock_decides() const override { return false; }
  void require_hidden(std::span<const ClientId> from) const override;
  void abort(std::string_view reason) noexcept override;

  Checkpointing* checkpointing() override { return this; }
  History history() const override { return history_; }
  void resume_at(const Position& position) override;
  bool secure_past(bool insist) override;
  void on_checkpoint() override;
  void on_interrupt() override { ends_process_ = true; }

 private:
  void sum_as(ExchangeId id, std::span<const ClientId> from, std::span<const Node> mine,
              std::span<double> total) override;
  void add_integers_as(ExchangeId id, std::span<const double> mine, std::span<double> total, Integers meaning) override;
  void share_as(ExchangeId id, std::size_t width, std::span<const double> mine, std::span<double> all,
                const RowCheck& check) override;
  // Sends the chunks that `chunk(index)` writes, again where the server requests it, until the total has arrived.
  using Chunk = std::function<void(std::size_t index, std::string& bytes)>;
  struct OwnRows {
    std::size_t chunks = 0;
    Chunk chunk;
    std::function<void(std::uint32_t attempt)> begin = {};  // before the first chunk of each attempt
    Addition addition = Addition::real;
  };
  void exchange(ExchangeId id, const OwnRows& rows, std::span<double> total);
  template <class Call>
  auto first_contact(Call&& call) const;  // the result of the call, once the server answers
  void connect(ExchangeId next);
  void send_rows(ExchangeId id, std::uint32_t attempt, const OwnRows& rows);
  void agree_on_keys();
  detail::KeysOfSites keys_of_sites(const std::vector<std::string>& sealed_shares);  // as far as the server has them
  std::vector<bool> present_sites();
  void reveal(const detail::Unmask& unmask);
  void require_rows(ExchangeId id);
  bool join_once(double seconds) noexcept;  // without waiting longer for a server that cannot be reached
  void report(const std::string& event) const;
  void throw_if_stopped() const;

  struct Masking {
    RowMasker masker;
    std::vector<std::vector<ClientId>> hosted;  // by site
    std::size_t least_sites = 0;
  };

  GrpcSiteOptions options_;
  std::optional<Masking> masking_;
  std::vector<double> masked_;  // the row as it is sent
  bool ends_process_ = false;   // the exchanges from now on only end this process
  SiteOffer offer_;
  std::string configuration_digest_;
  Agreement agreement_;
  History history_;
  std::unique_ptr<detail::SiteConnection> connection_;
  bool was_connected_ = false;
  std::optional<ExchangeId> abandoned_;                  // this site heard of it before it had its rows, and has none
  bool restarts_ = false;                                // from its checkpoint, so the others need no error
  std::chrono::steady_clock::time_point rejoined_ = {};  // when a connection that broke in local work was last tried
  bool past_checkpoint_ = false;  // collectives were completed since the start or the restored checkpoint
  std::chrono::steady_clock::time_point broken_since_ = {};  // every connection since then was useless
};

}  // namespace driftless
