// Attacks by calls outside of the stream: none has an effect, and an honest process of the site takes part afterwards.
#include "tests/network/hostile/hostile_site.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace driftless {
namespace {

using End = SiteAttack::End;

template <class Request, class Reply>
void call(Attacker& attacker, grpc::Status (wire::Hub::Stub::*method)(grpc::ClientContext*, const Request&, Reply*),
          const Request& request, const std::function<void(const Reply&)>& see = {}) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
  context.set_wait_for_ready(true);
  Reply reply;
  const grpc::Status status = (attacker.raw().stub().*method)(&context, request, &reply);
  if (status.ok() && reply.has_rejection()) attacker.note(reply.rejection());
  if (status.ok() && see) see(reply);
}

SiteAttack look(std::string name, const std::string& version, const std::string& site, std::string message) {
  return {.name = "look, " + name,
          .act =
              [=](Attacker& attacker) {
                wire::LookRequest request;
                request.set_version(version);
                request.set_site(site);
                call<wire::LookRequest, wire::Offer>(attacker, &wire::Hub::Stub::Look, request,
                                                     [](const wire::Offer& offer) {
                                                       if (offer.has_rejection()) return;
                                                       EXPECT_EQ(offer.site(), "south");
                                                     });
              },
          .end = End::rejoins,
          .message = std::move(message)};
}

SiteAttack compare(std::string name, const std::function<void(wire::SiteFacts&)>& edit, std::string message) {
  return {.name = "compare, " + name,
          .act =
              [=](Attacker& attacker) {
                wire::CompareRequest request;
                request.set_version(wire_run::version);
                edit(*request.mutable_facts());
                call<wire::CompareRequest, wire::Comparison>(attacker, &wire::Hub::Stub::Compare, request,
                                                             [](const wire::Comparison& comparison) {
                                                               for (const wire::SiteFacts& known : comparison.known())
                                                                 EXPECT_EQ(known.site(), "south");
                                                             });
              },
          .end = End::rejoins,
          .message = std::move(message)};
}

SiteAttack secure(std::string name, const std::string& run, std::uint64_t before, std::string message) {
  return {.name = "secure, " + name,
          .act =
              [=](Attacker& attacker) {
                wire::SecureRequest request;
                request.set_version(wire_run::version);
                request.set_run(run);
                request.set_before(before);
                call<wire::SecureRequest, wire::SecureReply>(
                    attacker, &wire::Hub::Stub::Secure, request,
                    [](const wire::SecureReply& reply) { EXPECT_LE(reply.durable(), 0U) << "south has sent nothing"; });
              },
          .end = End::rejoins,
          .message = std::move(message)};
}

SiteAttack decline(std::string name, const std::string& version, const std::string& reason, std::string message) {
  return {.name = "decline, " + name,
          .act =
              [=](Attacker& attacker) {
                wire::DeclineRequest request;
                request.set_version(version);
                request.set_site("north");
                request.set_what(reason);
                request.set_seen(reason);
                call<wire::DeclineRequest, wire::DeclineReply>(attacker, &wire::Hub::Stub::Decline, request);
              },
          .end = End::rejoins,
          .message = std::move(message)};
}

SiteAttack raw(const std::string& method, std::string name, const std::string& bytes) {
  return {.name = method + ", " + name,
          .act = [=](Attacker& attacker) { EXPECT_LE(attacker.raw().call_raw(method, bytes).size(), 1000U); },
          .end = End::rejoins,
          .message = ""};
}

std::vector<SiteAttack> comparisons() {
  const std::string senseless = "the site sent an invalid message";
  return {
      compare(
          "half a million labels",
          [](wire::SiteFacts& facts) {
            for (int k = 0; k < 500'000; ++k) facts.add_labels(k);
          },
          senseless),
      compare(
          "65 labels",
          [](wire::SiteFacts& facts) {
            for (int k = 0; k < 65; ++k) facts.add_labels(k);
          },
          senseless),
      compare(
          "a label that is not a number",
          [](wire::SiteFacts& facts) { facts.add_labels(std::numeric_limits<double>::quiet_NaN()); }, senseless),
      compare(
          "an infinite label",
          [](wire::SiteFacts& facts) { facts.add_labels(-std::numeric_limits<double>::infinity()); }, senseless),
      compare(
          "2^64 - 1 rows", [](wire::SiteFacts& facts) { facts.set_rows(std::numeric_limits<std::uint64_t>::max()); },
          senseless),
      compare(
          "2^60 columns", [](wire::SiteFacts& facts) { facts.set_columns(std::uint64_t{1} << 60); }, senseless),
      compare(
          "facts of another site", [](wire::SiteFacts& facts) { facts.set_site("north"); }, ""),
      compare(
          "escape sequences as a name", [](wire::SiteFacts& facts) { facts.set_site(escapes); }, ""),
      compare(
          "no facts", [](wire::SiteFacts&) {}, ""),
  };
}

}  // namespace

std::vector<SiteAttack> attacks_by_calls() {
  const std::string other_version = "the site runs another version of the program";
  const std::string another_run = "the site belongs to another run";
  std::vector<SiteAttack> attacks{
      look("no version", "", "", other_version),
      look("another version", "0.0.0", "", other_version),
      look("a version of a megabyte", std::string(1 << 20, 'v'), "", other_version),
      look("escape sequences as a version", escapes, "", other_version),
      look("a version that is not UTF-8", not_utf8, "", ""),
      look("the name of another site", wire_run::version, "north", ""),
      look("escape sequences as a name", wire_run::version, escapes, ""),
      look("a name of a megabyte", wire_run::version, std::string(1 << 20, 'n'), ""),
      raw("Look", "garbage", std::string(2000, '\xff')),
      raw("Look", "more than a message may have", std::string(5 << 20, '\x0a')),
      raw("Look", "bytes after the message", std::string("\x0a\x01v\x9a\x06\x03xyz", 9)),
      raw("Compare", "garbage", std::string(2000, '\x80')),
      raw("Compare", "facts within facts", std::string("\x1a\x04\x1a\x02\x1a\x00", 6)),
      decline("without a reason, in the name of another site", wire_run::version, "", ""),
      decline("escape sequences as a reason", wire_run::version, escapes, ""),
      decline("a reason of a megabyte", wire_run::version, std::string(1 << 20, 'w'), ""),
      decline("another version", "0.0.0", "no", other_version),
      raw("Decline", "garbage", std::string(2000, '\xfe')),
      raw("Secure", "garbage", "\x20\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
      raw("Nothing", "a call that does not exist", "x"),
      secure("exchange 2^63", wire_run::name, std::uint64_t{1} << 63, "exchange 9223372036854775808"),
      secure("exchange 2^64 - 1", wire_run::name, std::numeric_limits<std::uint64_t>::max(), "an invalid message"),
      secure("an exchange of the future", wire_run::name, std::uint64_t{1} << 40, ""),
      secure("another run", "other", 1, another_run),
      secure("escape sequences as a run", escapes, 1, another_run),
      secure("a run of a megabyte", std::string(1 << 20, 'r'), 1, another_run),
      secure("no run", "", 0, another_run),
  };
  const std::vector<SiteAttack> more = comparisons();
  attacks.insert(attacks.end(), more.begin(), more.end());
  return attacks;
}

}  // namespace driftless
