// Attacks by answers to the other calls, and by rejections: a rejection is never a success, and its text is shown.
#include "tests/network/hostile/hostile_server.hpp"

#include <limits>

namespace driftless {
namespace {

using Calls = ServerAttack::Calls;
const std::string senseless = "the server sent an invalid message";

ServerAttack rejected_offer(std::string name, const std::string& text, int code, ErrorKind expected,
                            std::string message) {
  return {.name = "rejection, " + name,
          .edit = [=](RawServer::Answers& answers) { fill_rejection(*answers.offer.mutable_rejection(), text, code); },
          .message = std::move(message),
          .kind = expected};
}

ServerAttack rejected_later(std::string name, ExchangeId at, const wire::FromServer& rejection, ErrorKind expected,
                            std::string message) {
  return {.name = "rejection, " + name,
          .edit = [=](RawServer::Answers& answers) { answers.stream = after_honest(at, {rejection}); },
          .message = std::move(message),
          .kind = expected};
}

ServerAttack comparison(std::string name, const std::function<void(wire::Comparison&)>& edit,
                        std::string message = senseless) {
  return {.name = "comparison, " + name,
          .edit = [=](RawServer::Answers& answers) { edit(answers.comparison); },
          .message = std::move(message),
          .also = Calls::compare};
}

ServerAttack secure(std::string name, const std::function<void(wire::SecureReply&)>& edit, std::string message) {
  return {.name = "secure, " + name,
          .edit = [=](RawServer::Answers& answers) { edit(answers.secure); },
          .message = std::move(message),
          .also = Calls::secure};
}

std::vector<ServerAttack> comparisons() {
  const auto known = [](wire::Comparison& comparison, const std::string& site) -> wire::SiteFacts& {
    wire::SiteFacts& facts = *comparison.add_known();
    facts.set_site(site);
    return facts;
  };
  return {
      comparison(
          "rejected with exit code 0",
          [](wire::Comparison& comparison) { fill_rejection(*comparison.mutable_rejection(), "no", 0); }, "no"),
      comparison("a name outside of the folder", [=](wire::Comparison& comparison) { known(comparison, "../x"); }),
      comparison("escape sequences as a name", [=](wire::Comparison& comparison) { known(comparison, hostile_text); }),
      comparison("a label that is not a number",
                 [=](wire::Comparison& comparison) {
                   known(comparison, "north").add_labels(std::numeric_limits<double>::quiet_NaN());
                 }),
      comparison("half a million labels",
                 [=](wire::Comparison& comparison) {
                   wire::SiteFacts& facts = known(comparison, "north");
                   for (int k = 0; k < 500'000; ++k) facts.add_labels(k);
                 }),
      comparison("2^60 rows",
                 [=](wire::Comparison& comparison) { known(comparison, "north").set_rows(std::uint64_t{1} << 60); }),
      comparison("2^64 - 1 columns",
                 [=](wire::Comparison& comparison) { known(comparison, "north").set_columns(~std::uint64_t{0}); }),
      comparison("escape sequences among the unknown",
                 [](wire::Comparison& comparison) { comparison.add_unknown(hostile_text); }),
      comparison(
          "a hundred thousand unknown sites",
          [](wire::Comparison& comparison) {
            for (int k = 0; k < 100'000; ++k) comparison.add_unknown("north");
          },
          ""),
      comparison(
          "nothing", [](wire::Comparison&) {}, ""),
  };
}

}  // namespace

std::vector<ServerAttack> attacks_by_answers() {
  constexpr int largest = std::numeric_limits<int>::max();
  std::vector<ServerAttack> attacks{
      rejected_offer("exit code 0", "go away", 0, ErrorKind::communication, "go away"),
      rejected_offer("exit code -1", "go away", -1, ErrorKind::communication, "go away"),
      rejected_offer("exit code 77", "go away", 77, ErrorKind::communication, "go away"),
      rejected_offer("exit code 2^31 - 1", "go away", largest, ErrorKind::communication, "go away"),
      rejected_offer("exit code 5", "go away", 5, ErrorKind::data, "go away"),
      rejected_offer("escape sequences", hostile_text, 3, ErrorKind::communication, "\\x1b[2J"),
      rejected_offer("no reason", "", 0, ErrorKind::communication, "no reason was given"),
      rejected_offer("a megabyte", std::string(1 << 20, 'r'), 3, ErrorKind::communication, "rrr"),
      rejected_later("of the greeting, exit code 0", 0, rejection_with("go away", 0), ErrorKind::communication,
                     "go away"),
      rejected_later("in the middle, exit code 0", 1, rejection_with("go away", 0), ErrorKind::communication,
                     "go away"),
      rejected_later("in the middle, exit code 143", 1, rejection_with("go away", 143), ErrorKind::terminated,
                     "go away"),
      rejected_later("in the middle, exit code 256", 2, rejection_with("go away", 256), ErrorKind::communication,
                     "go away"),
      rejected_later("in the middle, escape sequences", 2, rejection_with(hostile_text, 1), ErrorKind::run_failed,
                     "\\x1b"),
      {.name = "rejection, in the place of a welcome",
       .edit = [](RawServer::Answers& answers) { answers.stream = {rejection_with("go away", 0)}; },
       .message = "go away"},
      {.name = "rejection, for ever later",
       .edit = [](RawServer::Answers& answers) { answers.stream = {rejection_with("not yet", 0, true)}; },
       .message = "not yet"},
      {.name = "status, escape sequences",
       .edit = [](RawServer::Answers& answers) { answers.status = hostile_text; },
       .message = "the server cannot be reached"},
      {.name = "status, ten kilobytes",
       .edit = [](RawServer::Answers& answers) { answers.status = std::string(10'000, 's'); },
       .message = "the server cannot be reached"},
      secure(
          "nothing is ever durable", [](wire::SecureReply& reply) { reply.set_durable(0); },
          "it cannot write its journal to the disk"),
      secure(
          "everything is durable", [](wire::SecureReply& reply) { reply.set_durable(~std::uint64_t{0}); }, ""),
      secure(
          "rejected with exit code 0",
          [](wire::SecureReply& reply) { fill_rejection(*reply.mutable_rejection(), "no", 0); }, "no"),
      secure(
          "rejected with escape sequences",
          [](wire::SecureReply& reply) { fill_rejection(*reply.mutable_rejection(), hostile_text, -5); }, "\\x1b"),
  };
  const std::vector<ServerAttack> more = comparisons();
  attacks.insert(attacks.end(), more.begin(), more.end());
  return attacks;
}

}  // namespace driftless
