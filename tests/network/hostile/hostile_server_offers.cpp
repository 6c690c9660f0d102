// Attacks by offers: the site learns from them who it is, what it hosts, and the name of a folder.
#include "tests/network/hostile/hostile_server.hpp"

#include <limits>
#include <numeric>

namespace driftless {
namespace {

const std::string senseless = "the server sent an invalid message";

ServerAttack offer(std::string name, const std::function<void(wire::Offer&)>& edit, std::string message = senseless) {
  return {.name = "offer, " + name,
          .edit = [=](RawServer::Answers& answers) { edit(answers.offer); },
          .message = std::move(message)};
}

ServerAttack site(std::string name, const std::string& site, std::string message = senseless) {
  return offer("site " + std::move(name), [=](wire::Offer& offer) { offer.set_site(site); }, std::move(message));
}

ServerAttack run(std::string name, const std::string& run) {
  return offer("run " + std::move(name), [=](wire::Offer& offer) { offer.set_run(run); });
}

ServerAttack hosted(std::string name, const std::vector<std::uint64_t>& ids) {
  return offer("hosts " + std::move(name), [=](wire::Offer& offer) {
    offer.clear_hosted();
    offer.mutable_hosted()->Add(ids.begin(), ids.end());
  });
}

ServerAttack peers(std::string name, std::uint64_t peers, std::uint64_t rank) {
  return offer(std::move(name), [=](wire::Offer& offer) {
    offer.set_peers(peers);
    offer.set_rank(rank);
  });
}

std::vector<std::uint64_t> a_million() {
  std::vector<std::uint64_t> ids(1'000'000);
  std::iota(ids.begin(), ids.end(), std::uint64_t{0});
  return ids;
}

}  // namespace

std::vector<ServerAttack> attacks_by_offers() {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return {
      site("outside of the folder", "/../../../../x"),
      site("one folder up", ".."),
      site("without a name", ""),
      site("of a thousand characters", std::string(1000, 's')),
      site("of another name", "north", "it calls this site 'north', whose name is 'south'"),
      site("in capitals", "South"),
      site("with a hyphen first", "-south"),
      site("with escape sequences", hostile_text),
      site("with a zero byte", std::string("south\0x", 7)),
      run("with slashes", "../../x"),
      run("with a line end", "run\nforged"),
      run("with escape sequences", hostile_text),
      run("of a thousand characters", std::string(1000, 'r')),
      run("without a name", ""),
      hosted("client 10^9", {1'000'000'000}),
      hosted("a falling list", {2, 1}),
      hosted("a client twice", {1, 1}),
      hosted("nobody", {}),
      hosted("one beyond the last", {4}),
      hosted("client 2^64 - 1", {most}),
      hosted("a million clients", a_million()),
      offer("no clients", [](wire::Offer& offer) { offer.set_clients(0); }),
      offer("2^63 clients", [](wire::Offer& offer) { offer.set_clients(std::uint64_t{1} << 63); }),
      offer("2^64 - 1 clients", [=](wire::Offer& offer) { offer.set_clients(most); }),
      peers("no peers", 0, 0),
      peers("the server alone", 1, 1),
      peers("more peers than clients", 6, 2),
      peers("2^64 - 1 peers", most, 2),
      peers("the rank of the server", 4, 0),
      peers("a rank beyond the last", 4, 4),
      peers("rank 2^63", 4, std::uint64_t{1} << 63),
      offer("a clock that is not a number",
            [](wire::Offer& offer) { offer.set_time(std::numeric_limits<double>::quiet_NaN()); }),
      offer("an infinite clock", [](wire::Offer& offer) { offer.set_time(-std::numeric_limits<double>::infinity()); }),
      offer(
          "a clock of the year 1", [](wire::Offer& offer) { offer.set_time(-6e10); }, ""),
      offer(
          "five megabytes of configuration",
          [](wire::Offer& offer) { offer.set_configuration(std::string(5 << 20, '#')); },
          "the server cannot be reached"),
      offer("nothing at all", [](wire::Offer& offer) { offer.Clear(); }),
      offer(
          "text that is not UTF-8", [](wire::Offer& offer) { offer.set_run("\xff\xfe"); },
          "the server cannot be reached"),
  };
}

}  // namespace driftless
