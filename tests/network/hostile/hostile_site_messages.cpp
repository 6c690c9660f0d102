// Attacks by all other messages during a run: checkpoints, ends, aborts, silence, broken streams.
#include "tests/network/hostile/hostile_site.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace driftless {
namespace {

using End = SiteAttack::End;

// One message before the rows of the first sum, after which the attacker is dropped.
SiteAttack message(std::string name, const std::function<void(wire::FromSite&)>& edit, std::string message) {
  return {.name = "message, " + name,
          .act =
              [=](Attacker& attacker) {
                attacker.reach(wire_run::first_sum);
                wire::FromSite sent;
                edit(sent);
                attacker.raw().send(sent);
                attacker.hear();
              },
          .end = End::dropped,
          .message = std::move(message),
          .lost = wire_run::first_sum};
}

SiteAttack abort_with(int code) {
  return message(
      "aborts with kind " + std::to_string(code),
      [=](wire::FromSite& sent) {
        sent.mutable_abort()->set_what("no power");
        sent.mutable_abort()->set_kind(code);
      },
      "aborted the run: no power");
}

// The same, but the attacker continues honestly and the run is unaffected.
SiteAttack harmless(std::string name, const std::function<void(Attacker&)>& act) {
  return {.name = "message, " + name,
          .act =
              [=](Attacker& attacker) {
                attacker.reach(wire_run::first_sum);
                act(attacker);
                attacker.continue_from(wire_run::first_sum);
              },
          .end = End::takes_part,
          .message = "site 'south' joined"};
}

SiteAttack checkpoint(std::string name, std::uint64_t next) {
  return harmless("a checkpoint " + name, [=](Attacker& attacker) {
    wire::FromSite sent;
    sent.mutable_checkpoint()->set_next_exchange(next);
    attacker.raw().send(sent);
  });
}

void send_chunk_and(Attacker& attacker, const std::function<void()>& act) {
  attacker.reach(wire_run::wide_sum);
  attacker.raw().send(chunk_of(wire_run::wide_sum, 0, south_rows(wire_run::wide_sum, 0)));
  act();
}

std::vector<SiteAttack> absences() {
  return {
      {.name = "message, joins and keeps silent",
       .act =
           [](Attacker& attacker) {
             attacker.join();
             attacker.hear();
           },
       .end = End::dropped,
       .message = "has kept the others waiting",
       .lost = wire_run::facts},
      // The others may not be more than a few chunks ahead and wait as well: they are not at fault.
      {.name = "message, silence in a wide sum",
       .act =
           [](Attacker& attacker) {
             attacker.reach(wire_run::wide_sum);
             attacker.hear();
           },
       .end = End::dropped,
       .message = "has kept the others waiting",
       .lost = wire_run::wide_sum},
      {.name = "message, one chunk and silence",
       .act = [](Attacker& attacker) { send_chunk_and(attacker, [&] { attacker.hear(); }); },
       .end = End::dropped,
       .message = "has kept the others waiting",
       .lost = wire_run::wide_sum},
      {.name = "message, one chunk and away",
       .act = [](Attacker& attacker) { send_chunk_and(attacker, [&] { attacker.raw().hang_up(); }); },
       .end = End::dropped,
       .message = "has been away",
       .lost = wire_run::wide_sum},
      {.name = "message, one chunk and back with another greeting",
       .act =
           [](Attacker& attacker) {
             send_chunk_and(attacker, [&] {
               attacker.renew();
               wire::FromSite hello = attacker.hello();
               hello.mutable_hello()->set_next_exchange(wire_run::wide_sum);
               hello.mutable_hello()->mutable_history()->set_high(13);
               attacker.greet_with(hello);
             });
           },
       .end = End::dropped,
       .message = "has been away",
       .lost = wire_run::wide_sum},
      {.name = "message, reads nothing and sends for ever",
       .act =
           [](Attacker& attacker) {
             attacker.join();
             attacker.raw().send(chunk_of(wire_run::facts, 7, south_facts()));
             for (int k = 0; k < 3000; ++k)
               if (!attacker.raw().send(chunk_of(wire_run::facts, 7, std::vector<double>(1000, 1.0)))) break;
           },
       .end = End::dropped,
       .message = "out of turn",
       .lost = wire_run::facts},
  };
}

std::vector<SiteAttack> streams() {
  const auto joined_raw = [](Attacker& attacker, std::vector<std::string> bytes) {
    bytes.insert(bytes.begin(), attacker.hello().SerializeAsString());
    join_raw(attacker.address(), certificates_of("south"), bytes);
  };
  const auto raw = [=](std::string name, std::vector<std::string> bytes, std::string message) {
    return SiteAttack{.name = "message, " + name,
                      .act = [=](Attacker& attacker) { joined_raw(attacker, bytes); },
                      .end = End::dropped,
                      .message = std::move(message),
                      .lost = wire_run::facts};
  };
  return {
      raw("garbage after the greeting", {std::string(300, '\xff')}, "has been away"),
      raw("a chunk cut in the middle", {chunk_of(0, 0, south_facts()).SerializeAsString().substr(0, 40)},
          "has been away"),
      raw("text that is not UTF-8", {std::string("\x2a\x06\x0a\x04\xff\xfe\xc0\x80", 8)}, "has been away"),
      raw("five megabytes", {std::string(5 << 20, 'x')}, "has been away"),
      raw("a kind that does not exist", {std::string("\x9a\x06\x03xyz", 6)}, "an empty message"),
  };
}

std::vector<SiteAttack> without_effect() {
  return {
      checkpoint("of the future", 1000),
      checkpoint("at 2^64 - 1", std::numeric_limits<std::uint64_t>::max()),
      checkpoint("of the past", 0),
      harmless("rows of a past exchange",
               [](Attacker& attacker) { attacker.raw().send(chunk_of(0, 0, std::vector<double>(3, 1e300))); }),
      harmless("rows with unknown fields",
               [](Attacker& attacker) {
                 wire::FromSite sent = chunk_of(0, 0, south_facts());
                 sent.GetReflection()->MutableUnknownFields(&sent)->AddLengthDelimited(99, escapes);
                 attacker.raw().send(sent);
               }),
      harmless("finished on another stream",
               [](Attacker& attacker) {
                 Attacker other(attacker.address());
                 wire::FromSite hello = other.hello();
                 hello.mutable_hello()->set_finished(true);
                 other.greet_with(hello);
               }),
      harmless("a hundred checkpoints",
               [](Attacker& attacker) {
                 wire::FromSite sent;
                 for (std::uint64_t k = 0; k < 100; ++k) {
                   sent.mutable_checkpoint()->set_next_exchange(k * 7919);
                   attacker.raw().send(sent);
                 }
               }),
  };
}

}  // namespace

std::vector<SiteAttack> attacks_by_messages() {
  std::vector<SiteAttack> attacks{
      message(
          "empty", [](wire::FromSite&) {}, "an empty message, in the middle of the run"),
      message(
          "a second greeting", [](wire::FromSite& sent) { sent.mutable_hello()->set_version(escapes); },
          "a second greeting"),
      message(
          "an end in the middle", [](wire::FromSite& sent) { sent.mutable_finished(); },
          "has left the run, but exchange 1 needs its rows"),
      message(
          "abandons an exchange that belongs to no round",
          [](wire::FromSite& sent) { sent.mutable_abandon()->set_exchange(wire_run::first_sum); },
          "without a limit of work"),
      message(
          "abandons exchange 2^64 - 1", [](wire::FromSite& sent) { sent.mutable_abandon()->set_exchange(~0ULL); },
          "without a limit of work"),
      abort_with(0),
      abort_with(-1),
      abort_with(77),
      abort_with(std::numeric_limits<int>::max()),
      message(
          "aborts with escape sequences",
          [](wire::FromSite& sent) {
            sent.mutable_abort()->set_what(escapes);
            sent.mutable_abort()->set_seen(escapes);
            sent.mutable_abort()->set_advice(escapes);
          },
          "aborted the run: \\x1b"),
      message(
          "aborts with a megabyte",
          [](wire::FromSite& sent) {
            sent.mutable_abort()->set_what(std::string(1 << 20, 'w'));
            sent.mutable_abort()->set_seen(std::string(1 << 20, 's'));
          },
          "aborted the run: www"),
      message(
          "aborts without a reason", [](wire::FromSite& sent) { sent.mutable_abort(); },
          "aborted the run: no reason was given"),
  };
  for (const auto& more : {without_effect(), absences(), streams()})
    attacks.insert(attacks.end(), more.begin(), more.end());
  return attacks;
}

}  // namespace driftless
