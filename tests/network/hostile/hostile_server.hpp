// What a server may try on a site that has accepted its certificate, as a catalogue: each attack has a name, what is
// changed in the answers of an honest server, and how the site ends. hostile_server_*.cpp hold it by calls.
#pragma once

#include "tests/network/hostile/raw_server.hpp"
#include "tests/network/hostile/wire_federation.hpp"

namespace driftless {

using ServerMessages = std::vector<wire::FromServer>;

struct ServerAttack {
  enum class Calls { none, compare, secure };

  std::string name;
  std::function<void(RawServer::Answers&)> edit;
  std::string message;  // part of the error of the site; empty where it succeeds
  ErrorKind kind = ErrorKind::communication;
  Calls also = Calls::none;
};

// As an honest server answers: the site is south of wire_run.
RawServer::Answers honest_answers();
wire::FromServer welcome_at(std::uint64_t live);
wire::FromServer total_chunk(ExchangeId exchange, std::uint64_t index, const std::vector<double>& values,
                             std::uint32_t attempt = 0);
wire::FromServer done_with(ExchangeId exchange, const std::vector<ClientId>& absent = {}, std::uint32_t signal = 0);
wire::FromServer again_with(ExchangeId exchange, std::uint32_t attempt);
wire::FromServer rejection_with(const std::string& what, int code, bool later = false);
void fill_rejection(wire::Rejection& rejection, const std::string& text, int code);
// The chunks and the end of an honest total.
ServerMessages honest_total(ExchangeId exchange, std::uint32_t attempt = 0);
std::vector<double> honest_facts();
// A welcome, the honest totals before this exchange, and then these messages.
ServerMessages after_honest(ExchangeId exchange, const ServerMessages& messages);

inline const std::string hostile_text = "\x1b[2J\x1b]0;owned\x07\r\nforged line\n\xe2\x80\xae";

std::vector<ServerAttack> attacks_by_offers();
std::vector<ServerAttack> attacks_by_answers();   // to the other calls, and rejections
std::vector<ServerAttack> attacks_by_totals();    // chunks and their numbers
std::vector<ServerAttack> attacks_by_sequence();  // messages at the wrong time, agreements, broken streams

void run_attack(const ServerAttack& attack);

}  // namespace driftless
