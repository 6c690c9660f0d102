#include "driftless/network/grpc/wire_messages.hpp"

#include "driftless/core/printable.hpp"
#include "driftless/core/site_name.hpp"
#include "driftless/core/text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>

namespace driftless::detail {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are sent as they are in memory");

constexpr std::size_t most_clients = 1'000'000'000;
constexpr std::uint64_t most_exchanges = std::uint64_t{1} << 62;
constexpr const char* same_program = "use the same program at the server and at all sites";

[[noreturn]] void reject_message(std::string seen) {
  throw Rejection{ErrorKind::communication,
                  {.what = "the site sent an invalid message", .seen = std::move(seen), .advice = same_program}};
}

[[noreturn]] void reject_server(std::string seen) {
  throw TransportError({.what = "the server sent an invalid message",
                        .seen = std::move(seen),
                        .advice = "use the same program at the server and at all sites, and ask who runs the server"});
}

// Identifies a run and is part of a file: digits, lower-case letters and hyphens.
bool is_run_name(std::string_view run) { return is_site_name(run); }

bool rising_below(std::span<const ClientId> ids, std::size_t clients) {
  return std::ranges::adjacent_find(ids, std::greater_equal<>()) == ids.end() && (ids.empty() || ids.back() < clients);
}

// Why these cannot be facts about data; none where they can.
std::optional<std::string> fault_of(const SiteFacts& facts) {
  constexpr std::size_t most = std::size_t{1} << 53;
  if (facts.rows >= most || facts.columns >= most) return "more rows or columns than can be counted";
  if (facts.labels.size() > most_labels) return std::to_string(facts.labels.size()) + " labels";
  if (!std::ranges::all_of(facts.labels, [](double label) { return std::isfinite(label); }))
    return "a label that is not a number";
  return std::nullopt;
}

SiteFacts facts_of(const wire::SiteFacts& facts) {
  SiteFacts result{.site = facts.site(), .rows = facts.rows(), .columns = facts.columns(), .labels = {}};
  // One more than allowed is enough to detect that there are too many.
  const int labels = std::min(facts.labels_size(), static_cast<int>(most_labels) + 1);
  result.labels.assign(facts.labels().begin(), facts.labels().begin() + labels);
  return result;
}

Introduction introduction(const std::string& version, const std::string& site) {
  return {.version = printable(version, 40), .site = printable(site, 80)};
}

std::optional<History> history_of(const wire::History& history) { return History{history.high(), history.low()}; }

// The numbers of the wire format; 0 is no error.
constexpr std::array<std::pair<ErrorKind, int>, 9> kinds_on_the_wire{{{ErrorKind::run_failed, 1},
                                                                      {ErrorKind::configuration, 2},
                                                                      {ErrorKind::communication, 3},
                                                                      {ErrorKind::deadline, 4},
                                                                      {ErrorKind::data, 5},
                                                                      {ErrorKind::internal, 6},
                                                                      {ErrorKind::check_failed, 7},
                                                                      {ErrorKind::interrupted, 130},
                                                                      {ErrorKind::terminated, 143}}};

int number_of(ErrorKind kind) {
  return std::ranges::find(kinds_on_the_wire, kind, &std::pair<ErrorKind, int>::first)->second;
}

// An unknown number still is an error: a rejection is never a success.
ErrorKind kind_of(int number) {
  const auto* known = std::ranges::find(kinds_on_the_wire, number, &std::pair<ErrorKind, int>::second);
  return known != kinds_on_the_wire.end() ? known->first : ErrorKind::communication;
}

Rejection rejection_of(const wire::Rejection& rejection) {
  return {kind_of(rejection.kind()),
          {.what = rejection.what().empty() ? "no reason was given" : printable(rejection.what()),
           .seen = printable(rejection.seen(), 400),
           .advice = printable(rejection.advice())},
          rejection.later()};
}

[[noreturn]] void raise(const Rejection& rejection) { throw Error(rejection.kind(), rejection.info()); }

constexpr std::size_t most_sites_with_masks = 100'000;
constexpr std::size_t longest_key_text = 1 << 16;  // of a certificate, a signature or a sealed share

// None where these bytes cannot be what a site announces.
std::optional<Announcement> announcement_of(const wire::KeyAnnouncement& from) {
  Announcement result{.site = from.site(), .certificate = from.certificate(), .signature = from.signature()};
  if (!is_site_name(result.site) || !read_secret(from.open_key(), result.open_key)) return std::nullopt;
  if (result.certificate.size() > longest_key_text || result.signature.size() > longest_key_text) return std::nullopt;
  for (const std::string& digest : from.share_digests()) {
    result.share_digests.emplace_back();
    if (!read_secret(digest, result.share_digests.back())) return std::nullopt;
  }
  return result;
}

bool are_sealed_shares(const google::protobuf::RepeatedPtrField<std::string>& shares) {
  return std::ranges::all_of(shares, [](const std::string& share) { return share.size() <= longest_key_text; });
}

Revealed revealed_of(const wire::Reveal& reveal) {
  const std::string where = "what unmasks exchange " + std::to_string(reveal.exchange());
  Revealed result{.exchange = reveal.exchange(), .attempt = reveal.attempt(), .shares = {}};
  if (reveal.exchange() >= most_exchanges || !read_secret(reveal.seed(), result.seed)) reject_message(where);
  for (const wire::Share& share : reveal.shares()) {
    result.shares.emplace_back(share.site(), Secret{});
    if (share.site() >= most_sites_with_masks || !read_secret(share.share(), result.shares.back().second))
      reject_message(where + ": a share");
  }
  return result;
}

Rows rows_of(const wire::Chunk& chunk) {
  const std::string& bytes = chunk.values();
  const std::string where = "exchange " + std::to_string(chunk.exchange()) + ", chunk " + std::to_string(chunk.index());
  if (chunk.exchange() >= most_exchanges || chunk.index() >= most_exchanges) reject_message(where);
  if (bytes.size() % sizeof(double) != 0)
    reject_message(where + ": " + std::to_string(bytes.size()) + " bytes, not whole numbers");
  Rows rows{.exchange = chunk.exchange(), .attempt = chunk.attempt(), .index = chunk.index(), .values = {}};
  rows.values.resize(bytes.size() / sizeof(double));
  if (!rows.values.empty()) std::memcpy(rows.values.data(), bytes.data(), bytes.size());
  return rows;
}

}  // namespace

Introduction parse(const wire::LookRequest& request) { return introduction(request.version(), request.site()); }

ComparedFacts parse(const wire::CompareRequest& request) {
  ComparedFacts result{.from = introduction(request.version(), request.site()), .facts = facts_of(request.facts())};
  if (const auto fault = fault_of(result.facts)) reject_message("facts about data with " + *fault);
  result.facts.site.clear();
  return result;
}

DeclineCall parse(const wire::DeclineRequest& request) {
  return {.from = introduction(request.version(), request.site()),
          .reason = printable(request.what()) + " (" + printable(request.seen(), 400) + ")"};
}

KeysCall parse(const wire::KeysRequest& request) {
  const std::optional<Announcement> announcement = announcement_of(request.announcement());
  if (!announcement || !are_sealed_shares(request.shares())) reject_message("keys for masks");
  return {.from = introduction(request.version(), request.site()),
          .run = printable(request.run(), 80),
          .announcement = *announcement,
          .shares = {request.shares().begin(), request.shares().end()}};
}

SecureCall parse(const wire::SecureRequest& request) {
  if (request.before() >= most_exchanges) reject_message("exchange " + std::to_string(request.before()));
  return {.from = introduction(request.version(), request.site()),
          .run = printable(request.run(), 80),
          .before = request.before()};
}

Greeting parse_greeting(const wire::FromSite& message) {
  if (!message.has_hello()) reject_message("its first message is not a greeting");
  const wire::Hello& hello = message.hello();
  if (hello.next_exchange() >= most_exchanges) reject_message("exchange " + std::to_string(hello.next_exchange()));
  return {.from = introduction(hello.version(), hello.site()),
          .run = printable(hello.run(), 80),
          .configuration_digest = printable(hello.configuration_digest(), 80),
          .next = hello.next_exchange(),
          .history = hello.has_history() ? history_of(hello.history()) : std::nullopt,
          .finished = hello.finished()};
}

SiteMessage parse(const wire::FromSite& message) {
  switch (message.what_case()) {
    case wire::FromSite::kChunk: return rows_of(message.chunk());
    case wire::FromSite::kReveal: return revealed_of(message.reveal());
    case wire::FromSite::kAbandon: return Abandonment{message.abandon().exchange()};
    case wire::FromSite::kCheckpoint: return Checkpoint{message.checkpoint().next_exchange()};
    case wire::FromSite::kFinished: return Finished{};
    case wire::FromSite::kAbort: return SiteAbort{rejection_of(message.abort()).info()};
    case wire::FromSite::kHello: reject_message("a second greeting");
    case wire::FromSite::WHAT_NOT_SET: break;
  }
  reject_message("an empty message, in the middle of the run");
}

void handle(SiteMessage message, HubConnection& connection) {
  struct Act {
    HubConnection& connection;
    void operator()(Rows& rows) { connection.receive(rows.exchange, rows.attempt, rows.index, std::move(rows.values)); }
    void operator()(const Revealed& revealed) {
      connection.on_reveal(revealed.exchange, revealed.attempt, revealed.seed, revealed.shares);
    }
    void operator()(const Abandonment& abandonment) { connection.on_abandon(abandonment.exchange); }
    void operator()(const Checkpoint& checkpoint) { connection.on_checkpoint(checkpoint.next); }
    void operator()(const Finished&) { connection.on_finished(); }
    void operator()(SiteAbort& aborted) { connection.on_abort(std::move(aborted.reason)); }
  };
  std::visit(Act{connection}, message);
}

SiteOffer parse(const wire::Offer& offer, const std::string& own_name) {
  if (offer.has_rejection()) raise(rejection_of(offer.rejection()));
  if (!is_site_name(offer.site())) reject_server("the name of this site: '" + printable(offer.site(), 80) + "'");
  if (!own_name.empty() && offer.site() != own_name)
    reject_server("it calls this site '" + offer.site() + "', whose name is '" + own_name + "'");
  if (!is_run_name(offer.run())) reject_server("the name of the run: '" + printable(offer.run(), 80) + "'");
  const std::vector<ClientId> hosted(offer.hosted().begin(), offer.hosted().end());
  if (offer.clients() == 0 || offer.clients() > most_clients || hosted.empty() ||
      !rising_below(hosted, offer.clients()))
    reject_server("clients of this site: " + std::to_string(hosted.size()) + " of " + std::to_string(offer.clients()));
  if (offer.peers() < 2 || offer.peers() > offer.clients() + 1 || offer.rank() == 0 || offer.rank() >= offer.peers())
    reject_server("rank " + std::to_string(offer.rank()) + " of " + std::to_string(offer.peers()));
  if (!std::isfinite(offer.time())) reject_server("a clock that shows no time");
  const double now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  return {.run = offer.run(),
          .site = offer.site(),
          .configuration = offer.configuration(),
          .layout = {.clients = offer.clients(), .peers = offer.peers(), .rank = offer.rank(), .hosted = hosted},
          .clock_ahead = offer.time() - now};
}

SiteComparison parse(const wire::Comparison& comparison) {
  if (comparison.has_rejection()) raise(rejection_of(comparison.rejection()));
  SiteComparison result;
  for (const wire::SiteFacts& known : comparison.known()) {
    result.known.push_back(facts_of(known));
    if (!is_site_name(known.site())) reject_server("the name of a site: '" + printable(known.site(), 80) + "'");
    if (const auto fault = fault_of(result.known.back()))
      reject_server("facts of site '" + known.site() + "' with " + *fault);
  }
  for (const std::string& site : comparison.unknown()) {
    if (!is_site_name(site)) reject_server("the name of a site: '" + printable(site, 80) + "'");
    result.unknown.push_back(site);
  }
  return result;
}

void parse(const wire::DeclineReply& reply) {
  if (reply.has_rejection()) raise(rejection_of(reply.rejection()));
}

KeysOfSites parse(const wire::KeysReply& reply) {
  if (reply.has_rejection()) raise(rejection_of(reply.rejection()));
  KeysOfSites result;
  for (const wire::KeyAnnouncement& one : reply.announcements()) {
    std::optional<Announcement> announcement = announcement_of(one);
    if (!announcement) reject_server("the key of site '" + printable(one.site(), 80) + "'");
    result.announcements.push_back(*std::move(announcement));
  }
  if (!are_sealed_shares(reply.shares())) reject_server("shares of secrets");
  result.shares.assign(reply.shares().begin(), reply.shares().end());
  for (const std::string& site : reply.missing()) {
    if (!is_site_name(site)) reject_server("the name of a site: '" + printable(site, 80) + "'");
    result.missing.push_back(site);
  }
  return result;
}

ExchangeId parse(const wire::SecureReply& reply) {
  if (reply.has_rejection()) raise(rejection_of(reply.rejection()));
  return reply.durable();
}

ServerMessage parse(const wire::FromServer& message, std::size_t clients) {
  switch (message.what_case()) {
    case wire::FromServer::kWelcome:
      if (message.welcome().live() >= most_exchanges)
        reject_server("exchange " + std::to_string(message.welcome().live()));
      return Welcome{message.welcome().live()};
    case wire::FromServer::kChunk: {
      const wire::Chunk& chunk = message.chunk();
      if (chunk.values().size() % sizeof(double) != 0 || chunk.values().size() > sizeof(double) * Chunks::entries)
        reject_server("a chunk of " + std::to_string(chunk.values().size()) + " bytes");
      return TotalChunk{chunk.exchange(), chunk.attempt(), chunk.index(), chunk.values()};
    }
    case wire::FromServer::kDone: {
      const wire::Done& done = message.done();
      Done result{.exchange = done.exchange(),
                  .agreement = {.signal = static_cast<StopSignal>(done.signal()),
                                .absent = {done.absent().begin(), done.absent().end()}},
                  .history = {done.history().high(), done.history().low()}};
      if (done.signal() > static_cast<std::uint32_t>(last_stop_signal))
        reject_server("stop signal " + std::to_string(done.signal()));
      if (!rising_below(result.agreement.absent, clients)) reject_server("dropped clients that do not exist");
      return result;
    }
    case wire::FromServer::kRepeat: {
      Repeat result{message.repeat().exchange(),
                    message.repeat().attempt(),
                    {message.repeat().absent().begin(), message.repeat().absent().end()}};
      if (!rising_below(result.absent, clients)) reject_server("dropped clients that do not exist");
      return result;
    }
    case wire::FromServer::kUnmask: {
      Unmask result{message.unmask().exchange(),
                    message.unmask().attempt(),
                    {message.unmask().lost().begin(), message.unmask().lost().end()}};
      if (std::ranges::any_of(result.lost, [](std::size_t site) { return site >= most_sites_with_masks; }))
        reject_server("lost sites that do not exist");
      return result;
    }
    case wire::FromServer::kRejection: return rejection_of(message.rejection());
    case wire::FromServer::WHAT_NOT_SET: break;
  }
  reject_server("an empty message");
}

void put_values(std::span<const double> values, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

void fill(const Rejection& rejection, wire::Rejection& out) {
  // Texts of this program may hold names of files that are not UTF-8, which a message cannot carry.
  out.set_what(printable(rejection.info().what));
  out.set_seen(printable(rejection.info().seen, 400));
  out.set_advice(printable(rejection.info().advice));
  out.set_kind(number_of(rejection.kind()));
  out.set_later(rejection.later());
}

void fill(const History& history, wire::History& out) {
  out.set_high(history.high);
  out.set_low(history.low);
}

void fill(const Announcement& announcement, wire::KeyAnnouncement& out) {
  out.set_site(announcement.site);
  out.set_open_key(bytes_of(announcement.open_key));
  for (const Secret& digest : announcement.share_digests) out.add_share_digests(bytes_of(digest));
  out.set_certificate(announcement.certificate);
  out.set_signature(announcement.signature);
}

}  // namespace driftless::detail
