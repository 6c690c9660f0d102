// The real program joins a server that lies: it ends with a reason and an exit code that is not 0, writes nothing
// outside of its folder, and prints no control characters.
#include "driftless/console/machine.hpp"
#include "driftless/core/printable.hpp"

#include "tests/network/hostile/raw_server.hpp"
#include "tests/network/silos.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace driftless {
namespace {

const std::string good_configuration =
    "seed = 5\n[problem]\nkind = \"quadratic\"\nstructure = \"diagonal\"\ndim = 20\nsamples = 1\n[federation]\nclients "
    "= 3\n"
    "[[method]]\nname = \"gd\"\nstep = 0.01\n[stop]\nrounds = 3\n[network]\nsites = [\"north\", \"south\", \"west\"]\n";
const std::string escapes = "\x1b[2J\x1b]0;owned\x07\r\nforged line\n";

struct Lie {
  std::string name;
  std::function<void(wire::Offer&)> edit;
  int exit_code;
  std::string message;
};

std::vector<Lie> lies() {
  const auto rejection = [](wire::Offer& offer, const std::string& what, int code) {
    offer.mutable_rejection()->set_what(what);
    offer.mutable_rejection()->set_seen(what);
    offer.mutable_rejection()->set_kind(code);
  };
  return {
      {"a site outside of the folder", [](wire::Offer& offer) { offer.set_site("/../../../../x"); }, 3,
       "an invalid message"},
      {"client 10^9", [](wire::Offer& offer) { offer.set_hosted(0, 1'000'000'000); }, 3, "an invalid message"},
      {"a rejection with exit code 0", [=](wire::Offer& offer) { rejection(offer, "go away", 0); }, 3, "go away"},
      {"a rejection with exit code 256", [=](wire::Offer& offer) { rejection(offer, "go away", 256); }, 3, "go away"},
      {"a rejection with escape sequences", [=](wire::Offer& offer) { rejection(offer, escapes, 1); }, 1, "\\x1b[2J"},
      {"no configuration", [](wire::Offer& offer) { offer.clear_configuration(); }, 2, ""},
      {"a configuration that cannot be read", [](wire::Offer& offer) { offer.set_configuration("[problem\n= 3"); }, 2,
       "the server's configuration"},
      {"almost four megabytes of configuration",
       [](wire::Offer& offer) { offer.set_configuration(std::string(4'000'000, '[')); }, 2,
       "the server's configuration"},
      {"escape sequences in the configuration",
       [](wire::Offer& offer) {
         offer.set_configuration(good_configuration + "\"\\u001b[2J\\nforged\" = \"\\u001b[31m\"\n" + escapes);
       },
       2, ""},
      {"a key with escape sequences",
       [](wire::Offer& offer) { offer.set_configuration("\"\\u001b[2J\\nforged\" = 1\n" + good_configuration); }, 2,
       ""},
      {"a method with escape sequences",
       [](wire::Offer& offer) {
         offer.set_configuration(good_configuration + "[[method]]\nname = \"\\u001b[2J\\nforged\"\n");
       },
       2, ""},
      {"other clients than the configuration says", [](wire::Offer& offer) { offer.set_hosted(0, 2); }, 3,
       "does not fit its own configuration"},
      {"another number of clients", [](wire::Offer& offer) { offer.set_clients(1'000'000'000); }, 3,
       "does not fit its own configuration"},
      {"another rank", [](wire::Offer& offer) { offer.set_rank(3); }, 3, "does not fit its own configuration"},
  };
}

wire::Offer good_offer() {
  wire::Offer offer;
  offer.set_run("run-1");
  offer.set_configuration(good_configuration);
  offer.set_clients(3);
  offer.set_peers(4);
  offer.set_rank(2);
  offer.add_hosted(1);
  offer.set_site("south");
  return offer;
}

std::size_t entries_of(const std::filesystem::path& folder) {
  const auto all = std::filesystem::recursive_directory_iterator(folder);
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

TEST(HostileJoin, TheProgramRejectsALyingServer) {
  Silos silos(good_configuration.substr(0, good_configuration.find("[network]")), {"north", "south", "west"});
  const auto read = [&](const char* name) { return TempFolder::read(silos.certificates("server") / name); };
  const TlsTexts tls{.certificate = read("cert.pem"), .key = read("key.pem"), .authority = read("ca.pem")};
  run_program({.arguments = {"--version"}, .folder = silos.home("south")});
  const std::size_t before = entries_of(silos.folder().path());
  for (const Lie& lie : lies()) {
    RawServer::Answers answers;
    answers.offer = good_offer();
    lie.edit(answers.offer);
    const RawServer server(tls, answers);
    const ProgramResult result = run_program(
        {.arguments = {"join", server.address(), "--tls", silos.certificates("south").string(), "--wait", "10"},
         .folder = silos.home("south")});
    EXPECT_EQ(result.exit_code, lie.exit_code) << lie.name << "\n" << result.err;
    EXPECT_NE(result.err.find(lie.message), std::string::npos) << lie.name << "\n" << result.err;
    std::string lines = result.err + result.out;
    std::erase(lines, '\n');
    EXPECT_EQ(lines, printable(lines, std::numeric_limits<std::size_t>::max())) << lie.name;
    EXPECT_EQ(result.err.find("\nforged"), std::string::npos) << lie.name << "\n" << result.err;
    EXPECT_LT(result.err.size(), 5000U) << lie.name;
    EXPECT_EQ(entries_of(silos.folder().path()), before) << lie.name << ": it wrote something";
  }
}

}  // namespace
}  // namespace driftless
