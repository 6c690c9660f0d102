#include "tests/network/hostile/hostile_site.hpp"

#include "driftless/network/hub/chunks.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

std::string all_of(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text + "\n";
  return all;
}

void expect_clean(const std::string& name, const std::vector<std::string>& texts) {
  constexpr std::size_t longest = 700;
  for (const std::string& text : texts) {
    EXPECT_TRUE(is_clean(text)) << name << ": " << text;
    EXPECT_LE(text.size(), longest) << name;
  }
}

void expect_outcome(const SiteAttack& attack, const std::string& peer, const WireOutcome& outcome) {
  EXPECT_FALSE(outcome.failure) << attack.name << ", " << peer << ": " << outcome.info.what << " (" << outcome.info.seen
                                << ")";
  if (attack.end == SiteAttack::End::accepted) return;
  EXPECT_EQ(outcome.totals, expected_totals(attack.lost)) << attack.name << ", " << peer;
  const std::vector<ClientId> south{1, 2};
  EXPECT_EQ(outcome.absent, attack.end == SiteAttack::End::dropped ? south : std::vector<ClientId>())
      << attack.name << ", " << peer;
}

}  // namespace

std::vector<double> south_facts() {
  return {101.0, 13.0, 2.0, -1.0, 1.0, 0.0, 0.0, 102.0, 13.0, 2.0, -1.0, 1.0, 0.0, 0.0};
}

std::vector<double> south_rows(ExchangeId exchange, std::size_t index) {
  if (exchange == wire_run::facts) return south_facts();
  if (exchange == wire_run::tallies) return std::vector<double>(2 * wire_run::tally_width(), 0.0);
  const Chunks chunks{exchange == wire_run::wide_sum ? wire_run::wide : wire_run::narrow};
  std::vector<double> values;
  for (const ClientId id : {ClientId{1}, ClientId{2}}) {
    const std::vector<double> row = wire_run::row_of(id, exchange, chunks.width);
    const auto first = row.begin() + static_cast<std::ptrdiff_t>(chunks.first(index));
    values.insert(values.end(), first, first + static_cast<std::ptrdiff_t>(chunks.size(index)));
  }
  return values;
}

wire::FromSite chunk_of(ExchangeId exchange, std::uint64_t index, const std::vector<double>& values,
                        std::uint32_t attempt) {
  wire::FromSite message;
  message.mutable_chunk()->set_exchange(exchange);
  message.mutable_chunk()->set_attempt(attempt);
  message.mutable_chunk()->set_index(index);
  message.mutable_chunk()->mutable_values()->assign(reinterpret_cast<const char*>(values.data()),
                                                    values.size() * sizeof(double));
  return message;
}

Attacker::Attacker(std::string address) : address_(std::move(address)) { renew(); }

void Attacker::renew() {
  raw_.reset();
  raw_ = std::make_unique<RawSite>(address_, certificates_of("south"));
}

wire::FromSite Attacker::hello() const {
  wire::FromSite message;
  message.mutable_hello()->set_version(wire_run::version);
  message.mutable_hello()->set_site("south");
  message.mutable_hello()->set_run(wire_run::name);
  message.mutable_hello()->set_configuration_digest(wire_run::digest());
  return message;
}

void Attacker::join() {
  raw_->open();
  raw_->send(hello());
  EXPECT_TRUE(raw_->read().has_welcome());
}

void Attacker::send_facts(std::size_t column, double value) {
  std::vector<double> values = south_facts();
  values[column] = value;
  raw_->send(chunk_of(wire_run::facts, 0, values));
}

void Attacker::send_honestly(ExchangeId exchange) {
  const std::size_t chunks = exchange == wire_run::wide_sum ? Chunks{wire_run::wide}.count() : 1;
  for (std::size_t index = 0; index < chunks; ++index)
    raw_->send(chunk_of(exchange, index, south_rows(exchange, index)));
}

bool Attacker::await_total(ExchangeId exchange) {
  for (wire::FromServer message = raw_->read(); message.what_case() != wire::FromServer::WHAT_NOT_SET;
       message = raw_->read()) {
    if (message.has_rejection()) {
      note(message.rejection());
      return false;
    }
    if (message.has_done() && message.done().exchange() == exchange) return true;
  }
  return false;
}

void Attacker::continue_from(ExchangeId exchange) {
  for (ExchangeId id = exchange; id < wire_run::end; ++id) {
    send_honestly(id);
    ASSERT_TRUE(await_total(id)) << id;
  }
  say_bye();
}

void Attacker::reach(ExchangeId exchange) {
  join();
  for (ExchangeId id = 0; id < exchange; ++id) {
    send_honestly(id);
    ASSERT_TRUE(await_total(id)) << id;
  }
}

void Attacker::say_bye() {
  wire::FromSite message;
  message.mutable_finished();
  raw_->send(message);
}

void Attacker::hear() {
  for (wire::FromServer message = raw_->read(); message.what_case() != wire::FromServer::WHAT_NOT_SET;
       message = raw_->read())
    if (message.has_rejection()) note(message.rejection());
}

void Attacker::greet_with(const wire::FromSite& message) {
  raw_->open();
  raw_->send(message);
  hear();
}

void Attacker::note(const wire::Rejection& rejection) {
  EXPECT_NE(rejection.kind(), 0) << rejection.what();
  for (const std::string& text : {rejection.what(), rejection.seen(), rejection.advice()}) answers_.push_back(text);
}

void run_attack(const SiteAttack& attack) {
  using End = SiteAttack::End;
  // A site that reconnects must not be dropped meanwhile, however busy the machine is.
  const bool rejoins = attack.end == End::rejoins;
  WireFederation federation({.grace = patiently(rejoins ? 40.0 : 0.6),
                             .first_wait = patiently(rejoins ? 40.0 : 15.0),
                             .deadline = patiently(rejoins ? 40.0 : 2.5),
                             .on_loss = OnLoss::drop});
  federation.start_server();
  for (const char* site : {"north", "west"}) federation.start_site(site);
  std::vector<std::string> answers;
  {
    Attacker attacker(federation.address());
    attack.act(attacker);
    answers = attacker.answers();
  }
  if (attack.end == End::rejoins) federation.start_site("south");
  federation.finish();
  for (const char* peer : {"server", "north", "west"}) expect_outcome(attack, peer, federation.outcome(peer));
  if (attack.end == End::rejoins) expect_outcome(attack, "south", federation.outcome("south"));
  expect_clean(attack.name, answers);
  expect_clean(attack.name, federation.events());
  const std::string message = all_of(answers) + all_of(federation.events());
  EXPECT_NE(message.find(attack.message), std::string::npos) << attack.name << " printed:\n" << message;
  if (attack.end == End::dropped) {
    EXPECT_NE(message.find("site 'south'"), std::string::npos) << attack.name << " printed:\n" << message;
    EXPECT_NE(message.find("the run continues without it"), std::string::npos) << attack.name;
  }
}

}  // namespace driftless
