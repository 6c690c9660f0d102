// The transport of a site: its end of the stream to the server. A broken connection is replaced, and what the site
// missed meanwhile comes from the server's journal.
#pragma once

#include "driftless/network/grpc/grpc_site_options.hpp"
#include "driftless/network/hub/site_offer.hpp"

#include <chrono>
#include <memory>

namespace driftless {

namespace detail {
class SiteConnection;
}

// The server no longer has what this site has seen: power was lost there. The site must be started again, so that it
// continues from its checkpoint, which never relies on totals that the server could lose.
struct CheckpointNeeded : Error {
  explicit CheckpointNeeded(ErrorInfo info) : Error(ErrorKind::data, std::move(info)) {}
};

class GrpcSite final : public Transport, public Checkpointing {
 public:
  explicit GrpcSite(GrpcSiteOptions options);
  ~GrpcSite() override;

  SiteOffer look();  // Error where the server cannot be reached or does not want this site
  SiteComparison compare(const SiteFacts& own);
  void accept(const SiteOffer& offer, std::string configuration_digest);  // joins with the first collective
  void bye();                                                             // everything is here and written down
  // The same for a site that had finished before; false where the server cannot be reached or runs something else.
  bool say_finished() noexcept;

  const Layout& layout() const override { return offer_.layout; }
  const Agreement& agreement() const override { return agreement_; }
  void broadcast(StopSignal) override {}  // rank 0's alone
  void abort(std::string_view reason) noexcept override;

  Checkpointing* checkpointing() override { return this; }
  History history() const override { return history_; }
  void resume_at(const Position& position) override;
  bool secure_past(bool insist) override;
  void on_checkpoint() override;

 private:
  void sum_as(ExchangeId id, std::span<const ClientId> from, std::span<const Node> mine,
              std::span<double> total) override;
  void share_as(ExchangeId id, std::size_t width, std::span<const double> mine, std::span<double> all,
                const RowCheck& check) override;
  // Sends the pieces that `piece(index)` writes, again where that is asked for, until the total is here.
  using Piece = std::function<void(std::size_t index, std::string& bytes)>;
  void meet(ExchangeId id, std::size_t pieces, const Piece& piece, std::span<double> total);
  template <class Call>
  auto first_contact(Call&& call) const;  // what the call gives, once the server answers
  void connect(ExchangeId next);
  bool join_once() noexcept;  // without waiting for a server that is away
  void tell(const std::string& event) const;

  GrpcSiteOptions options_;
  SiteOffer offer_;
  std::string configuration_digest_;
  Agreement agreement_;
  History history_;
  std::unique_ptr<detail::SiteConnection> connection_;
  bool was_connected_ = false;
  bool past_checkpoint_ = false;  // collectives were completed since it started or was put back to a checkpoint
  std::chrono::steady_clock::time_point broken_since_ = {};  // no connection since then was of use
};

}  // namespace driftless
