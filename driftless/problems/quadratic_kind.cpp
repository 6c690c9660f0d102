#include "driftless/problems/quadratic_kind.hpp"

#include "driftless/objectives/quadratic/quadratic_generator.hpp"
#include "driftless/objectives/quadratic/resolve_quadratic.hpp"
#include "driftless/problems/problem.hpp"

#include <fmt/format.h>

namespace driftless {
namespace {

constexpr const char* name = "quadratic";

// The fields of the generator without those that a configuration has elsewhere.
struct QuadraticKeys : QuadraticSpec {
  static Fields fields() { return QuadraticSpec::fields().without({"clients", "seed"}); }
};

std::string summary_of(const QuadraticProblem& q) {
  const Constants& c = q.constants;
  return fmt::format("quadratic {} {} {}: {} clients, {} samples each, {} variables; L = {:.4g}, mu = {:.4g}, delta_A "
                     "= {:.4g}, delta_B = {:.4g}",
                     enum_name(q.spec.recipe), enum_name(q.spec.convexity), enum_name(q.spec.structure), q.spec.clients,
                     q.spec.samples, q.spec.dim, c.L, c.mu, c.delta_A, c.delta_B);
}

class QuadraticProblemSpec final : public ProblemSpec {
 public:
  // Takes a resolved spec.
  explicit QuadraticProblemSpec(const QuadraticSpec& spec) : spec_(spec) {}

  std::vector<std::pair<std::string, std::string>> echo() const override {
    QuadraticKeys keys;
    static_cast<QuadraticSpec&>(keys) = spec_;
    return echo_options(keys);
  }

  ReferenceSource reference_source() const override {
    return has_regularizer() ? ReferenceSource::none : ReferenceSource::closed_form;
  }

  Problem make(const ProblemSetup& setup, const PeerResources& peer) const override {
    QuadraticProblem q = located(setup.problem.source, [&] { return generate_quadratic(spec_); });
    Problem problem;
    problem.summary = summary_of(q);
    std::visit(
        [&](auto& clients) {
          for (auto& f : clients) problem.clients.push_back(make_client(std::move(f)));
        },
        q.clients);
    keep_hosted(peer.transport.layout(), problem.clients);
    problem.start = std::move(q.start);
    problem.constants = q.constants;
    problem.hessians.constant = !has_regularizer();
    if (q.minimizer && q.minimum)
      problem.reference = Reference{.minimizer = std::move(*q.minimizer), .minimum = *q.minimum};
    return problem;
  }

 private:
  bool has_regularizer() const { return given(spec_.beta) > 0.0; }

  QuadraticSpec spec_;
};

std::shared_ptr<const ProblemSpec> read_quadratic(const ConfigTable& table, FederationConfig& federation,
                                                  ProblemConfig& problem) {
  if (table.find("clients") != nullptr)
    reject_key(table, "clients", "'clients' belongs into the table [federation]", "move it there");
  if (!federation.files.empty() || federation.split || federation.alpha)
    throw ConfigError({.what = "a quadratic problem generates every client: it has no rows to split and reads no file",
                       .seen = federation.source.location + ": [federation] has files, split or alpha",
                       .advice = "remove them, or use a kind of problem that reads data"});
  QuadraticKeys keys;
  keys.clients = federation.required_clients();
  read_problem_table(table, problem, StartPoint{}, keys);
  keys.seed = problem.seed;
  return std::make_shared<QuadraticProblemSpec>(located(table, [&] { return resolved(keys); }));
}

}  // namespace

ProblemKind quadratic_kind() { return {.name = name, .read = read_quadratic}; }

ProblemSetup quadratic_setup(const QuadraticSpec& spec) {
  ProblemSetup setup{.seed = spec.seed};
  setup.federation.clients = spec.clients;
  setup.problem.kind = name;
  setup.problem.seed = spec.seed;
  setup.problem.spec = std::make_shared<QuadraticProblemSpec>(resolved(spec));
  return setup;
}

}  // namespace driftless
