// The transport of a site: its end of the stream to the server. A broken connection is made anew, and whatever the site
// missed meanwhile comes from the server's journal.
#pragma once

#include "driftless/transports/grpc_server.hpp"

namespace driftless {

struct GrpcSiteOptions {
  std::string address;  // "server.example:7443"
  std::optional<TlsTexts> tls;
  std::string version;
  std::string site;             // without TLS; with it the certificate says it
  double first_contact = 20.0;  // seconds to reach the server at all
  double grace = 60.0;          // seconds to reach it again
  std::function<void(const std::string&)> on_event = {};
};

// What the server would have this site run.
struct SiteOffer {
  std::string run;
  std::string site;
  std::string configuration;
  Layout layout;
  double clock_ahead = 0.0;  // seconds that the server's clock is ahead of this one, as far as can be told
};

// What the sites have said about their data before a run.
struct SiteComparison {
  std::vector<SiteFacts> known;
  std::vector<std::string> unknown;
};

class GrpcSite final : public Transport {
 public:
  explicit GrpcSite(GrpcSiteOptions options);
  ~GrpcSite() override;

  SiteOffer look();  // Error where the server cannot be reached or does not want this site
  SiteComparison compare(const SiteFacts& own);
  void accept(const SiteOffer& offer, std::string configuration_digest);  // joins with the first collective
  void bye();                                                             // everything is here and written down

  const Layout& layout() const override { return offer_.layout; }
  const News& news() const override { return news_; }
  void say(std::uint32_t) override {}  // rank 0's alone
  void continue_at(ExchangeId next) override;
  void saved() override;
  void abort(std::string_view reason) noexcept override;

 private:
  class Connection;

  void sum_as(ExchangeId id, std::span<const ClientId> from, std::span<const Node> mine,
              std::span<double> total) override;
  void share_as(ExchangeId id, std::size_t width, std::span<const double> mine, std::span<double> all) override;
  // Sends the pieces that `piece(index)` writes, again where that is asked for, until the total is here.
  using Piece = std::function<void(std::size_t index, std::string& bytes)>;
  void meet(ExchangeId id, std::size_t pieces, const Piece& piece, std::span<double> total);
  std::unique_ptr<Connection> first_contact() const;
  void connect(ExchangeId next);
  void tell(const std::string& event) const;

  GrpcSiteOptions options_;
  SiteOffer offer_;
  std::string configuration_digest_;
  News news_;
  std::unique_ptr<Connection> connection_;
  bool was_connected_ = false;
};

}  // namespace driftless
