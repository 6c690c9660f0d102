// Messages of two sites to the server. An input is one byte that chooses what happens to a site which misbehaves, then
// for each message the site, its length (two bytes) and the message itself. Sites greet as often as they like.
#include "driftless/transports/site_message.hpp"

#include "fuzz/input.hpp"
#include "fuzz/own_folder.hpp"

#include <array>
#include <google/protobuf/stubs/logging.h>

namespace driftless::fuzz {
namespace {

constexpr std::size_t clients = 3;
const std::vector<Seat> seats{{"a", {0}}, {"b", {1, 2}}};
// No more pieces than a site may be ahead of the others: one thread plays all and must never wait for itself.
constexpr std::size_t wide = Pieces::entries + 2;

// The server's own peer: a sum, one of several pieces, rows for all, and the end.
class Server {
 public:
  explicit Server(Hub& hub) : hub_(hub) { hub_.begin_sum(0, all_, 2); }

  void go_on() {
    may_throw<Error>([&] {
      while (!ended_ && hub_.is_over()) begin_next();
    });
  }

 private:
  void begin_next() {
    ++at_;
    ended_ = at_ == 3;
    if (at_ == 1) hub_.begin_sum(1, all_, wide);
    else if (at_ == 2) hub_.begin_share(2, 2);
    else hub_.end(ExitCode::done, {});
  }

  Hub& hub_;
  std::vector<ClientId> all_{0, 1, 2};
  ExchangeId at_ = 0;
  bool ended_ = false;
};

// Two bytes in the place of values stand for that many numbers, as an input is too short for whole pieces.
void stretch(wire::FromSite& message) {
  if (!message.has_piece() || message.piece().values().size() != 2) return;
  const std::string& count = message.piece().values();
  const std::size_t numbers = static_cast<std::uint8_t>(count[0]) + 256U * static_cast<std::uint8_t>(count[1]);
  std::string values;
  detail::put_values(std::vector<double>(numbers, 0.5), values);
  message.mutable_piece()->set_values(values);
}

class Site {
 public:
  Site(Hub& hub, std::size_t seat) : hub_(hub), seat_(seat) { greet(0); }

  void send(const wire::FromSite& message) {
    if (message.has_hello()) return greet(message.hello().next_exchange());
    if (!line_) return;
    try {
      detail::take_in(message, *line_);
    } catch (const Refused& refused) {
      line_->refuse(refused.trouble);
      line_.reset();
    }
  }

 private:
  void greet(ExchangeId next) {
    line_.reset();
    may_throw<Refused>([&] { line_ = hub_.enter(seat_, next); });
  }

  Hub& hub_;
  std::size_t seat_;
  std::unique_ptr<Hub::Line> line_;
};

void play(std::string_view input, Hub& hub) {
  Server server(hub);
  std::array<Site, 2> sites{Site(hub, 0), Site(hub, 1)};
  wire::FromSite message;
  while (input.size() >= 3) {
    const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(input[at]); };
    Site& site = sites[byte(0) % sites.size()];
    const std::string_view bytes = input.substr(3, byte(1) + 256U * byte(2));
    input.remove_prefix(3 + bytes.size());
    if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) continue;
    stretch(message);
    site.send(message);
    server.go_on();
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
  Journal journal(folder.path());
  journal.stop_keeping();  // nothing reaches the disk
  Hub hub(fuzz::clients, fuzz::seats, journal, {.on_loss = data[0] % 2 == 0 ? OnLoss::abort : OnLoss::drop});
  fuzz::play(fuzz::text_of(data, size).substr(1), hub);
  return 0;
}
