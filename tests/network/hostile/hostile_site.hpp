// What a site with a valid certificate may try, as a catalogue: each attack has a name, what it does, and what becomes
// of the site. hostile_site_*.cpp hold the catalogue by stages of the run.
#pragma once

#include "tests/network/hostile/raw_site.hpp"
#include "tests/network/hostile/wire_federation.hpp"

#include <functional>

namespace driftless {

// The site south, in the hands of an attacker.
class Attacker {
 public:
  explicit Attacker(std::string address);

  const std::string& address() const { return address_; }
  RawSite& raw() { return *raw_; }
  void renew();  // replaces the connection

  wire::FromSite hello() const;                       // as an honest site sends it
  void join();                                        // and reads the welcome
  void send_facts(std::size_t column, double value);  // of its first client, otherwise honest
  void send_honestly(ExchangeId exchange);
  void reach(ExchangeId exchange);  // joins and takes part in all exchanges before
  void continue_from(ExchangeId exchange);
  void say_bye();
  // Reads to the end of the stream and keeps what the server rejected.
  void hear();
  // Opens a stream with this as the first message, and reads the answers.
  void greet_with(const wire::FromSite& message);

  void note(const wire::Rejection& rejection);
  const std::vector<std::string>& answers() const { return answers_; }  // texts of rejections

 private:
  bool await_total(ExchangeId exchange);

  std::string address_;
  std::unique_ptr<RawSite> raw_;
  std::vector<std::string> answers_;
};

struct SiteAttack {
  // How the site ends: an honest process of it may join afterwards, the attacker takes part to the end, its rows are
  // accepted in any case, or it is dropped.
  enum class End { rejoins, takes_part, accepted, dropped };

  std::string name;
  std::function<void(Attacker&)> act;
  End end = End::rejoins;
  std::string message;              // part of a rejection or of an event at the server
  ExchangeId lost = wire_run::end;  // the first exchange without the site
};

// Rows that south contributes.
std::vector<double> south_facts();
std::vector<double> south_rows(ExchangeId exchange, std::size_t index);

wire::FromSite chunk_of(ExchangeId exchange, std::uint64_t index, const std::vector<double>& values,
                        std::uint32_t attempt = 0);

inline const std::string escapes = "\x1b[2J\x1b]0;owned\x07\r\nforged line\n\xe2\x80\xae";
inline const std::string not_utf8 = "\xff\xfe\xc0\x80";

std::vector<SiteAttack> attacks_by_calls();      // Look, Compare, Secure
std::vector<SiteAttack> attacks_by_greetings();  // first messages, and streams
std::vector<SiteAttack> attacks_by_facts();      // the first exchange
std::vector<SiteAttack> attacks_by_rows();       // sums
std::vector<SiteAttack> attacks_by_messages();   // everything else in the middle of the run

void run_attack(const SiteAttack& attack);

}  // namespace driftless
