// One connection of a site to the server: the calls before a run, then a stream with a thread that reads it. Only
// grpc_site.cpp includes it.
#pragma once

#include "driftless/network/grpc/grpc_site_options.hpp"
#include "driftless/network/grpc/wire_messages.hpp"

#include "hub.grpc.pb.h"

#include <condition_variable>
#include <grpcpp/grpcpp.h>
#include <mutex>
#include <thread>

namespace driftless::detail {

// The error of a site that gets no answer.
struct Unreachable : TransportError {
  Unreachable(const GrpcSiteOptions& options, const std::string& why);
};

class SiteConnection {
 public:
  SiteConnection(const GrpcSiteOptions& options, double seconds);
  ~SiteConnection();
  SiteConnection(const SiteConnection&) = delete;
  SiteConnection& operator=(const SiteConnection&) = delete;

  bool connected() const { return connected_; }
  bool joined() const { return reader_.joinable(); }
  // Whether it delivered a total or was open for at least a second.
  bool useful();

  // Calls outside of the stream. TransportError where the server does not answer.
  SiteOffer query_offer();
  SiteComparison compare(const SiteFacts& own);
  void decline(const ErrorInfo& reason);
  KeysOfSites keys(const std::string& run, const Announcement& own, const std::vector<std::string>& sealed_shares);
  ExchangeId secure(const std::string& run, ExchangeId before);

  struct Greeting {
    std::string run;
    std::string configuration_digest;
    ExchangeId next = 0;
    History history = {};
    bool finished = false;
  };
  // Opens the stream. The answer is a rejection, or empty where the server welcomes the site; `broken`: there was none.
  struct Answer {
    bool broken = false;
    std::optional<Rejection> rejection = {};
  };
  Answer greet(const Greeting& greeting, const Layout& layout);

  ExchangeId live() const { return live_; }  // the first exchange for which the server wants rows
  bool write(const wire::FromSite& message);
  void leave();  // blocks until the server has read everything

  // From now on the site waits for the total of this exchange.
  void expect(ExchangeId id, std::size_t width, Addition addition);
  enum class Event { done, repeat, unmask, broken, rejected, nothing };
  // What happened since attempt `attempt` began; blocks for up to `seconds` until something does.
  Event event(std::uint32_t attempt, double seconds);
  std::uint32_t attempt();
  std::vector<ClientId> absent();  // the clients without whom this attempt is made
  Unmask take_unmask();            // what the server asks for
  Done take(std::span<double> total);
  bool abandons(ExchangeId id);  // whether the end of a round has arrived in place of this total
  bool broken();                 // without a reason of the server
  bool rejected();
  Rejection rejection();

 private:
  template <class Request, class Reply>
  Reply call(grpc::Status (wire::Hub::Stub::*method)(grpc::ClientContext*, const Request&, Reply*), Request request);
  void require_certificate(const grpc::ClientContext& context) const;
  void read();
  void handle(const ServerMessage& message);
  void note_abandonment(const ServerMessage& message);
  void take_chunk(const TotalChunk& chunk);
  void take_repeat(const Repeat& repeat);
  void take_unmask(const Unmask& unmask);
  void take_done(const Done& done);

  const GrpcSiteOptions& options_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<wire::Hub::Stub> stub_;
  bool connected_ = false;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<wire::FromSite, wire::FromServer>> stream_;
  std::thread reader_;
  ExchangeId live_ = 0;
  Layout layout_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::chrono::steady_clock::time_point welcomed_ = std::chrono::steady_clock::now();
  bool delivered_total_ = false;
  bool closing_ = false;
  bool leaving_ = false;  // totals are no longer needed
  bool broken_ = false;
  std::optional<Rejection> rejection_;
  bool expecting_ = false;
  ExchangeId expected_ = 0;
  Addition addition_ = Addition::real;
  std::vector<double> values_;
  std::optional<ExchangeId> abandoned_;
  std::size_t received_ = 0;
  std::uint32_t attempt_ = 0;
  std::vector<ClientId> absent_;
  std::optional<Unmask> unmask_;
  bool done_ = false;
  Done total_;
};

}  // namespace driftless::detail
