// Attacks by greetings and by streams: a wrong greeting is rejected with a reason, and an honest process of the site
// takes part afterwards.
#include "tests/network/hostile/hostile_site.hpp"

#include <fstream>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using End = SiteAttack::End;

SiteAttack greeting(std::string name, const std::function<void(wire::Hello&)>& edit, std::string message) {
  return {.name = "greeting, " + name,
          .act =
              [=](Attacker& attacker) {
                wire::FromSite message = attacker.hello();
                edit(*message.mutable_hello());
                attacker.greet_with(message);
              },
          .end = End::rejoins,
          .message = std::move(message)};
}

SiteAttack first_message(std::string name, const std::function<void(wire::FromSite&)>& edit) {
  return {.name = "first message, " + name,
          .act =
              [=](Attacker& attacker) {
                wire::FromSite message;
                edit(message);
                attacker.greet_with(message);
              },
          .end = End::rejoins,
          .message = "its first message is not a greeting"};
}

// Joins and leaves at once.
SiteAttack short_visit(std::string name, const std::function<void(wire::Hello&)>& edit) {
  return {.name = "greeting, " + name,
          .act =
              [=](Attacker& attacker) {
                wire::FromSite message = attacker.hello();
                edit(*message.mutable_hello());
                attacker.raw().open();
                attacker.raw().send(message);
                EXPECT_TRUE(attacker.raw().read().has_welcome());
                attacker.raw().hang_up();
              },
          .end = End::rejoins,
          .message = "site 'south' joined"};
}

std::size_t threads_here() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "Threads:") {
      std::size_t count = 0;
      status >> count;
      return count;
    }
  return 0;
}

// Streams on one connection: the server starts a few, the others wait at the site.
void open_streams(Attacker& attacker, std::size_t count) {
  grpc::CompletionQueue queue;
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts;
  std::vector<std::unique_ptr<grpc::ClientAsyncReaderWriter<wire::FromSite, wire::FromServer>>> streams;
  const std::size_t before = threads_here();
  for (std::size_t k = 0; k < count; ++k) {
    contexts.push_back(std::make_unique<grpc::ClientContext>());
    streams.push_back(attacker.raw().stub().PrepareAsyncJoin(contexts.back().get(), &queue));
    streams.back()->StartCall(nullptr);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  // Other cases run at the same time and have threads too, but not one for each stream.
  EXPECT_LT(threads_here(), before + count / 4) << "streams cost threads";
  for (const auto& context : contexts) context->TryCancel();
  void* tag = nullptr;
  bool good = false;
  for (std::size_t k = 0; k < count; ++k) queue.Next(&tag, &good);
  std::vector<grpc::Status> statuses(count);
  for (std::size_t k = 0; k < count; ++k) streams[k]->Finish(&statuses[k], nullptr);
  for (std::size_t k = 0; k < count; ++k) queue.Next(&tag, &good);
}

void join_many_times(Attacker& attacker) {
  std::vector<std::unique_ptr<Attacker>> others;
  std::size_t welcomes = 0;
  for (int k = 0; k < 10; ++k) {
    others.push_back(std::make_unique<Attacker>(attacker.address()));
    others.back()->raw().open();
    others.back()->raw().send(attacker.hello());
    const wire::FromServer answer = others.back()->raw().read();
    welcomes += answer.has_welcome() ? 1 : 0;
    if (answer.has_rejection()) attacker.note(answer.rejection());
  }
  EXPECT_EQ(welcomes, 1U);
}

std::vector<SiteAttack> streams() {
  return {
      {.name = "stream, 3000 on one connection",
       .act = [](Attacker& attacker) { open_streams(attacker, 3000); },
       .message = ""},
      {.name = "stream, ten greetings at once", .act = join_many_times, .message = "this site is connected already"},
      {.name = "stream, opened and closed in silence",
       .act =
           [](Attacker& attacker) {
             attacker.raw().open();
             attacker.raw().hang_up();
           },
       .message = ""},
      {.name = "stream, joins and leaves 15 times",
       .act =
           [](Attacker& attacker) {
             for (int k = 0; k < 15; ++k) {
               attacker.renew();
               attacker.raw().open();
               attacker.raw().send(attacker.hello());
             }
           },
       .message = ""},
      {.name = "stream, garbage as the first message",
       .act =
           [](Attacker& attacker) {
             join_raw(attacker.address(), certificates_of("south"), {std::string(500, '\xff')});
           },
       .message = ""},
      {.name = "stream, a first message of five megabytes",
       .act =
           [](Attacker& attacker) {
             join_raw(attacker.address(), certificates_of("south"), {std::string(5 << 20, 'x')});
           },
       .message = ""},
      {.name = "stream, an empty first message",
       .act = [](Attacker& attacker) { join_raw(attacker.address(), certificates_of("south"), {""}); },
       .message = "the site sent an invalid message"},
  };
}

// Greetings that are admitted, and messages that are none.
std::vector<SiteAttack> visits() {
  return {
      short_visit("without a history", [](wire::Hello&) {}),
      short_visit("the name of another site", [](wire::Hello& hello) { hello.set_site("north"); }),
      short_visit("escape sequences as a name", [](wire::Hello& hello) { hello.set_site(escapes); }),
      short_visit("a name of a megabyte", [](wire::Hello& hello) { hello.set_site(std::string(1 << 20, 'n')); }),
      first_message("rows", [](wire::FromSite& message) { message = chunk_of(0, 0, south_facts()); }),
      first_message("a checkpoint",
                    [](wire::FromSite& message) { message.mutable_checkpoint()->set_next_exchange(9); }),
      first_message("an end", [](wire::FromSite& message) { message.mutable_finished(); }),
      first_message("an abort", [](wire::FromSite& message) { message.mutable_abort()->set_what(escapes); }),
      {.name = "greeting, finished before it began",
       .act =
           [](Attacker& attacker) {
             wire::FromSite message = attacker.hello();
             message.mutable_hello()->set_finished(true);
             attacker.greet_with(message);
           },
       .end = End::dropped,
       .message = "has left the run, but exchange 0 needs its rows",
       .lost = wire_run::facts},
  };
}

}  // namespace

std::vector<SiteAttack> attacks_by_greetings() {
  const std::string another_run = "the site belongs to another run";
  std::vector<SiteAttack> attacks{
      greeting(
          "another version", [](wire::Hello& hello) { hello.set_version("9"); }, "another version"),
      greeting(
          "escape sequences as a version", [](wire::Hello& hello) { hello.set_version(escapes); }, "\\x1b"),
      greeting(
          "a version that is not UTF-8", [](wire::Hello& hello) { hello.set_version(not_utf8); }, ""),
      greeting(
          "another run", [](wire::Hello& hello) { hello.set_run("other"); }, another_run),
      greeting(
          "escape sequences as a run", [](wire::Hello& hello) { hello.set_run(escapes); }, another_run),
      greeting(
          "a run of a megabyte", [](wire::Hello& hello) { hello.set_run(std::string(1 << 20, 'r')); }, another_run),
      greeting(
          "another configuration", [](wire::Hello& hello) { hello.set_configuration_digest("0"); }, another_run),
      greeting(
          "escape sequences as a digest", [](wire::Hello& hello) { hello.set_configuration_digest(escapes); },
          another_run),
      greeting(
          "exchange 2^63", [](wire::Hello& hello) { hello.set_next_exchange(std::uint64_t{1} << 63); },
          "exchange 9223372036854775808"),
      greeting(
          "exchange 2^64 - 1", [](wire::Hello& hello) { hello.set_next_exchange(~std::uint64_t{0}); },
          "an invalid message"),
      greeting(
          "exchange 2^61", [](wire::Hello& hello) { hello.set_next_exchange(std::uint64_t{1} << 61); },
          "the site is further than the server"),
      greeting(
          "exchange 1", [](wire::Hello& hello) { hello.set_next_exchange(1); }, "the site is further than the server"),
      greeting(
          "another history",
          [](wire::Hello& hello) {
            hello.mutable_history()->set_high(1);
            hello.mutable_history()->set_low(~std::uint64_t{0});
          },
          "the server and the site have seen different totals"),
      greeting(
          "finished with another run",
          [](wire::Hello& hello) {
            hello.set_run("other");
            hello.set_finished(true);
          },
          another_run),
  };
  for (const auto& more : {visits(), streams()}) attacks.insert(attacks.end(), more.begin(), more.end());
  return attacks;
}

}  // namespace driftless
