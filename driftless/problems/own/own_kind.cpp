#include "driftless/problems/own/own_kind.hpp"

#include "driftless/federation/shared_facts.hpp"
#include "driftless/problems/problem.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace driftless {
namespace {

// What all peers know of a client, as a row of numbers.
constexpr double most_own_rows = 9007199254740992.0;  // 2^53
enum OwnColumn : std::size_t { own_dim, own_rows, own_mass, own_weighted, own_l2, own_beta, own_width };
using OwnFacts = std::array<double, own_width>;

bool is_whole(double value, double least, double most) {
  return value >= least && value <= most && value == std::floor(value);
}

bool is_weight(double value) { return std::isfinite(value) && value >= 0.0; }

// What is known of the clients of all peers together.
struct OwnAgreement {
  std::size_t rows = 0;     // M
  double row_weight = 1.0;  // n/S
  std::optional<double> l2;
  double beta = 0.0;
};

class OwnProblemSpec final : public ProblemSpec {
 public:
  OwnProblemSpec(const OwnKeys& keys, ReferenceSource reference) : keys_(keys), reference_(reference) {}

  std::vector<std::pair<std::string, std::string>> echo() const override { return echo_options(keys_); }
  ReferenceSource reference_source() const override { return reference_; }
  bool takes_clients() const override { return true; }

  Problem make(const ProblemSetup& setup, const PeerResources& peer) const override {
    const std::vector<OwnClient>& own = peer.own.clients;
    require_clients(setup, peer);
    const OwnAgreement agreed = agree(own, peer.transport);
    Problem problem;
    for (const OwnClient& client : own) problem.clients.push_back(client.make(agreed.row_weight));
    problem.start = Vector::Zero(dim());
    problem.facts = {.data = "of the sites", .rows = agreed.rows};
    problem.l2 = agreed.l2;
    problem.beta = agreed.beta;
    problem.summary = fmt::format("functions of the sites' own: {} clients, {} variables", setup.clients(), dim());
    if (agreed.rows > 0) problem.summary += fmt::format(", {} rows", agreed.rows);
    return problem;
  }

 private:
  Index dim() const { return static_cast<Index>(*keys_.dim); }

  void require_clients(const ProblemSetup& setup, const PeerResources& peer) const {
    const std::vector<OwnClient>& own = peer.own.clients;
    const std::vector<ClientId>& hosted = peer.transport.layout().hosted;
    if (own.size() != hosted.size())
      throw ConfigError(
          {.what = "the clients of this problem are the sites' own, one for each client that a site hosts",
           .seen = fmt::format("{}: kind = \"own\"; this peer hosts {} clients and was given {}",
                               setup.problem.source.location, hosted.size(), own.size()),
           .advice = "join from a program: driftless.join(..., clients=[...]) in Python, "
                     "JoinOptions::clients in C++"});
    for (std::size_t slot = 0; slot < own.size(); ++slot) {
      if (own[slot].dim != dim())
        throw ConfigError({.what = "a client has another number of variables than the problem",
                           .seen = fmt::format("client {}: {}; the configuration of the server: dim = {}", hosted[slot],
                                               own[slot].dim, dim()),
                           .advice = "give the clients of this problem, or set problem.dim at the server"});
      peer.own.require_rows("client " + std::to_string(hosted[slot]), own[slot].rows);
    }
  }

  std::optional<std::string> fault_of(std::span<const double> row) const {
    if (row[own_dim] != static_cast<double>(dim())) return number(row[own_dim]) + " variables";
    if (!is_whole(row[own_rows], 0.0, most_own_rows)) return number(row[own_rows]) + " rows";
    if (!is_whole(row[own_weighted], 0.0, 1.0)) return "weighted by all: " + number(row[own_weighted]);
    if (!is_weight(row[own_mass])) return "rows of the weight " + number(row[own_mass]);
    if (row[own_weighted] == 1.0 && !(row[own_rows] >= 1.0 && row[own_mass] > 0.0)) return "no rows to weigh";
    if (!is_weight(row[own_l2]) || !is_weight(row[own_beta]))
      return "penalties of weight " + number(row[own_l2]) + " and " + number(row[own_beta]);
    return std::nullopt;
  }

  static double mass_of(const OwnClient& client) {
    return client.mass > 0.0 ? client.mass : static_cast<double>(client.rows);
  }

  // Of the clients that are present.
  struct OwnTotals {
    std::size_t clients = 0;
    std::size_t weighted = 0;
    double rows = 0.0;
    double mass = 0.0;
    std::optional<double> l2 = {};  // where it is that of all
    std::optional<double> beta = {};
  };

  static OwnFacts facts_of(const OwnClient& client) {
    return {static_cast<double>(client.dim),
            static_cast<double>(client.rows),
            mass_of(client),
            client.weighted_by_all ? 1.0 : 0.0,
            client.l2,
            client.beta};
  }

  // Collective.
  OwnAgreement agree(const std::vector<OwnClient>& own, Transport& transport) const {
    const bool by_sums = transport.summation() == Summation::fixed;
    return agreement_of(by_sums ? totals_by_sums(own, transport) : totals_of_clients(own, transport),
                        transport.layout().clients);
  }

  OwnTotals totals_of_clients(const std::vector<OwnClient>& own, Transport& transport) const {
    std::vector<double> mine;
    for (const OwnClient& client : own)
      for (const double fact : facts_of(client)) mine.push_back(fact);
    const std::size_t clients = transport.layout().clients;
    std::vector<double> all(clients * own_width);
    transport.share(own_width, mine, all, [this](std::span<const double> row) { return fault_of(row); });
    std::vector<OwnFacts> present;
    for (ClientId id = 0; id < clients; ++id)
      if (!std::ranges::binary_search(transport.agreement().absent, id))
        std::copy_n(&all[id * own_width], own_width, present.emplace_back().begin());
    OwnTotals totals{.clients = present.size()};
    for (const OwnFacts& facts : present) {
      totals.rows += facts[own_rows];
      totals.mass += facts[own_mass];
      if (facts[own_weighted] == 1.0) ++totals.weighted;
    }
    const auto same = [&](OwnColumn at) {
      return std::ranges::all_of(present, [&](const OwnFacts& facts) { return facts[at] == present.front()[at]; });
    };
    if (!present.empty() && same(own_l2) && same(own_beta)) {
      totals.l2 = present.front()[own_l2];
      totals.beta = present.front()[own_beta];
    }
    return totals;
  }

  // Nothing tells one client from another.
  static OwnTotals totals_by_sums(const std::vector<OwnClient>& own, Transport& transport) {
    std::vector<OwnFacts> mine;
    std::vector<std::span<const double>> rows;
    std::vector<double> extremes(4, -std::numeric_limits<double>::infinity());  // of l2 and β, and negated
    for (const OwnClient& client : own) {
      mine.push_back(facts_of(client));
      for (std::size_t k = 0; k < 2; ++k) {
        const double value = k == 0 ? client.l2 : client.beta;
        extremes[k] = std::max(extremes[k], value);
        extremes[2 + k] = std::max(extremes[2 + k], -value);
      }
    }
    for (const OwnFacts& facts : mine) rows.emplace_back(facts);
    std::vector<double> sum(own_width);
    sum_by_integers(rows, Blocks(own_width, 1), sum, transport);
    extremes = shared_largest(extremes, transport);
    OwnTotals totals{.clients = transport.layout().clients - transport.agreement().absent.size(),
                     .weighted = static_cast<std::size_t>(std::max(0.0, sum[own_weighted])),
                     .rows = sum[own_rows],
                     .mass = sum[own_mass]};
    if (extremes[0] == -extremes[2] && extremes[1] == -extremes[3]) {
      totals.l2 = extremes[0];
      totals.beta = extremes[1];
    }
    return totals;
  }

  static OwnAgreement agreement_of(const OwnTotals& totals, std::size_t clients) {
    OwnAgreement agreed;
    if (totals.weighted > 0 && totals.weighted < totals.clients)
      throw ConfigError({.what = "the weight of the rows of some clients is not known, because others have none",
                         .seen = fmt::format("{} of {} clients are losses over rows without a weight", totals.weighted,
                                             totals.clients),
                         .advice = "give weight=1/len(y), or another weight of a row, to each of them"});
    if (!(totals.rows >= 0.0 && totals.rows <= most_own_rows))
      throw DataError({.what = "the total number of rows of all clients is out of range",
                       .seen = number(totals.rows) + " rows",
                       .advice = "check which site reports so many rows"});
    agreed.rows = static_cast<std::size_t>(totals.rows);
    if (totals.mass > 0.0) agreed.row_weight = static_cast<double>(clients) / totals.mass;
    if (totals.l2 && totals.beta) {
      agreed.l2 = *totals.l2;
      agreed.beta = *totals.beta;
    }
    return agreed;
  }

  OwnKeys keys_;
  ReferenceSource reference_;
};

// Finding the optimum beforehand would solve the problem over the network before the run, and needs a convex f, of
// which nothing is known here: it is looked for where the table asks for it.
std::shared_ptr<const ProblemSpec> read_own(const ConfigTable& table, FederationConfig& federation,
                                            ProblemConfig& problem) {
  if (!federation.files.empty() || federation.split || federation.alpha)
    throw ConfigError(
        {.what = "the clients of this problem are the sites' own: there are no rows to split and no files",
         .seen = federation.source.location + ": [federation] has files, split or alpha",
         .advice = "remove them, or use a kind of problem that reads data"});
  federation.clients = federation.required_clients();
  OwnKeys keys;
  read_problem_table(table, problem, StartPoint{.entry = 0.0}, keys);
  if (!keys.dim)
    reject_key(table, "dim", "'dim' is required: the configuration says how many variables the sites' functions have",
               "give dim = d");
  if (problem.x0.from_generator())
    reject_key(table, "x0", "these functions have no start of their own",
               "give x0 = 0, another number, or the path of a .npy file");
  if (table.find("reference") == nullptr) problem.reference = ReferenceChoice::none;
  const bool wanted = problem.reference != ReferenceChoice::none;
  return std::make_shared<OwnProblemSpec>(keys, wanted ? ReferenceSource::solver : ReferenceSource::none);
}

}  // namespace

ProblemKind own_kind() { return {.name = "own", .read = read_own}; }

}  // namespace driftless
