// Messages of two sites to the server. An input is one byte that chooses what happens to a site which misbehaves, then
// for each message one byte (site and call), its length (two bytes) and the message itself. Sites greet as often as
// they like.
#include "driftless/core/printable.hpp"
#include "driftless/network/grpc/wire_messages.hpp"

#include "fuzz/input.hpp"
#include "fuzz/own_folder.hpp"

#include <array>
#include <google/protobuf/stubs/logging.h>
#include <limits>

namespace driftless::fuzz {
namespace {

constexpr std::size_t clients = 3;
const std::vector<SiteSlot> slots{{"a", {0}}, {"b", {1, 2}}};
// No more chunks than a site may be ahead of the others: one thread plays all and must never wait for itself.
constexpr std::size_t wide = Chunks::entries + 2;

// What is told to people has no control characters, whatever a site sent.
void require_clean(const std::string& text) {
  require(printable(text, std::numeric_limits<std::size_t>::max()) == text);
}

void require_clean(const ErrorInfo& info) {
  for (const std::string& text : {info.what, info.seen, info.advice}) require_clean(text);
}

// The server's own peer: a sum, one of several chunks, rows for all that are checked, and the end.
class Server {
 public:
  explicit Server(Hub& hub) : hub_(hub) { hub_.begin_sum(0, all_, 2); }

  void run_on() {
    try {
      while (!ended_ && hub_.is_complete()) begin_next();
    } catch (const Error& error) { require_clean(error.info()); }
  }

 private:
  void begin_next() {
    ++at_;
    ended_ = at_ == 3;
    if (at_ == 1) hub_.begin_sum(1, all_, wide);
    else if (at_ == 2) hub_.begin_share(2, 2, fault_of);
    else hub_.end(ErrorKind::run_failed, {});
  }
  static std::optional<std::string> fault_of(std::span<const double> row) {
    return row[0] > 1.0 ? std::optional<std::string>("too much") : std::nullopt;
  }

  Hub& hub_;
  std::vector<ClientId> all_{0, 1, 2};
  ExchangeId at_ = 0;
  bool ended_ = false;
};

// Two bytes instead of values stand for that many numbers, as an input is too short for whole chunks.
void stretch(wire::FromSite& message) {
  if (!message.has_chunk() || message.chunk().values().size() != 2) return;
  const std::string& count = message.chunk().values();
  const std::size_t numbers = static_cast<std::uint8_t>(count[0]) + 256U * static_cast<std::uint8_t>(count[1]);
  std::string values;
  detail::put_values(std::vector<double>(numbers, 0.5), values);
  message.mutable_chunk()->set_values(values);
}

class TestSite {
 public:
  TestSite(Hub& hub, std::size_t slot) : hub_(hub), slot_(slot) { connection_ = hub_.join(slot_, 0); }

  void send(const wire::FromSite& message) {
    try {
      if (message.has_hello()) greet(detail::parse_greeting(message));
      else if (connection_) detail::handle(detail::parse(message), *connection_);
      else detail::parse(message);
    } catch (const Rejection& rejection) {
      require_clean(rejection.info());
      if (connection_) connection_->reject(rejection.info());
      connection_.reset();
    }
  }

 private:
  void greet(const detail::Greeting& greeting) {
    connection_.reset();
    for (const std::string& text :
         {greeting.from.version, greeting.from.site, greeting.run, greeting.configuration_digest})
      require_clean(text);
    if (greeting.finished) hub_.mark_finished(slot_);
    else connection_ = hub_.join(slot_, greeting.next, greeting.history);
  }

  Hub& hub_;
  std::size_t slot_;
  std::unique_ptr<HubConnection> connection_;
};

// The calls beside the stream.
template <class Request>
void call(std::string_view bytes) {
  Request request;
  if (!request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return;
  try {
    const auto parsed = detail::parse(request);
    if constexpr (std::is_same_v<Request, wire::CompareRequest>)
      require(parsed.facts.labels.size() <= detail::most_labels && parsed.facts.site.empty());
    if constexpr (std::is_same_v<Request, wire::DeclineRequest>) require_clean(parsed.reason);
  } catch (const Rejection& rejection) { require_clean(rejection.info()); }
}

void play(std::string_view input, Hub& hub) {
  Server server(hub);
  std::array<TestSite, 2> joined{TestSite(hub, 0), TestSite(hub, 1)};
  wire::FromSite message;
  while (input.size() >= 3) {
    const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(input[at]); };
    const unsigned kind = byte(0);
    const std::string_view bytes = input.substr(3, byte(1) + 256U * byte(2));
    input.remove_prefix(3 + bytes.size());
    if (kind / 2 % 8 == 7) call<wire::DeclineRequest>(bytes);
    else if (kind / 2 % 4 == 1) call<wire::LookRequest>(bytes);
    else if (kind / 2 % 4 == 2) call<wire::CompareRequest>(bytes);
    else if (kind / 2 % 4 == 3) call<wire::SecureRequest>(bytes);
    else if (message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
      stretch(message);
      joined[kind % joined.size()].send(message);
      server.run_on();
    }
  }
}

}  // namespace
}  // namespace driftless::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace driftless;
  static const fuzz::OwnFolder folder;
  static google::protobuf::LogHandler* const loud = google::protobuf::SetLogHandler(nullptr);
  static_cast<void>(loud);
  if (size == 0) return 0;
  Journal journal(folder.path(), {});
  journal.stop_keeping();  // nothing reaches the disk
  Hub hub(fuzz::clients, fuzz::slots, journal,
          {.on_loss = data[0] % 2 == 0 ? OnLoss::abort : OnLoss::drop,
           .on_event = [](const HubEvent& event) { fuzz::require_clean(event.text); }});
  fuzz::play(fuzz::text_of(data, size).substr(1), hub);
  return 0;
}
