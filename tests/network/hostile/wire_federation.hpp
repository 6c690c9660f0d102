// A federation in this process: a server and sites as threads, over loopback with mutual TLS. Its run is short but has
// every kind of collective: facts about data, a narrow sum, a wide one in several chunks, counts of work, a last sum.
#pragma once

#include "driftless/network/grpc/grpc_server.hpp"
#include "driftless/network/grpc/grpc_site.hpp"
#include "driftless/network/hub/hub.hpp"

#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace driftless {

// Certificates of one CA for a server and the sites north, south and west; made once for each process.
const TlsTexts& certificates_of(const std::string& peer);

namespace wire_run {

inline constexpr const char* version = "wire-test";
inline constexpr const char* name = "wire-run";
inline constexpr const char* configuration = "# nothing";
inline constexpr std::size_t clients = 4;
inline constexpr std::size_t narrow = 5;
inline constexpr std::size_t wide = 20'000;  // three chunks
inline constexpr std::size_t facts_width = 7;
enum Exchange : ExchangeId { facts, first_sum, wide_sum, tallies, last_sum, end };

std::string digest();
std::vector<SiteSlot> slots();  // north: 0, south: 1 and 2, west: 3
// What one client contributes to a sum.
std::vector<double> row_of(ClientId id, ExchangeId exchange, std::size_t width);
std::size_t tally_width();

}  // namespace wire_run

// How the run ended for one peer.
struct WireOutcome {
  std::vector<std::vector<double>> totals;  // by exchange
  std::vector<ClientId> absent;
  std::optional<ErrorKind> failure = {};
  ErrorInfo info;
};

// Takes part in the whole run. `after_each` is called after each exchange.
WireOutcome play(Transport& transport, const std::function<void(ExchangeId)>& after_each = {});

// One collective: the sum of all rows.
std::vector<double> sum_over(Transport& transport, ExchangeId id, std::size_t width);

// The totals of every peer where the clients of south take part in the exchanges before `lost`.
std::vector<std::vector<double>> expected_totals(ExchangeId lost);

// Timeouts for honest sites, longer under sanitizers.
double patiently(double seconds);

class WireFederation {
 public:
  explicit WireFederation(HubOptions options);
  ~WireFederation();
  WireFederation(const WireFederation&) = delete;
  WireFederation& operator=(const WireFederation&) = delete;

  std::string address() const { return "127.0.0.1:" + std::to_string(server_->port()); }
  void start_server();
  void start_site(const std::string& site);
  // Waits for all sites, and ends the server.
  void finish();

  const WireOutcome& outcome(const std::string& peer) const { return outcomes_.at(peer); }
  // The events of the hub and the rejected calls so far.
  std::vector<std::string> events() const;
  Hub& hub() { return *hub_; }

 private:
  void note(std::string text);

  std::filesystem::path folder_;
  mutable std::mutex mutex_;
  std::vector<std::string> events_;
  std::unique_ptr<Journal> journal_;
  std::unique_ptr<Hub> hub_;
  std::unique_ptr<GrpcServer> server_;
  std::map<std::string, WireOutcome> outcomes_;
  std::vector<std::thread> threads_;
};

// Each case has its own federation and mostly waits, so that many run at the same time.
template <class Case>
void for_each_case(const std::vector<Case>& cases, const std::function<void(const Case&)>& body,
                   std::size_t at_once = 12) {
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> workers;
  for (std::size_t w = 0; w < std::min(at_once, cases.size()); ++w)
    workers.emplace_back([&] {
      for (std::size_t k = next++; k < cases.size(); k = next++) body(cases[k]);
    });
  for (std::thread& worker : workers) worker.join();
}

// Whether a text is free of control characters.
bool is_clean(const std::string& text);

}  // namespace driftless
