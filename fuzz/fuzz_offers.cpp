// What a site takes from a server: an input is a sequence of messages, each with one byte that says which, its length
// (two bytes) and the message itself.
#include "driftless/core/printable.hpp"
#include "driftless/core/site_name.hpp"
#include "driftless/experiments/run_config.hpp"
#include "driftless/network/grpc/wire_messages.hpp"
#include "driftless/peers/site_offer_check.hpp"

#include "fuzz/input.hpp"

#include <algorithm>
#include <cmath>
#include <google/protobuf/stubs/logging.h>
#include <limits>

namespace driftless::fuzz {
namespace {

constexpr std::size_t clients = 5;

void require_clean(const ErrorInfo& info) {
  for (const std::string& text : {info.what, info.seen, info.advice})
    require(printable(text, std::numeric_limits<std::size_t>::max()) == text);
}

// A name that becomes part of a path, and indices into the clients.
void check(const SiteOffer& offer) {
  require(offer.site == "south" && is_site_name(offer.run) && std::isfinite(offer.clock_ahead));
  require(!offer.layout.hosted.empty() && std::ranges::is_sorted(offer.layout.hosted));
  require(offer.layout.hosted.back() < offer.layout.clients);
  require(offer.layout.rank >= 1 && offer.layout.rank < offer.layout.peers);
  require_fitting_layout(offer, config_of(offer));
}

void check(const SiteComparison& comparison) {
  for (const SiteFacts& facts : comparison.known) {
    require(is_site_name(facts.site) && facts.labels.size() <= detail::most_labels);
    require(std::ranges::all_of(facts.labels, [](double label) { return std::isfinite(label); }));
  }
  for (const std::string& site : comparison.unknown) require(is_site_name(site));
}

void check(const detail::ServerMessage& message) {
  if (const auto* rejection = std::get_if<Rejection>(&message)) require_clean(rejection->info());
  if (const auto* chunk = std::get_if<detail::TotalChunk>(&message))
    require(chunk->bytes.size() % sizeof(double) == 0 && chunk->bytes.size() <= sizeof(double) * Chunks::entries);
  if (const auto* done = std::get_if<detail::Done>(&message)) {
    require(done->agreement.signal <= last_stop_signal);
    require(std::ranges::is_sorted(done->agreement.absent));
    require(std::ranges::all_of(done->agreement.absent, [](ClientId id) { return id < clients; }));
  }
}

template <class Message, class... More>
void take(std::string_view bytes, const More&... more) {
  Message message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return;
  try {
    const auto parsed = detail::parse(message, more...);
    if constexpr (!std::is_same_v<Message, wire::SecureReply>) check(parsed);
  } catch (const Error& error) { require_clean(error.info()); }
}

}  // namespace
}  // namespace driftless::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace driftless;
  static google::protobuf::LogHandler* const loud = google::protobuf::SetLogHandler(nullptr);
  static_cast<void>(loud);
  std::string_view input = fuzz::text_of(data, size);
  while (input.size() >= 3) {
    const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(input[at]); };
    const unsigned kind = byte(0) % 4;
    const std::string_view bytes = input.substr(3, byte(1) + 256U * byte(2));
    input.remove_prefix(3 + bytes.size());
    if (kind == 0) fuzz::take<wire::Offer>(bytes, std::string("south"));
    else if (kind == 1) fuzz::take<wire::Comparison>(bytes);
    else if (kind == 2) fuzz::take<wire::SecureReply>(bytes);
    else fuzz::take<wire::FromServer>(bytes, fuzz::clients);
  }
  return 0;
}
