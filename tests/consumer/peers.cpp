// A server and a site over gRPC on this machine, whose clients are objectives of the program.
#include <driftless/files/npy.hpp>
#include <driftless/peers/join.hpp>
#include <driftless/peers/serve.hpp>
#include <driftless/problems/own/own_client.hpp>

#include <future>
#include <iostream>

namespace {

// f(x) = ½‖x − target‖²
struct Pull {
  double target;

  Eigen::Index dim() const { return 2; }
  double value_gradient(driftless::VecIn x, driftless::VecOut g) const {
    g = x.array() - target;
    return 0.5 * g.squaredNorm();
  }
};

constexpr const char* config =
    "[problem]\nkind = \"own\"\ndim = 2\n[federation]\nclients = 2\n[network]\nsites = [\"here\"]\n"
    "[[method]]\nname = \"gd\"\nstep = 1\n[stop]\nrounds = 3\n";

}  // namespace

int main() {
  std::promise<std::string> address;
  std::future<driftless::PeerRun> server = std::async(std::launch::async, [&] {
    driftless::ServeOptions options;
    options.text = config;
    options.listen = "127.0.0.1:0";
    options.plain = true;
    options.out = "consumer_server";
    options.on_listen = [&](const std::string& at) { address.set_value(at); };
    return driftless::serve(options, driftless::served_config(options));
  });
  driftless::JoinOptions site;
  site.address = address.get_future().get();
  site.plain = true;
  site.site = "here";
  site.out = "consumer_site";
  site.clients = {driftless::own_client(Pull{1.0}), driftless::own_client(Pull{3.0})};
  const driftless::PeerRun run = driftless::join(site);
  const driftless::PeerRun served = server.get();
  if (!run.experiment || !served.experiment) return 1;
  const driftless::Vector x = driftless::read_npy((run.results / "gd" / "model.npy").string());
  std::cout << "the mean of the targets is " << x.transpose() << '\n';
  return (x.array() - 2.0).abs().maxCoeff() < 1e-12 ? 0 : 1;
}
