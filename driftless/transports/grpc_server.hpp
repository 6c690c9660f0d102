// The hub behind gRPC: one stream for each site. Mutual TLS unless plain text was asked for.
#pragma once

#include "driftless/transports/hub.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace driftless {

// PEM texts of one party.
struct TlsTexts {
  std::string certificate;
  std::string key;
  std::string authority;
};

struct GrpcServerOptions {
  std::string address;          // "0.0.0.0:7443"; port 0 takes a free one
  std::optional<TlsTexts> tls;  // none: plain text, where a site says itself who it is
  std::string version;
  std::string run;
  std::string configuration;
  std::string configuration_digest;
  // Why the holder of this certificate (PEM) may not take part, beyond what TLS itself checks.
  std::function<std::optional<Trouble>(const std::string&)> check_certificate = {};
};

class GrpcServer {
 public:
  GrpcServer(Hub& hub, GrpcServerOptions options);  // listens; Error (connection) where that is not possible
  ~GrpcServer();                                    // ends all streams
  GrpcServer(const GrpcServer&) = delete;
  GrpcServer& operator=(const GrpcServer&) = delete;

  int port() const;

 private:
  class Service;
  struct Running;
  std::unique_ptr<Running> running_;
};

// The transport of the server's own peer.
class HubTransport final : public Transport {
 public:
  explicit HubTransport(Hub& hub);

  const Layout& layout() const override { return layout_; }
  const News& news() const override { return news_; }
  void say(std::uint32_t word) override { hub_.say(word); }
  void continue_at(ExchangeId next) override;
  void set_up() override { hub_.keep_before(next_exchange()); }
  void saved() override { hub_.saved(next_exchange()); }
  void leaving() override { hub_.stop_keeping(); }
  void abort(std::string_view reason) noexcept override;

 private:
  void sum_as(ExchangeId id, std::span<const ClientId> from, std::span<const Node> mine,
              std::span<double> total) override;
  void share_as(ExchangeId id, std::size_t width, std::span<const double> mine, std::span<double> all) override;

  Hub& hub_;
  Layout layout_;
  News news_;
};

}  // namespace driftless
