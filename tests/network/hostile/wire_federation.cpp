#include "tests/network/hostile/wire_federation.hpp"

#include "driftless/core/printable.hpp"
#include "driftless/core/random.hpp"
#include "driftless/federation/federation.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/network/hub/hub_transport.hpp"
#include "driftless/pki/certificate_authority.hpp"
#include "driftless/pki/tls_folder.hpp"
#include "driftless/problems/data_facts.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <numeric>

namespace driftless {
namespace {

// Folders of this process, removed at its end.
class OwnFolder {
 public:
  OwnFolder() { std::filesystem::create_directories(path_); }
  ~OwnFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) / ("driftless-wire-" + std::to_string(::getpid()));
};

const std::filesystem::path& own_folder() {
  static const OwnFolder folder;
  return folder.path();
}

std::map<std::string, TlsTexts> issue_all() {
  const std::filesystem::path folder = own_folder() / "ca";
  create_authority({.folder = folder});
  std::map<std::string, TlsTexts> issued;
  for (const char* peer : {"server", "north", "south", "west"}) {
    const SubjectKind kind = std::string(peer) == "server" ? SubjectKind::server : SubjectKind::site;
    issue_certificate({.folder = folder, .subject = {.name = peer, .kind = kind}});
    const TlsFiles files = read_tls_folder(folder / peer);
    issued[peer] = {files.certificate, files.key, files.authority};
  }
  return issued;
}

std::vector<ClientId> everyone() {
  std::vector<ClientId> ids(wire_run::clients);
  std::iota(ids.begin(), ids.end(), ClientId{0});
  return ids;
}

Dataset data_of(ClientId id) {
  Dataset data;
  data.dim = 13;
  data.label.assign(100 + id, 1.0);
  data.label_values = {-1.0, 1.0};
  return data;
}

// A client without work: its counts are shared all the same.
class Idle final : public ClientObjective {
 public:
  Index dim() const override { return 1; }
  std::size_t samples() const override { return 0; }
  double value(VecIn) const override { return 0.0; }
  void gradient(VecIn, VecOut g) const override { g.setZero(); }
  double value_gradient(VecIn, VecOut g) const override {
    g.setZero();
    return 0.0;
  }
  void hessian_vector(VecIn, VecIn, VecOut hv) const override { hv.setZero(); }
  void hessian_diagonal(VecIn, VecOut diagonal) const override { diagonal.setZero(); }
  bool twice_differentiable() const override { return true; }
  std::size_t hessian(VecIn, VecOut triangle) const override {
    triangle.setZero();
    return 1;
  }
  std::optional<CurvatureFloor> curvature_floor() const override { return std::nullopt; }
  SolveReport minimize(const Subproblem&, VecOut, const LocalSolver&, SolveContext&) const override { return {}; }
  std::unique_ptr<ClientObjective> clone() const override { return std::make_unique<Idle>(); }
};

std::vector<double> facts_over(Transport& transport) {
  std::vector<Dataset> hosted;
  for (const ClientId id : transport.layout().hosted) hosted.push_back(data_of(id));
  const DataFacts facts = agree_on_facts(hosted, {.labels = Labels::binary}, transport);
  return {static_cast<double>(facts.rows), static_cast<double>(facts.dim)};
}

std::vector<double> tallies_over(Transport& transport) {
  ClientObjectives hosted;
  for (std::size_t k = 0; k < transport.layout().hosted.size(); ++k) hosted.push_back(std::make_unique<Idle>());
  ThreadPool pool(1);
  const Federation federation(hosted, 1, transport, pool, 1);
  std::vector<double> steps;
  for (const Tally& tally : federation.tallies()) steps.push_back(static_cast<double>(tally.steps));
  return steps;
}

}  // namespace

const TlsTexts& certificates_of(const std::string& peer) {
  static const std::map<std::string, TlsTexts> issued = issue_all();
  return issued.at(peer);
}

std::string wire_run::digest() { return sha256(configuration); }

std::vector<SiteSlot> wire_run::slots() { return {{"north", {0}}, {"south", {1, 2}}, {"west", {3}}}; }

std::vector<double> wire_run::row_of(ClientId id, ExchangeId exchange, std::size_t width) {
  Stream stream(7, Purpose::generator, id, exchange);
  std::vector<double> row(width);
  for (double& value : row) value = stream.normal();
  return row;
}

std::size_t wire_run::tally_width() { return 2 + std::tuple_size_v<decltype(Tally::ends)>; }

std::vector<double> sum_over(Transport& transport, ExchangeId id, std::size_t width) {
  const std::vector<ClientId> from = everyone();
  std::vector<std::vector<double>> sums;
  std::vector<TreeRange> ranges = cover(wire_run::clients, from, transport.layout().hosted);
  TreeAdder adder;
  for (const TreeRange range : ranges) {
    sums.emplace_back(width);
    adder.add_rows(
        range, from,
        [&](ClientId client, std::span<double> out) {
          std::ranges::copy(wire_run::row_of(client, id, width), out.begin());
        },
        sums.back());
  }
  std::vector<Node> nodes;
  for (std::size_t k = 0; k < ranges.size(); ++k) nodes.push_back({ranges[k], sums[k]});
  std::vector<double> total(width);
  transport.sum(from, nodes, total);
  return total;
}

WireOutcome play(Transport& transport, const std::function<void(ExchangeId)>& after_each) {
  WireOutcome outcome;
  const auto add = [&](std::vector<double> total) {
    outcome.totals.push_back(std::move(total));
    if (after_each) after_each(outcome.totals.size() - 1);
  };
  try {
    add(facts_over(transport));
    add(sum_over(transport, wire_run::first_sum, wire_run::narrow));
    add(sum_over(transport, wire_run::wide_sum, wire_run::wide));
    add(tallies_over(transport));
    add(sum_over(transport, wire_run::last_sum, wire_run::narrow));
  } catch (const Error& error) {
    outcome.failure = error.kind();
    outcome.info = error.info();
    transport.abort(error.info().what);
  }
  outcome.absent = transport.agreement().absent;
  return outcome;
}

std::vector<std::vector<double>> expected_totals(ExchangeId lost) {
  std::vector<std::vector<double>> totals;
  TreeAdder adder;
  for (ExchangeId id = 0; id < wire_run::end; ++id) {
    const std::vector<ClientId> from = id < lost ? everyone() : std::vector<ClientId>{0, 3};
    if (id == wire_run::facts) {
      const double rows = std::accumulate(from.begin(), from.end(), 100.0 * static_cast<double>(from.size()));
      totals.push_back({rows, 13.0});
    } else if (id == wire_run::tallies) {
      totals.emplace_back(wire_run::clients, 0.0);
    } else {
      std::vector<double> total(id == wire_run::wide_sum ? wire_run::wide : wire_run::narrow);
      adder.add_rows(
          {0, wire_run::clients}, from,
          [&](ClientId client, std::span<double> out) {
            std::ranges::copy(wire_run::row_of(client, id, total.size()), out.begin());
          },
          total);
      totals.push_back(std::move(total));
    }
  }
  return totals;
}

double patiently(double seconds) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  return 4.0 * seconds;
#else
  return seconds;
#endif
}

WireFederation::WireFederation(HubOptions options) {
  static std::atomic<int> count{0};
  folder_ = own_folder() / ("journal-" + std::to_string(count++));
  options.on_event = [this](const HubEvent& event) { note(event.text); };
  journal_ = std::make_unique<Journal>(folder_, JournalOptions{.owner = {wire_run::name, wire_run::digest()}});
  hub_ = std::make_unique<Hub>(wire_run::clients, wire_run::slots(), *journal_, std::move(options));
  server_ = std::make_unique<GrpcServer>(
      *hub_, GrpcServerOptions{.address = "127.0.0.1:0",
                               .tls = certificates_of("server"),
                               .version = wire_run::version,
                               .run = wire_run::name,
                               .configuration = wire_run::configuration,
                               .configuration_digest = wire_run::digest(),
                               .on_call =
                                   [this](const CallRecord& call) {
                                     if (!call.rejected.empty())
                                       note(call.site + " " + call.call + ": " + call.rejected);
                                   },
                               .on_event = [this](const std::string& text) { note(text); }});
}

WireFederation::~WireFederation() { finish(); }

void WireFederation::note(std::string text) {
  const std::lock_guard lock(mutex_);
  events_.push_back(std::move(text));
}

std::vector<std::string> WireFederation::events() const {
  const std::lock_guard lock(mutex_);
  return events_;
}

void WireFederation::start_server() {
  WireOutcome& outcome = outcomes_["server"];
  threads_.emplace_back([this, &outcome] {
    HubTransport transport(*hub_);
    outcome = play(transport);
    if (!outcome.failure) hub_->wait_for_finish(patiently(2.0));
  });
}

void WireFederation::start_site(const std::string& site) {
  WireOutcome& outcome = outcomes_[site];
  threads_.emplace_back([this, site, &outcome] {
    GrpcSite transport({.address = address(),
                        .tls = certificates_of(site),
                        .version = wire_run::version,
                        .site = site,
                        .first_contact = patiently(20.0),
                        .grace = patiently(5.0)});
    try {
      transport.accept(transport.query_offer(), wire_run::digest());
      outcome = play(transport);
      if (!outcome.failure) transport.finish();
    } catch (const Error& error) {
      outcome.failure = error.kind();
      outcome.info = error.info();
    }
  });
}

void WireFederation::finish() {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  server_.reset();
}

bool is_clean(const std::string& text) { return printable(text, std::numeric_limits<std::size_t>::max()) == text; }

}  // namespace driftless
