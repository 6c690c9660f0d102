// Attacks on the stream: invalid totals, messages at the wrong time, invalid agreements, broken streams.
#include "driftless/network/hub/chunks.hpp"

#include "tests/network/hostile/hostile_server.hpp"

#include <limits>
#include <numeric>

namespace driftless {
namespace {

const std::string senseless = "the server sent an invalid message";
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Messages instead of an honest total.
ServerAttack at(std::string name, ExchangeId exchange, const ServerMessages& messages, std::string message = senseless,
                ErrorKind kind = ErrorKind::communication) {
  return {.name = std::move(name),
          .edit = [=](RawServer::Answers& answers) { answers.stream = after_honest(exchange, messages); },
          .message = std::move(message),
          .kind = kind};
}

ServerAttack first(std::string name, const ServerMessages& messages, std::string message) {
  return {.name = "first message, " + name,
          .edit = [=](RawServer::Answers& answers) { answers.stream = messages; },
          .message = std::move(message)};
}

ServerAttack chunk(std::string name, std::uint64_t exchange, std::uint64_t index, const std::vector<double>& values,
                   std::uint32_t attempt = 0) {
  return at("total, " + std::move(name), wire_run::first_sum, {total_chunk(exchange, index, values, attempt)});
}

ServerAttack entry(std::string name, double value) { return chunk(std::move(name), 1, 0, {1.0, 2.0, value, 4.0, 5.0}); }

ServerAttack bytes(std::string name, std::size_t count) {
  wire::FromServer message = total_chunk(1, 0, {});
  message.mutable_chunk()->set_values(std::string(count, '\x3f'));
  return at("total, " + std::move(name), wire_run::first_sum, {message});
}

ServerAttack facts(std::string name, std::size_t index, double value, std::string message,
                   ErrorKind kind = ErrorKind::communication) {
  std::vector<double> values = honest_facts();
  values[index] = value;
  return at("facts, " + std::move(name), wire_run::facts, {total_chunk(0, 0, values), done_with(0)}, std::move(message),
            kind);
}

ServerAttack agreement(std::string name, const std::vector<ClientId>& absent, std::uint32_t signal,
                       std::string message = senseless) {
  const std::vector<double> total = expected_totals(wire_run::end)[wire_run::first_sum];
  return at("agreement, " + std::move(name), wire_run::first_sum,
            {total_chunk(1, 0, total), done_with(1, absent, signal)}, std::move(message));
}

ServerAttack again(std::string name, const std::vector<std::uint32_t>& attempts) {
  ServerMessages messages;
  for (const std::uint32_t attempt : attempts) messages.push_back(again_with(wire_run::first_sum, attempt));
  return at("again, " + std::move(name), wire_run::first_sum, messages);
}

ServerAttack closed(std::string name, const ServerMessages& messages,
                    std::string message = "the server cannot be reached") {
  return {.name = "closed, " + std::move(name),
          .edit =
              [=](RawServer::Answers& answers) {
                answers.stream = messages;
                answers.closes = true;
              },
          .message = std::move(message)};
}

std::vector<ClientId> a_million() {
  std::vector<ClientId> ids(1'000'000);
  std::iota(ids.begin(), ids.end(), ClientId{0});
  return ids;
}

// The rest of an honest run after these messages.
ServerMessages then_honest(ExchangeId exchange, ServerMessages messages) {
  for (ExchangeId id = exchange; id < wire_run::end; ++id)
    for (const wire::FromServer& message : honest_total(id)) messages.push_back(message);
  return messages;
}

// No check sees the rows of a client that the same message declares dropped, so they must not be used.
ServerAttack facts_of_dropped(std::string name, std::size_t index, double value) {
  std::vector<double> values = honest_facts();
  values[index] = value;
  return at("facts of a dropped client, " + std::move(name), wire_run::facts,
            then_honest(wire_run::first_sum, {total_chunk(0, 0, values), done_with(0, {0})}), "");
}

std::vector<ServerAttack> shared_rows() {
  std::vector<double> counts(wire_run::clients * wire_run::tally_width(), 0.0);
  counts[0] = -1.0;
  const std::string numbers = "a peer shared invalid numbers";
  const std::string other = "the other peers have different facts about the data of this peer";
  return {
      facts("60 labels", 2, 60.0, numbers),
      facts("10^9 labels", 2, 1e9, numbers),
      facts("-1000 rows", 21, -1000.0, numbers),
      facts("2e9 columns", 1, 2e9, numbers),
      facts("fewer columns than this site has", 8, 1.0, other, ErrorKind::data),
      facts("other labels than this site has", 10, 7.0, other, ErrorKind::data),
      facts("9e15 rows at two clients", 0, 9007199254740992.0, "number of rows of all clients is out of range",
            ErrorKind::data),
      facts_of_dropped("60 labels", 2, 60.0),
      facts_of_dropped("10^9 labels", 2, 1e9),
      facts_of_dropped("-1e9 rows", 0, -1e9),
      at("counts, negative", wire_run::tallies, {total_chunk(3, 0, counts), done_with(3)}, numbers),
  };
}

}  // namespace

std::vector<ServerAttack> attacks_by_totals() {
  const std::vector<double> good(wire_run::narrow, 1.0);
  std::vector<ServerAttack> attacks{
      chunk("chunk 1 first", 1, 1, good),
      chunk("chunk 2^64 - 1", 1, ~std::uint64_t{0}, good),
      chunk("attempt 1", 1, 0, good, 1),
      chunk("of the next exchange", 2, 0, good),
      chunk("of the exchange before", 0, 0, good),
      chunk("of exchange 2^63", std::uint64_t{1} << 63, 0, good),
      chunk("one number too few", 1, 0, std::vector<double>(4, 1.0)),
      chunk("one number too many", 1, 0, std::vector<double>(6, 1.0)),
      chunk("no numbers", 1, 0, {}),
      chunk("more than a chunk may have", 1, 0, std::vector<double>(Chunks::entries + 1, 1.0)),
      bytes("39 bytes", 39),
      bytes("one byte", 1),
      entry("not a number", not_a_number),
      entry("infinite", infinity),
      entry("1e300", 1e300),
      entry("-1.7e308", -1.7e308),
      at("total, a chunk twice", wire_run::first_sum, {total_chunk(1, 0, good), total_chunk(1, 0, good)}),
      at("total, a chunk left out", wire_run::wide_sum,
         {total_chunk(2, 0, std::vector<double>(Chunks::entries, 1.0)),
          total_chunk(2, 2, std::vector<double>(wire_run::wide - 2 * Chunks::entries, 1.0))}),
      at("total, its last chunk is not finite", wire_run::wide_sum,
         {total_chunk(2, 0, std::vector<double>(Chunks::entries, 1.0)),
          total_chunk(2, 1, std::vector<double>(Chunks::entries, 1.0)),
          total_chunk(2, 2, std::vector<double>(wire_run::wide - 2 * Chunks::entries, infinity))}),
  };
  const std::vector<ServerAttack> more = shared_rows();
  attacks.insert(attacks.end(), more.begin(), more.end());
  return attacks;
}

namespace {

std::vector<ServerAttack> agreements() {
  return {
      agreement("a client that does not exist", {4}, 0),
      agreement("client 2^64 - 1", {~ClientId{0}}, 0),
      agreement("a falling list", {3, 0}, 0),
      agreement("a client twice", {0, 0}, 0),
      agreement("a million clients", a_million(), 0),
      agreement("a client of this site", {1}, 0, "still sends totals"),
      agreement("everybody", {0, 1, 2, 3}, 0, "still sends totals"),
      agreement("the end of a round outside of rounds", {}, 4, "belongs to no round"),
      agreement("stop signal 6", {}, 6),
      agreement("stop signal 99", {}, 99),
      agreement("stop signal 2^32 - 1", {}, ~std::uint32_t{0}),
      again("the first attempt", {0}),
      again("an attempt twice", {1, 1}),
      again("backwards", {2, 1}),
      again("attempt 2^32 - 1", {~std::uint32_t{0}}),
      again("for ever", {1, 2, 3, 4, 5, 6, 7, 8}),
      at("again, of another exchange", wire_run::first_sum, {again_with(0, 1)}),
      {.name = "again, once",
       .edit =
           [](RawServer::Answers& answers) {
             ServerMessages messages{again_with(wire_run::first_sum, 1)};
             for (const wire::FromServer& message : honest_total(wire_run::first_sum, 1)) messages.push_back(message);
             answers.stream = after_honest(wire_run::first_sum, then_honest(wire_run::wide_sum, messages));
           },
       .message = ""},
  };
}

}  // namespace

std::vector<ServerAttack> attacks_by_sequence() {
  const std::vector<double> good(wire_run::narrow, 1.0);
  wire::FromServer unknown;
  unknown.GetReflection()->MutableUnknownFields(&unknown)->AddLengthDelimited(99, hostile_text);
  wire::FromServer large = total_chunk(0, 0, {});
  large.mutable_chunk()->set_values(std::string(5 << 20, 'x'));
  std::vector<ServerAttack> attacks{
      first("a chunk", {total_chunk(0, 0, good)}, "its first message is not a welcome"),
      first("the end of a total", {done_with(0)}, "its first message is not a welcome"),
      first("again", {again_with(0, 1)}, "its first message is not a welcome"),
      first("empty", {wire::FromServer()}, "an empty message"),
      first("unknown", {unknown}, "an empty message"),
      first("a welcome at 2^63", {welcome_at(std::uint64_t{1} << 63)}, senseless),
      first("a welcome in the far future", then_honest(0, {welcome_at(std::uint64_t{1} << 61)}), ""),
      at("sequence, a second welcome", wire_run::facts, {welcome_at(0)}, "a second welcome"),
      at("sequence, a late welcome", wire_run::wide_sum, {welcome_at(2)}, "a second welcome"),
      at("sequence, an empty message", wire_run::first_sum, {wire::FromServer()}, "an empty message"),
      at("sequence, an unknown message", wire_run::first_sum, {unknown}, "an empty message"),
      at("sequence, the end without a chunk", wire_run::first_sum, {done_with(1)}, "before its last chunk"),
      at("sequence, the end after one chunk of three", wire_run::wide_sum,
         {total_chunk(2, 0, std::vector<double>(Chunks::entries, 1.0)), done_with(2)}, "before its last chunk"),
      at("sequence, the end of another total", wire_run::first_sum, {total_chunk(1, 0, good), done_with(2)}),
      at("sequence, an end twice", wire_run::first_sum, {total_chunk(1, 0, good), done_with(1), done_with(1)}),
      closed("before a welcome", {}),
      closed("after the welcome", {welcome_at(0)}),
      closed("after one chunk", {welcome_at(0), total_chunk(0, 0, honest_facts())}),
      closed("after one total", after_honest(wire_run::first_sum, {}), ""),
      closed("with five megabytes", {welcome_at(0), large}),
  };
  attacks[attacks.size() - 2].message = senseless;  // the next connection starts with a total that the site has
  const std::vector<ServerAttack> more = agreements();
  attacks.insert(attacks.end(), more.begin(), more.end());
  return attacks;
}

}  // namespace driftless
