#include "driftless/theory/federated_constants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

// Differences of Hessians are formed from products that are each rounded relative to L.
constexpr double cancellation = 1e-15;

// The start of an eigenvalue search: the same in every inspection, for every seed and on every peer.
Stream probe(std::uint64_t search) {
  constexpr std::uint64_t own_seed = 0x70726f6265;  // differs from the seeds of generated data
  return {own_seed, Purpose::generator, search};
}

class Inspector {
 public:
  Inspector(Federation& fed, const Vector& x, const InspectOptions& options)
      : fed_(fed), x_(x), options_(options), before_(fed.ledger().exchanges), kept_(fed.per_client(Vector())) {}

  void curvature() {
    const std::optional<CurvatureFloor> floor = local_curvature();
    stage("the mean");
    const SpectrumEnds mean = noted(
        curvature_ends([&](const Vector& v, Vector& out) { out = mean_product(v); }, probe(fed_.clients()), floor));
    out_.L_f = mean.norm();
    out_.mu_f = mean.low;
  }

  void similarity() {
    const double rounded = cancellation * out_.L().value;
    const std::size_t measured = std::min(fed_.clients(), options_.similarity_of);
    for (ClientId k = 0; k < measured && !out_.interrupted; ++k) {
      stage("similarity of client " + std::to_string(k + 1) + " of " + std::to_string(measured));
      Eigenvalue& delta = out_.clients[k].delta;
      delta = ends(Wanted::norm, [&](const Vector& v, Vector& out) { out = deviation_product(k, v); }).norm();
      delta.error += rounded;
    }
    if (out_.interrupted) return;
    stage("mean similarity");
    fed_.for_each_client([&](Client& i) { kept_[i].resize(fed_.dim()); });
    const Eigenvalue square =
        ends(Wanted::largest, [&](const Vector& v, Vector& out) { out = mean_square_product(v); }).high;
    out_.delta_A = root({.value = square.value, .error = square.error + rounded * out_.L().value});
  }

  FederatedConstants finish() {
    out_.exchanges = fed_.ledger().exchanges - before_;
    return std::move(out_);
  }

 private:
  void stage(const std::string& name) const {
    if (options_.on_stage) options_.on_stage(name);
  }
  LanczosOptions lanczos(Wanted wanted) const {
    return {.wanted = wanted,
            .tolerance = options_.tolerance,
            .most_products = options_.most_products,
            .floor = {},
            .stop_token = options_.stop_token};
  }
  void check_interrupted() { out_.interrupted = out_.interrupted || options_.stop_token.stop_requested(); }

  // Replicated: every peer makes the same steps on the same means.
  SpectrumEnds ends(Wanted wanted, const Product& product) {
    return noted(spectrum_ends(fed_.dim(), product, probe(fed_.clients()), lanczos(wanted)));
  }
  SpectrumEnds noted(const SpectrumEnds& found) {
    out_.converged = out_.converged && found.converged;
    check_interrupted();
    return found;
  }

  // λ_min and λ_max of a Hessian.
  SpectrumEnds curvature_ends(const Product& product, Stream start, const std::optional<CurvatureFloor>& floor) const {
    LanczosOptions options = lanczos(Wanted::both);
    if (floor) options.floor = floor->least;
    if (!floor || !floor->reached(fed_.dim())) return spectrum_ends(fed_.dim(), product, start, options);
    options.wanted = Wanted::largest;
    SpectrumEnds found = spectrum_ends(fed_.dim(), product, start, options);
    found.low = {.value = floor->least, .error = std::numeric_limits<double>::epsilon() * floor->least};
    return found;
  }

  // λ_min and λ_max of every H_i, each computed by its client alone; only the numbers are sent. Returns what is known
  // of H̄.
  std::optional<CurvatureFloor> local_curvature() {
    stage("each client");
    const Matrix found = gather_scalars(fed_, 9, [&](Client& i, VecOut numbers) {
      const Product product = [&](const Vector& v, Vector& out) { i.hessian_vector(x_, v, out); };
      const std::optional<CurvatureFloor> floor = i.curvature_floor();
      const SpectrumEnds e = curvature_ends(product, probe(i.id()), floor);
      const CurvatureFloor known = floor.value_or(CurvatureFloor{});
      numbers << e.norm().value, e.norm().error, e.low.value, e.low.error, e.converged ? 1.0 : 0.0, floor ? 1.0 : 0.0,
          known.least, static_cast<double>(known.rank), i.sample_smoothness().value_or(0.0);
    });
    for (Index i = 0; i < found.cols(); ++i) {
      out_.clients.push_back({.L = {found(0, i), found(1, i)}, .mu = {found(2, i), found(3, i)}, .delta = {}});
      out_.converged = out_.converged && found(4, i) > 0.5;
    }
    const auto of_samples = found.row(8);
    if (of_samples.minCoeff() > 0.0) out_.L_sample = of_samples.maxCoeff();
    check_interrupted();
    if (found.row(5).minCoeff() < 0.5) return std::nullopt;
    return CurvatureFloor{.least = found.row(6).mean(), .rank = static_cast<Index>(std::llround(found.row(7).sum()))};
  }

  Vector mean_product(const Vector& v) {
    return fed_.mean([&](Client& i, VecOut row) { i.hessian_vector(x_, v, row); });
  }
  Vector deviation_product(ClientId k, const Vector& v) {
    const auto n = static_cast<double>(fed_.clients());
    return fed_.mean([&](Client& j, VecOut row) {
      j.hessian_vector(x_, v, row);
      row *= j.id() == k ? n - 1.0 : -1.0;  // s_j
    });
  }
  Vector mean_square_product(const Vector& v) {
    const Vector mean = fed_.mean([&](Client& i, VecOut row) {
      i.hessian_vector(x_, v, kept_[i]);
      row = kept_[i];
    });
    return fed_.mean([&](Client& i, VecOut row) {
      kept_[i] -= mean;
      i.hessian_vector(x_, kept_[i], row);  // H_i (H_i v − H̄ v)
    });
  }

  // |√a − √b| <= |a − b|/√a and <= √|a − b|
  static Eigenvalue root(const Eigenvalue& square) {
    const double value = std::sqrt(std::max(0.0, square.value));
    const double small = std::sqrt(square.error);
    return {.value = value, .error = value > 0.0 ? std::min(square.error / value, small) : small};
  }

  Federation& fed_;
  const Vector& x_;
  const InspectOptions& options_;
  std::uint64_t before_;
  PerClient<Vector> kept_;  // H_i v, then H_i v − H̄ v
  FederatedConstants out_;
};

using Member = Eigenvalue ClientConstants::*;

// The largest over the clients, and how much larger a client within its error may be.
Eigenvalue largest(const std::vector<ClientConstants>& clients, Member member) {
  Eigenvalue most;
  double bound = 0.0;
  for (const ClientConstants& c : clients) {
    const Eigenvalue& e = c.*member;
    bound = std::max(bound, e.value + e.error);
    if (e.value >= most.value) most = e;
  }
  return {.value = most.value, .error = std::max(most.error, bound - most.value)};
}

Constants collected(const FederatedConstants& c, double Eigenvalue::* part) {
  return {.clients = c.clients.size(),
          .L = c.L().*part,
          .L_f = c.L_f.*part,
          .mu = c.mu().*part,
          .mu_f = c.mu_f.*part,
          .delta_A = c.delta_A.*part,
          .delta_A_up = c.delta_A_up().*part,
          .delta_B = c.delta_B().*part,
          .delta_1 = c.clients.front().delta.*part};
}

}  // namespace

Eigenvalue FederatedConstants::L() const { return largest(clients, &ClientConstants::L); }
Eigenvalue FederatedConstants::delta_B() const { return largest(clients, &ClientConstants::delta); }

Eigenvalue FederatedConstants::mu() const {
  Eigenvalue least = clients.front().mu;
  double bound = least.value - least.error;
  for (const ClientConstants& c : clients) {
    bound = std::min(bound, c.mu.value - c.mu.error);
    if (c.mu.value < least.value) least = c.mu;
  }
  return {.value = least.value, .error = std::max(least.error, least.value - bound)};
}

Eigenvalue FederatedConstants::delta_A_up() const {
  double squares = 0.0;
  double errors = 0.0;
  for (const ClientConstants& c : clients) {
    squares += c.delta.value * c.delta.value;
    errors += c.delta.error * c.delta.error;
  }
  const auto n = static_cast<double>(clients.size());
  return {.value = std::sqrt(squares / n), .error = std::sqrt(errors / n)};  // sqrt((1/n) Σ ‖H_i − H̄‖²)
}

Constants FederatedConstants::values() const {
  Constants values = collected(*this, &Eigenvalue::value);
  values.L_sample = L_sample;
  return values;
}
Constants FederatedConstants::errors() const { return collected(*this, &Eigenvalue::error); }

Matrix gather_scalars(Federation& fed, std::size_t count, const std::function<void(Client&, VecOut)>& body) {
  const auto numbers = static_cast<Index>(count);
  const auto n = static_cast<Index>(fed.clients());
  const Vector all =
      fed.mean_scalars({fed.everyone(), fed.everyone()}, count * fed.clients(), [&](Client& i, VecOut row) {
        row.setZero();
        body(i, row.segment(numbers * static_cast<Index>(i.id()), numbers));
      });
  return static_cast<double>(n) * Eigen::Map<const Matrix>(all.data(), numbers, n);  // a sum with one term each
}

FederatedConstants federated_curvature(Federation& fed, const Vector& x, const InspectOptions& options) {
  Inspector inspector(fed, x, options);
  inspector.curvature();
  return inspector.finish();
}

FederatedConstants federated_constants(Federation& fed, const Vector& x, const InspectOptions& options) {
  Inspector inspector(fed, x, options);
  inspector.curvature();
  inspector.similarity();
  return inspector.finish();
}

SampleNoise sample_noise(Federation& fed, const Vector& x) {
  const Matrix found = gather_scalars(fed, 2, [&](Client& i, VecOut out) {
    const std::optional<double> variance = i.sample_variance(x);
    out[0] = variance ? static_cast<double>(i.samples()) : 0.0;
    out[1] = variance.value_or(0.0);
  });
  if (!(found.row(0).minCoeff() > 0.0)) return {};
  SampleNoise noise;
  for (Index i = 0; i < found.cols(); ++i) {
    noise.samples.push_back(std::round(found(0, i)));
    noise.variance.push_back(found(1, i));
  }
  return noise;
}

}  // namespace driftless
