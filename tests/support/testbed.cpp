#include "tests/support/testbed.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/product_blocks.hpp"
#include "driftless/objectives/quadratic/dense_quadratic.hpp"
#include "driftless/objectives/quadratic/quadratic_generator.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>

namespace driftless::test {
namespace {

struct StateReader final : StateVisitor {
  std::map<std::string, Vector*, std::less<>> vectors;
  std::map<std::string, PerClient<Vector>*, std::less<>> per_client_vectors;
  std::map<std::string, double*, std::less<>> numbers;

  void vector(std::string_view name, Vector& v) override { vectors[std::string(name)] = &v; }
  void per_client(std::string_view name, PerClient<Vector>& v) override { per_client_vectors[std::string(name)] = &v; }
  void number(std::string_view name, double& v) override { numbers[std::string(name)] = &v; }
  void count(std::string_view, std::uint64_t&) override {}
  void per_client(std::string_view, PerClient<double>&) override {}
  void per_client(std::string_view, PerClient<std::uint64_t>&) override {}
};

Matrix random_orthogonal(Stream& stream, Index dim) {
  Matrix gaussian(dim, dim);
  for (Index k = 0; k < gaussian.size(); ++k) gaussian.data()[k] = stream.normal();
  return Eigen::HouseholderQR<Matrix>(gaussian).householderQ();
}

Vector random_vector(Stream& stream, Index dim, double low, double high) {
  Vector v(dim);
  for (double& entry : v) entry = stream.uniform(low, high);
  return v;
}

// Fills in what follows from the Hessians A_i and the minimisers b_i of ½(x − b_i)'A_i(x − b_i).
Instance from_quadratics(std::vector<Matrix> hessians, const std::vector<Vector>& centres, Vector start) {
  Instance instance;
  Matrix mean = Matrix::Zero(start.size(), start.size());
  Vector linear = Vector::Zero(start.size());
  const double n = static_cast<double>(hessians.size());
  for (std::size_t i = 0; i < hessians.size(); ++i) {
    mean += hessians[i] / n;
    linear += hessians[i] * centres[i] / n;
    instance.clients.push_back(make_client(DenseQuadratic(hessians[i], centres[i])));
  }
  instance.constants = constants_of_hessians(hessians);
  instance.constants.L_sample = instance.constants.L;  // every client is one sample
  instance.hessians = std::move(hessians);
  instance.start = std::move(start);
  instance.minimizer = mean.llt().solve(linear);
  instance.minimum = instance.value(instance.minimizer);
  return instance;
}

}  // namespace

std::unique_ptr<ScriptedChance> ScriptedChance::periodic(std::size_t period) {
  auto chance = std::make_unique<ScriptedChance>();
  chance->period_ = period;
  return chance;
}

bool ScriptedChance::coin(double) {
  ++drawn_;
  if (period_ > 0) return drawn_ % period_ == 0;
  if (coins_.empty()) return true;
  const bool next = coins_.front();
  coins_.pop_front();
  return next;
}

ClientId ScriptedChance::client(std::size_t clients) {
  if (clients_.empty()) return next_client_++ % clients;
  const ClientId next = clients_.front();
  clients_.pop_front();
  return next;
}

Cohort ScriptedChance::cohort(std::size_t size, std::size_t clients) {
  std::vector<ClientId> ids;
  for (std::size_t k = 0; k < size; ++k) ids.push_back((next_client_ + k) % clients);
  next_client_ += size;
  return Cohort::of(std::move(ids), clients);
}

std::vector<std::size_t> ScriptedChance::order(std::size_t count) {
  std::vector<std::size_t> indices(count);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

double Instance::value(const Vector& x) const {
  double sum = 0.0;
  for (const auto& f : clients) sum += f->value(x);
  return sum / static_cast<double>(clients.size());
}

Vector Instance::gradient(std::size_t i, const Vector& x) const {
  Vector g(x.size());
  clients[i]->gradient(x, g);
  return g;
}

Vector Instance::gradient(const Vector& x) const {
  Vector sum = Vector::Zero(x.size());
  for (std::size_t i = 0; i < clients.size(); ++i) sum += gradient(i, x);
  return sum / static_cast<double>(clients.size());
}

Vector scalar(double value) { return Vector::Constant(1, value); }

Settings with(Settings base, const Settings& more) {
  base.insert(base.end(), more.begin(), more.end());
  return base;
}

Instance toy() {
  return from_quadratics({Matrix::Constant(1, 1, 1.0), Matrix::Constant(1, 1, 3.0)}, {scalar(0), scalar(2)}, scalar(0));
}

Instance random_quadratics(std::uint64_t seed, std::size_t clients, Index dim) {
  fix_product_blocks();  // before a product, as peers of a test are threads
  Stream stream(seed, Purpose::generator);
  const Vector common = random_vector(stream, dim, 1.0, 8.0);
  const Matrix basis = random_orthogonal(stream, dim);
  std::vector<Matrix> hessians;
  std::vector<Vector> centres;
  for (std::size_t i = 0; i < clients; ++i) {
    const Matrix own = random_orthogonal(stream, dim);
    const Vector deviation = random_vector(stream, dim, 0.0, 2.0);
    hessians.emplace_back(basis * common.asDiagonal() * basis.transpose() +
                          own * deviation.asDiagonal() * own.transpose());
    centres.push_back(random_vector(stream, dim, -1.0, 1.0));
  }
  return from_quadratics(std::move(hessians), centres, random_vector(stream, dim, 2.0, 3.0));
}

Instance demo_quadratics(Index dim, QuadraticClass convexity) {
  QuadraticProblem problem = generate_quadratic({.convexity = convexity, .dim = static_cast<std::size_t>(dim)});
  Instance instance;
  instance.start = problem.start;
  instance.constants = problem.constants;
  instance.minimizer = problem.minimizer.value();
  instance.minimum = problem.minimum.value();
  for (DiagonalQuadratic& f : std::get<std::vector<DiagonalQuadratic>>(problem.clients)) {
    instance.hessians.emplace_back(f.mean_curvature().asDiagonal());
    instance.clients.push_back(make_client(std::move(f)));
  }
  return instance;
}

Matrix random_rotation(std::uint64_t seed, Index dim) {
  Stream stream(seed, Purpose::generator);
  return random_orthogonal(stream, dim);
}

Instance non_convex_quadratics(double beta) {
  Instance instance;
  for (int i = 0; i < 3; ++i)
    instance.clients.push_back(make_client(DenseQuadratic(Matrix(Vector::LinSpaced(8, 0.1, 1.0 + i).asDiagonal()),
                                                          Vector::LinSpaced(8, -3.0, 2.0 + i), beta)));
  instance.start = Vector::LinSpaced(8, -1.5, 1.5);
  return instance;
}

Instance transformed(const Instance& instance, double c, const Matrix& Q) {
  std::vector<Matrix> hessians;
  std::vector<Vector> centres;
  const Vector zero = Vector::Zero(instance.start.size());
  for (std::size_t i = 0; i < instance.clients.size(); ++i) {
    const Matrix& A = instance.hessians[i];
    const Matrix turned = c * (Q * A * Q.transpose());
    hessians.emplace_back(0.5 * (turned + turned.transpose()));
    centres.emplace_back(-(Q * A.ldlt().solve(instance.gradient(i, zero))));
  }
  return from_quadratics(std::move(hessians), centres, Q * instance.start);
}

Testbed::Testbed(const Instance& instance, const std::string& method, const Settings& settings,
                 std::unique_ptr<Chance> chance, std::size_t threads, std::uint64_t seed)
    : transport_(instance.clients.size()),
      pool_(threads),
      method_(find_method(method).make(settings)),
      x_(instance.start) {
  fed_ = std::make_unique<Federation>(instance.clients, transport_, pool_, seed, StopToken{}, std::move(chance));
}

Testbed& Testbed::from(const Vector& x) {
  DRIFTLESS_ASSERT(!started_, "the start comes before the first round");
  x_ = x;
  return *this;
}

Testbed& Testbed::start() {
  if (!started_) method_->start(*fed_, x_);
  started_ = true;
  return *this;
}

const Vector& Testbed::rounds(std::size_t count) {
  start();
  for (std::size_t r = 0; r < count; ++r) {
    fed_->begin_round();
    method_->round(*fed_, x_);
  }
  return x_;
}

Vector& Testbed::vector(const std::string& name) {
  StateReader reader;
  method_->visit_state(reader);
  return *reader.vectors.at(name);
}

double& Testbed::number(const std::string& name) {
  StateReader reader;
  method_->visit_state(reader);
  return *reader.numbers.at(name);
}

Vector& Testbed::client_vector(const std::string& name, std::size_t i) {
  StateReader reader;
  method_->visit_state(reader);
  return reader.per_client_vectors.at(name)->hosted().at(i);
}

}  // namespace driftless::test
