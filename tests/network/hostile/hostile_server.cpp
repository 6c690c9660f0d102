#include "tests/network/hostile/hostile_server.hpp"

#include "driftless/network/hub/chunks.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

using Calls = ServerAttack::Calls;

std::vector<double> honest_values(ExchangeId exchange) {
  if (exchange == wire_run::facts) return honest_facts();
  if (exchange == wire_run::tallies) return std::vector<double>(wire_run::clients * wire_run::tally_width(), 0.0);
  return expected_totals(wire_run::end)[exchange];
}

WireOutcome take_part(const RawServer& server, const ServerAttack& attack) {
  WireOutcome outcome;
  GrpcSite site({.address = server.address(),
                 .tls = certificates_of("south"),
                 .version = wire_run::version,
                 .site = "south",
                 .first_contact = 5.0,
                 .grace = 0.7});
  try {
    const SiteOffer offer = site.query_offer();
    if (attack.also == Calls::compare) site.compare({.site = "south", .rows = 1, .columns = 1, .labels = {1.0}});
    site.accept(offer, wire_run::digest());
    outcome = play(site);
    if (attack.also == Calls::secure && !outcome.failure) site.secure_past(true);
    if (!outcome.failure) site.finish();
  } catch (const Error& error) {
    outcome.failure = error.kind();
    outcome.info = error.info();
  }
  return outcome;
}

}  // namespace

void fill_rejection(wire::Rejection& rejection, const std::string& text, int code) {
  rejection.set_what(text);
  rejection.set_seen(text);
  rejection.set_advice(text);
  rejection.set_kind(code);
}

std::vector<double> honest_facts() {
  std::vector<double> all;
  for (std::size_t id = 0; id < wire_run::clients; ++id)
    for (const double value : {100.0 + static_cast<double>(id), 13.0, 2.0, -1.0, 1.0, 0.0, 0.0}) all.push_back(value);
  return all;
}

wire::FromServer welcome_at(std::uint64_t live) {
  wire::FromServer message;
  message.mutable_welcome()->set_live(live);
  return message;
}

wire::FromServer total_chunk(ExchangeId exchange, std::uint64_t index, const std::vector<double>& values,
                             std::uint32_t attempt) {
  wire::FromServer message;
  message.mutable_chunk()->set_exchange(exchange);
  message.mutable_chunk()->set_attempt(attempt);
  message.mutable_chunk()->set_index(index);
  message.mutable_chunk()->mutable_values()->assign(reinterpret_cast<const char*>(values.data()),
                                                    values.size() * sizeof(double));
  return message;
}

wire::FromServer done_with(ExchangeId exchange, const std::vector<ClientId>& absent, std::uint32_t signal) {
  wire::FromServer message;
  message.mutable_done()->set_exchange(exchange);
  message.mutable_done()->set_signal(signal);
  for (const ClientId id : absent) message.mutable_done()->add_absent(id);
  return message;
}

wire::FromServer again_with(ExchangeId exchange, std::uint32_t attempt) {
  wire::FromServer message;
  message.mutable_repeat()->set_exchange(exchange);
  message.mutable_repeat()->set_attempt(attempt);
  return message;
}

wire::FromServer rejection_with(const std::string& what, int code, bool later) {
  wire::FromServer message;
  fill_rejection(*message.mutable_rejection(), what, code);
  message.mutable_rejection()->set_later(later);
  return message;
}

ServerMessages honest_total(ExchangeId exchange, std::uint32_t attempt) {
  const std::vector<double> values = honest_values(exchange);
  const Chunks chunks{values.size()};
  ServerMessages messages;
  for (std::size_t k = 0; k < chunks.count(); ++k) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(chunks.first(k));
    messages.push_back(total_chunk(exchange, k, {first, first + static_cast<std::ptrdiff_t>(chunks.size(k))}, attempt));
  }
  messages.push_back(done_with(exchange));
  return messages;
}

ServerMessages after_honest(ExchangeId exchange, const ServerMessages& messages) {
  ServerMessages all{welcome_at(0)};
  for (ExchangeId id = 0; id < exchange; ++id)
    for (const wire::FromServer& message : honest_total(id)) all.push_back(message);
  all.insert(all.end(), messages.begin(), messages.end());
  return all;
}

RawServer::Answers honest_answers() {
  RawServer::Answers answers;
  answers.offer.set_run(wire_run::name);
  answers.offer.set_configuration(wire_run::configuration);
  answers.offer.set_clients(wire_run::clients);
  answers.offer.set_peers(4);
  answers.offer.set_rank(2);
  answers.offer.add_hosted(1);
  answers.offer.add_hosted(2);
  answers.offer.set_site("south");
  answers.offer.set_time(1e9);
  answers.secure.set_durable(1000);
  answers.stream = after_honest(wire_run::end, {});
  return answers;
}

void run_attack(const ServerAttack& attack) {
  RawServer::Answers answers = honest_answers();
  attack.edit(answers);
  const RawServer server(certificates_of("server"), std::move(answers));
  const WireOutcome outcome = take_part(server, attack);
  const ErrorInfo& info = outcome.info;
  const std::string reason = info.what + " (" + info.seen + ")";
  EXPECT_EQ(outcome.failure, attack.message.empty() ? std::nullopt : std::optional(attack.kind))
      << attack.name << ": " << reason;
  EXPECT_NE(reason.find(attack.message), std::string::npos) << attack.name << ": " << reason;
  for (const std::string& text : {info.what, info.seen, info.advice}) {
    EXPECT_TRUE(is_clean(text)) << attack.name << ": " << text;
    EXPECT_LE(text.size(), 700U) << attack.name;
  }
  EXPECT_TRUE(!attack.message.empty() || outcome.totals.size() == wire_run::end) << attack.name;
  EXPECT_LE(server.joins(), 40U) << attack.name << ": the site must not hurry from one broken connection to the next";
}

}  // namespace driftless
