// Programs that embed the library as peers: a server and two sites in one process, with objectives of their own, over
// gRPC on loopback. They have the bits of minimize with the same objectives.
#include "driftless/driftless.hpp"
#include "driftless/files/npy.hpp"
#include "driftless/peers/join.hpp"
#include "driftless/peers/serve.hpp"

#include "tests/network/embedded_server.hpp"
#include "tests/support/expect_error.hpp"

#include <future>
#include <gtest/gtest.h>
#include <thread>

namespace driftless {
namespace {

constexpr Index dim = 4;

// f(x) = Σ_k log cosh(x_k − c_k) + ½‖x‖²/10
struct LogCosh {
  Vector centre;

  Index dim() const { return centre.size(); }
  double value_gradient(VecIn x, VecOut g) const {
    const Vector r = x - centre;
    g = r.array().tanh().matrix() + 0.1 * x;
    return r.array().cosh().log().sum() + 0.05 * x.squaredNorm();
  }
  void hessian_vector(VecIn x, VecIn v, VecOut hv) const {
    hv = ((1.0 - (x - centre).array().tanh().square()) * v.array()).matrix() + 0.1 * v;
  }
};

std::vector<LogCosh> three_clients() {
  std::vector<LogCosh> clients;
  for (const double at : {-1.0, 0.5, 2.0}) clients.push_back({Vector::LinSpaced(dim, at, at + 1.0)});
  return clients;
}

constexpr const char* config =
    "[problem]\nkind = \"own\"\ndim = 4\n[federation]\nclients = 3\n[network]\nsites = [\"north\", \"south\"]\n"
    "hosts = [2, 1]\n[stop]\nrounds = 5\n";

JoinOptions options_of(const TempFolder& folder, const EmbeddedServer& server, const std::string& site,
                       std::vector<OwnClient> clients) {
  return {.address = server.address(),
          .plain = true,
          .site = site,
          .clients = std::move(clients),
          .out = (folder / site).string(),
          .threads = 1};
}

std::vector<OwnClient> own_clients(std::size_t first, std::size_t last) {
  const std::vector<LogCosh> all = three_clients();
  std::vector<OwnClient> clients;
  for (std::size_t k = first; k < last; ++k) clients.push_back(own_client(all[k]));
  return clients;
}

TEST(OwnClients, OfEmbeddingProgramsHaveTheBitsOfMinimize) {
  const TempFolder folder;
  EmbeddedServer server(folder, std::string(config) + "[[method]]\nname = \"newton-cg\"\n[[method]]\nname = "
                                                      "\"dane+-gd\"\nlambda = 0.5\neta = 2\nlocal_steps = 3\n");
  std::future<PeerRun> north =
      std::async(std::launch::async, [&] { return join(options_of(folder, server, "north", own_clients(0, 2))); });
  const PeerRun south = join(options_of(folder, server, "south", own_clients(2, 3)));
  const std::vector<PeerRun> runs = [&] {
    std::vector<PeerRun> list;
    list.push_back(north.get());
    list.push_back(server.wait());
    return list;
  }();
  const Settings dane{{"lambda", 0.5}, {"eta", 2.0}, {"local_steps", std::int64_t{3}}};
  for (const auto& [name, settings] : {std::pair("newton-cg", Settings()), std::pair("dane+-gd", dane)}) {
    const Summary alone = minimize(three_clients(), name, settings, {.stop = {.rounds = 5}});
    for (const std::filesystem::path& results : {south.results, runs[0].results, runs[1].results})
      EXPECT_EQ(read_npy((results / name / "model.npy").string()), alone.x) << name << " in " << results;
  }
  EXPECT_FALSE(south.failure.has_value());
}

TEST(OwnClients, AreWeighedByTheRowsOfAllSites) {
  const TempFolder folder;
  EmbeddedServer server(folder, std::string(config) + "[[method]]\nname = \"gd\"\nstep = 0.1\n");
  const auto weighted = [](std::size_t rows) {
    return OwnClient{.dim = dim, .rows = rows, .weighted_by_all = true, .make = [](double weight) {
                       return make_client(LogCosh{Vector::Constant(dim, weight)});
                     }};
  };
  std::future<PeerRun> north = std::async(
      std::launch::async, [&] { return join(options_of(folder, server, "north", {weighted(1), weighted(2)})); });
  const PeerRun south = join(options_of(folder, server, "south", {weighted(5)}));
  north.get();
  server.wait();
  const std::vector<LogCosh> same(3, LogCosh{Vector::Constant(dim, 3.0 / 8.0)});
  const Summary alone = minimize(same, "gd", {{"step", 0.1}}, {.stop = {.rounds = 5}});
  EXPECT_EQ(read_npy((south.results / "gd/model.npy").string()), alone.x);
}

TEST(OwnClients, SomeWithRowsToWeighAndSomeWithoutAreAnErrorEverywhere) {
  const TempFolder folder;
  EmbeddedServer server(folder, std::string(config) + "[[method]]\nname = \"gd\"\nstep = 0.1\n");
  std::vector<OwnClient> mixed = own_clients(0, 2);
  mixed[0].rows = 7;
  mixed[0].weighted_by_all = true;
  std::future<PeerRun> north =
      std::async(std::launch::async, [&] { return join(options_of(folder, server, "north", mixed)); });
  const auto expect_reason = [](const auto& action) {
    expect_error<Error>(action, {"the weight of the rows of some clients is not known", "1 of 3 clients"});
  };
  expect_reason([&] { join(options_of(folder, server, "south", own_clients(2, 3))); });
  expect_reason([&] { north.get(); });
  expect_reason([&] { server.wait(); });
}

TEST(OwnClients, OfAnotherNumberThanTheSiteHostsAreAnErrorThatTheServerHears) {
  const TempFolder folder;
  EmbeddedServer server(folder, std::string(config) + "[[method]]\nname = \"gd\"\nstep = 0.1\n");
  std::future<PeerRun> north =
      std::async(std::launch::async, [&] { return join(options_of(folder, server, "north", own_clients(0, 2))); });
  expect_error<ConfigError>([&] { join(options_of(folder, server, "south", own_clients(0, 2))); },
                            {"this peer hosts 1 clients and was given 2"});
  expect_error<Error>([&] { north.get(); }, {"the site aborted the run"});
  expect_error<Error>([&] { server.wait(); }, {"the site aborted the run"});
}

TEST(OwnClients, NeedASite) {
  ThreadPool pool(1);
  expect_error<ConfigError>(
      [&] {
        make_problem(
            parse_config(std::string(config) + "[[method]]\nname = \"gd\"\nstep = 1\n", "case", Paths::resolved), pool);
      },
      {"the sites' own", "hosts 3 clients and was given 0"});
}

}  // namespace
}  // namespace driftless
