#include "driftless/bench/pass_speed.hpp"

#include "driftless/data/split_rows.hpp"
#include "driftless/federation/in_process_transport.hpp"
#include "driftless/objectives/linear/linear_model.hpp"

#include <Eigen/SparseCore>

namespace driftless {
namespace {

template <class Rows>
void add_clients(const Dataset& data, const Partition& partition, LogisticClients& made) {
  const double weight = static_cast<double>(partition.clients.size()) / static_cast<double>(data.rows());
  for (const std::vector<std::int32_t>& rows : partition.clients) {
    LogisticRegression<Rows> f(data, rows, {.weight = weight, .l2 = 1e-3, .intercept = true});
    if (made.clients.empty()) made.layout = f.rows().layout();
    made.bytes += f.rows().bytes();
    made.entries += f.rows().entries();
    made.clients.push_back(make_client(std::move(f)));
  }
}

// The gradient as one would write it with Eigen: the whole data as one matrix.
class EigenGradient {
 public:
  explicit EigenGradient(const Dataset& data)
      : a_(static_cast<Index>(data.rows()), data.dim),
        y_(Eigen::Map<const Vector>(data.label.data(), static_cast<Index>(data.rows()))) {
    a_.reserve(static_cast<Index>(data.nonzeros()));
    for (std::size_t j = 0; j < data.rows(); ++j) {
      a_.startVec(static_cast<Index>(j));
      for (auto e = data.row_start[j]; e < data.row_start[j + 1]; ++e)
        a_.insertBack(static_cast<Index>(j), data.column[static_cast<std::size_t>(e)]) =
            data.value[static_cast<std::size_t>(e)];
    }
    a_.finalize();
  }

  void at(const Vector& x, Vector& g) const {
    const auto d = a_.cols();
    Vector z = a_ * x.head(d);
    z.array() += x[d];
    z = -y_.array() / (1.0 + (y_.array() * z.array()).exp()) / static_cast<double>(a_.rows());
    g.head(d) = a_.transpose() * z + 1e-3 * x.head(d);
    g[d] = z.sum() + 1e-3 * x[d];
  }

 private:
  Eigen::SparseMatrix<double, Eigen::RowMajor> a_;
  Vector y_;
};

// Every entry is read twice, forth and back; memory may be slower than that.
double least_time(const LogisticClients& made, std::size_t rows, const MachineSpeed& machine) {
  const auto threads = static_cast<double>(machine.threads);
  const double work =
      2.0 * static_cast<double>(made.entries) * machine.entry_seconds + static_cast<double>(rows) * machine.row_seconds;
  const MemoryLevel& level = machine.level_of(made.bytes / machine.threads);
  return std::max(work / threads, static_cast<double>(made.bytes) / level.all);
}

}  // namespace

LogisticClients logistic_clients(const Dataset& data, std::size_t clients) {
  const Partition partition = split_rows(data, {.clients = clients}, 1);
  LogisticClients made;
  if (prefers_dense(data, partition.clients.front())) add_clients<DenseRows>(data, partition, made);
  else add_clients<SparseRows>(data, partition, made);
  return made;
}

PassSpeed measure_pass(const Dataset& data, std::size_t clients, const MachineSpeed& machine, ThreadPool& pool,
                       const Effort& effort) {
  const LogisticClients made = logistic_clients(data, clients);
  const Vector x = Vector::Constant(data.dim + 1, 0.01);
  Vector result(x.size());
  const EigenGradient eigen(data);
  ThreadPool alone(1);
  InProcessTransport solo(clients);
  Federation one(made.clients, solo, alone, 1);
  Federation all(made.clients, solo, pool, 1);
  const auto gradient = [&](Client& i, VecOut row) { i.gradient(x, row); };
  const std::vector<double> best = best_times(
      {[&] { result = one.mean(gradient); }, [&] { result = all.mean(gradient); }, [&] { eigen.at(x, result); }},
      effort);
  // Apart: once products were asked for, gradients keep what the next product needs.
  const double product =
      best_time([&] { result = all.mean([&](Client& i, VecOut row) { i.hessian_vector(x, x, row); }); }, effort);
  return {.data = data.name,
          .layout = made.layout,
          .clients = clients,
          .rows = data.rows(),
          .nonzeros = data.nonzeros(),
          .bytes = made.bytes,
          .one = best[0],
          .all = best[1],
          .product = product,
          .eigen = best[2],
          .floor = least_time(made, data.rows(), machine),
          .level = machine.level_of(made.bytes / machine.threads).name};
}

}  // namespace driftless
