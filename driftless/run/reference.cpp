#include "driftless/run/reference.hpp"

#include "driftless/solvers/newton_cg.hpp"

#include <vector>

namespace driftless {
namespace {

// f as one objective. Clients work in parallel and are added in the order of their numbers, so threads do not change a
// bit.
class MeanOfClients {
 public:
  MeanOfClients(const ClientObjectives& clients, ThreadPool& pool)
      : clients_(clients),
        pool_(pool),
        values_(clients.size()),
        rows_(clients.size(), Vector(clients.front()->dim())) {}

  Index dim() const { return clients_.front()->dim(); }
  double value(VecIn x) const {
    pool_.for_each(clients_.size(), [&](std::size_t i, std::size_t) { values_[i] = clients_[i]->value(x); });
    return mean_value();
  }
  void gradient(VecIn x, VecOut g) const {
    pool_.for_each(clients_.size(), [&](std::size_t i, std::size_t) { clients_[i]->gradient(x, rows_[i]); });
    mean_row(g);
  }
  double value_gradient(VecIn x, VecOut g) const {
    pool_.for_each(clients_.size(),
                   [&](std::size_t i, std::size_t) { values_[i] = clients_[i]->value_gradient(x, rows_[i]); });
    mean_row(g);
    return mean_value();
  }
  void hessian_vector(VecIn x, VecIn v, VecOut hv) const {
    pool_.for_each(clients_.size(), [&](std::size_t i, std::size_t) { clients_[i]->hessian_vector(x, v, rows_[i]); });
    mean_row(hv);
  }

 private:
  double mean_value() const {
    double sum = 0.0;
    for (const double v : values_) sum += v;
    return sum / static_cast<double>(values_.size());
  }
  void mean_row(VecOut out) const {
    out = rows_.front();
    for (std::size_t i = 1; i < rows_.size(); ++i) out += rows_[i];
    out /= static_cast<double>(rows_.size());
  }

  const ClientObjectives& clients_;
  ThreadPool& pool_;
  mutable std::vector<double> values_;
  mutable std::vector<Vector> rows_;
};

}  // namespace

std::optional<FoundReference> central_reference(const ClientObjectives& clients, ThreadPool& pool) {
  constexpr double tolerance = 1e-12;
  constexpr double rounding = 1e-9;  // what a stalled solve must have reached to be believed
  const MeanOfClients f(clients, pool);
  Vector x = Vector::Zero(f.dim());
  Vector g(f.dim());
  f.gradient(x, g);
  const double scale = 1.0 + g.norm();

  Workspace scratch(f.dim());
  BatchSampler no_batches(0, 0);
  SolveContext context{scratch, no_batches};
  const NewtonCg newton{.stop = {.kind = StopRule::Kind::absolute, .max_steps = 200, .tolerance = tolerance * scale},
                        .max_products = 5000};
  newton(f, Subproblem{}, x, context);

  const double minimum = f.value_gradient(x, g);
  if (!(g.norm() <= rounding * scale)) return std::nullopt;
  return FoundReference{.optimum = {.minimizer = std::move(x), .minimum = minimum}, .grad_norm = g.norm()};
}

std::optional<Reference> cached_reference(const ClientObjectives& clients, ThreadPool& pool,
                                          const ReferenceCache& cache, bool fresh) {
  constexpr double slack = 10.0;  // another machine rounds otherwise
  const Index dim = clients.front()->dim();
  if (auto known = fresh ? std::nullopt : cache.read(dim)) {
    Vector g(dim);
    MeanOfClients(clients, pool).gradient(known->optimum.minimizer, g);
    if (g.norm() <= slack * known->grad_norm) return std::move(known->optimum);
    cache.distrust("its point is not an optimum of this problem");
  }
  auto found = central_reference(clients, pool);
  if (!found) return std::nullopt;
  cache.write(*found);
  return std::move(found->optimum);
}

}  // namespace driftless
