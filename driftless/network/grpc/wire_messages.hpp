// The trust boundary: every message of a peer is parsed here into a checked value, in both directions, before it is
// used, written to the journal, allocated for or printed. No other code reads the fields of a received message. Only
// sources of this folder, tests and fuzz targets include it.
#pragma once

#include "driftless/network/hub/hub.hpp"
#include "driftless/network/hub/site_offer.hpp"

#include "hub.pb.h"

#include <string_view>
#include <variant>

namespace driftless::detail {

inline constexpr int most_message_bytes = 4 << 20;  // a chunk of all nodes of a site is far smaller
inline constexpr std::size_t most_labels = 64;      // in the facts of a site

// --- From a site to the server. Every parser throws Rejection.

struct Introduction {  // the beginning of each call of a site
  std::string version;
  std::string site;  // without TLS
};
Introduction parse(const wire::LookRequest& request);

struct ComparedFacts {
  Introduction from;
  SiteFacts facts;  // without the name of the site
};
ComparedFacts parse(const wire::CompareRequest& request);

struct DeclineCall {
  Introduction from;
  std::string reason;
};
DeclineCall parse(const wire::DeclineRequest& request);

struct KeysCall {
  Introduction from;
  std::string run;
  Announcement announcement;
  std::vector<std::string> shares;
};
KeysCall parse(const wire::KeysRequest& request);

struct SecureCall {
  Introduction from;
  std::string run;
  ExchangeId before = 0;
};
SecureCall parse(const wire::SecureRequest& request);

struct Greeting {
  Introduction from;
  std::string run;
  std::string configuration_digest;
  ExchangeId next = 0;
  std::optional<History> history;
  bool finished = false;
};
Greeting parse_greeting(const wire::FromSite& message);

struct Rows {
  ExchangeId exchange = 0;
  std::uint32_t attempt = 0;
  std::size_t index = 0;
  std::vector<double> values;
};
struct Abandonment {
  ExchangeId exchange = 0;
};
struct Checkpoint {
  ExchangeId next = 0;
};
struct Finished {};
struct Revealed {
  ExchangeId exchange = 0;
  std::uint32_t attempt = 0;
  Secret seed{};
  std::vector<std::pair<std::size_t, Secret>> shares;
};
struct SiteAbort {
  ErrorInfo reason;
};
// What follows the greeting.
using SiteMessage = std::variant<Rows, Revealed, Abandonment, Checkpoint, Finished, SiteAbort>;
SiteMessage parse(const wire::FromSite& message);

// Passes a message of a site to its connection. Throws Rejection.
void handle(SiteMessage message, HubConnection& connection);

// --- From the server to a site. Every parser throws Error: the reason of the server where it rejects the site, and a
// TransportError where the message is invalid.

SiteOffer parse(const wire::Offer& offer, const std::string& own_name);
SiteComparison parse(const wire::Comparison& comparison);
void parse(const wire::DeclineReply& reply);
struct KeysOfSites {
  std::vector<Announcement> announcements;
  std::vector<std::string> shares;
  std::vector<std::string> missing;
};
KeysOfSites parse(const wire::KeysReply& reply);
ExchangeId parse(const wire::SecureReply& reply);

struct Welcome {
  ExchangeId live = 0;
};
struct TotalChunk {
  ExchangeId exchange = 0;
  std::uint32_t attempt = 0;
  std::size_t index = 0;
  std::string_view bytes;  // of whole doubles; valid as long as the message
};
struct Done {
  ExchangeId exchange = 0;
  Agreement agreement;
  History history;
};
struct Repeat {
  ExchangeId exchange = 0;
  std::uint32_t attempt = 0;
  std::vector<ClientId> absent;
};
struct Unmask {
  ExchangeId exchange = 0;
  std::uint32_t attempt = 0;
  std::vector<std::size_t> lost;
};
using ServerMessage = std::variant<Welcome, TotalChunk, Done, Repeat, Unmask, Rejection>;
ServerMessage parse(const wire::FromServer& message, std::size_t clients);

// --- In both directions.

void put_values(std::span<const double> values, std::string& bytes);
void fill(const Rejection& rejection, wire::Rejection& out);
void fill(const History& history, wire::History& out);
void fill(const Announcement& announcement, wire::KeyAnnouncement& out);

}  // namespace driftless::detail
