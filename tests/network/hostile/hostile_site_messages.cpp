// Attacks by everything else in the middle of a run: checkpoints, farewells, surrenders, silence, broken streams.
#include "tests/network/hostile/hostile_site.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace driftless {
namespace {

using End = SiteAttack::End;

// One message before the rows of the first sum, after which the attacker is dropped.
SiteAttack message(std::string name, const std::function<void(wire::FromSite&)>& edit, std::string said) {
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
          .said = std::move(said),
          .lost = wire_run::first_sum};
}

SiteAttack surrender(int code) {
  return message(
      "fails with exit code " + std::to_string(code),
      [=](wire::FromSite& sent) {
        sent.mutable_failure()->set_what("no memory");
        sent.mutable_failure()->set_kind(code);
      },
      "failed: no memory");
}

// The same, but the attacker continues honestly and nobody is harmed.
SiteAttack harmless(std::string name, const std::function<void(Attacker&)>& act) {
  return {.name = "message, " + name,
          .act =
              [=](Attacker& attacker) {
                attacker.reach(wire_run::first_sum);
                act(attacker);
                attacker.continue_from(wire_run::first_sum);
              },
          .end = End::takes_part,
          .said = "site 'south' joined"};
}

SiteAttack checkpoint(std::string name, std::uint64_t next) {
  return harmless("a checkpoint " + name, [=](Attacker& attacker) {
    wire::FromSite sent;
    sent.mutable_saved()->set_next_exchange(next);
    attacker.raw().send(sent);
  });
}

void send_piece_and(Attacker& attacker, const std::function<void()>& act) {
  attacker.reach(wire_run::wide_sum);
  attacker.raw().send(piece_of(wire_run::wide_sum, 0, south_rows(wire_run::wide_sum, 0)));
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
       .said = "has kept the others waiting",
       .lost = wire_run::facts},
      // The others may not be more than a few pieces ahead and wait as well: they are not to blame.
      {.name = "message, silence in a wide sum",
       .act =
           [](Attacker& attacker) {
             attacker.reach(wire_run::wide_sum);
             attacker.hear();
           },
       .end = End::dropped,
       .said = "has kept the others waiting",
       .lost = wire_run::wide_sum},
      {.name = "message, one piece and silence",
       .act = [](Attacker& attacker) { send_piece_and(attacker, [&] { attacker.hear(); }); },
       .end = End::dropped,
       .said = "has kept the others waiting",
       .lost = wire_run::wide_sum},
      {.name = "message, one piece and away",
       .act = [](Attacker& attacker) { send_piece_and(attacker, [&] { attacker.raw().hang_up(); }); },
       .end = End::dropped,
       .said = "has been away",
       .lost = wire_run::wide_sum},
      {.name = "message, one piece and back with another greeting",
       .act =
           [](Attacker& attacker) {
             send_piece_and(attacker, [&] {
               attacker.renew();
               wire::FromSite hello = attacker.hello();
               hello.mutable_hello()->set_next_exchange(wire_run::wide_sum);
               hello.mutable_hello()->mutable_history()->set_high(13);
               attacker.greet_with(hello);
             });
           },
       .end = End::dropped,
       .said = "has been away",
       .lost = wire_run::wide_sum},
      {.name = "message, reads nothing and sends for ever",
       .act =
           [](Attacker& attacker) {
             attacker.join();
             attacker.raw().send(piece_of(wire_run::facts, 7, south_facts()));
             for (int k = 0; k < 3000; ++k)
               if (!attacker.raw().send(piece_of(wire_run::facts, 7, std::vector<double>(1000, 1.0)))) break;
           },
       .end = End::dropped,
       .said = "not its turn",
       .lost = wire_run::facts},
  };
}

std::vector<SiteAttack> streams() {
  const auto joined_raw = [](Attacker& attacker, std::vector<std::string> bytes) {
    bytes.insert(bytes.begin(), attacker.hello().SerializeAsString());
    join_raw(attacker.address(), certificates_of("south"), bytes);
  };
  const auto raw = [=](std::string name, std::vector<std::string> bytes, std::string said) {
    return SiteAttack{.name = "message, " + name,
                      .act = [=](Attacker& attacker) { joined_raw(attacker, bytes); },
                      .end = End::dropped,
                      .said = std::move(said),
                      .lost = wire_run::facts};
  };
  return {
      raw("garbage after the greeting", {std::string(300, '\xff')}, "has been away"),
      raw("a piece cut in the middle", {piece_of(0, 0, south_facts()).SerializeAsString().substr(0, 40)},
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
               [](Attacker& attacker) { attacker.raw().send(piece_of(0, 0, std::vector<double>(3, 1e300))); }),
      harmless("rows with unknown fields",
               [](Attacker& attacker) {
                 wire::FromSite sent = piece_of(0, 0, south_facts());
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
                   sent.mutable_saved()->set_next_exchange(k * 7919);
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
          "a farewell in the middle", [](wire::FromSite& sent) { sent.mutable_bye(); },
          "has left the run, but exchange 1 needs its rows"),
      surrender(0),
      surrender(-1),
      surrender(77),
      surrender(std::numeric_limits<int>::max()),
      message(
          "fails with escape sequences",
          [](wire::FromSite& sent) {
            sent.mutable_failure()->set_what(escapes);
            sent.mutable_failure()->set_seen(escapes);
            sent.mutable_failure()->set_advice(escapes);
          },
          "failed: \\x1b"),
      message(
          "fails with a megabyte",
          [](wire::FromSite& sent) {
            sent.mutable_failure()->set_what(std::string(1 << 20, 'w'));
            sent.mutable_failure()->set_seen(std::string(1 << 20, 's'));
          },
          "failed: www"),
      message(
          "fails without a reason", [](wire::FromSite& sent) { sent.mutable_failure(); },
          "failed: no reason was given"),
  };
  for (const auto& more : {without_effect(), absences(), streams()})
    attacks.insert(attacks.end(), more.begin(), more.end());
  return attacks;
}

}  // namespace driftless
