#include "tests/problems/toy_kind.hpp"

#include "driftless/problems/problem.hpp"

namespace driftless::test {
namespace {

struct ToyKeys {
  std::size_t dim = 3;
  double distance = required;

  static Fields fields() {
    using S = ToyKeys;
    return {field("dim", &S::dim, at_least_one, "d, number of variables"),
            field("distance", &S::distance, positive, "distance between centres in every coordinate")};
  }
};

struct ToyObjective {
  Vector centre;

  Index dim() const { return centre.size(); }
  double value(VecIn x) const { return 0.5 * (x - centre).squaredNorm(); }
  void gradient(VecIn x, VecOut g) const { g = x - centre; }
  double value_gradient(VecIn x, VecOut g) const {
    g = x - centre;
    return 0.5 * g.squaredNorm();
  }
  void hessian_vector(VecIn /*x*/, VecIn v, VecOut hv) const { hv = v; }
};

class ToyProblemSpec final : public ProblemSpec {
 public:
  explicit ToyProblemSpec(const ToyKeys& keys) : keys_(keys) {}

  std::vector<std::pair<std::string, std::string>> echo() const override { return echo_options(keys_); }
  ReferenceSource reference_source() const override { return ReferenceSource::solver; }

  Problem make(const ProblemSetup& setup, const PeerResources& peer) const override {
    const auto dim = static_cast<Index>(keys_.dim);
    Problem problem;
    for (const ClientId id : peer.transport.layout().hosted)
      problem.clients.push_back(
          make_client(ToyObjective{Vector::Constant(dim, static_cast<double>(id + 1) * keys_.distance)}));
    problem.start = Vector::Zero(dim);
    problem.hessians.constant = true;
    problem.summary = "toy: " + std::to_string(setup.clients()) + " clients";
    return problem;
  }

 private:
  ToyKeys keys_;
};

std::shared_ptr<const ProblemSpec> read(const ConfigTable& table, FederationConfig& federation,
                                        ProblemConfig& problem) {
  federation.clients = federation.required_clients();
  ToyKeys keys;
  read_problem_table(table, problem, StartPoint{}, keys);
  return std::make_shared<ToyProblemSpec>(keys);
}

}  // namespace

ProblemKind toy_kind() { return {.name = "toy", .read = read}; }

}  // namespace driftless::test
