// What it costs to keep the state before every round, so that the round can be abandoned.
//
//   bench_round_snapshot [REPEATS]
//
// One gradient of all clients stands beside it: no round does less. The clients are quadratics that keep nothing, whose
// gradient is a single pass over their vector. The least time of all repeats counts.
#include "driftless/optimize/round_snapshot.hpp"

#include "driftless/federation/in_process_transport.hpp"
#include "driftless/methods/catalog.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace driftless {
namespace {

// f(x) = ½‖x‖²
struct Ball {
  Index size = 0;
  Index dim() const { return size; }
  double value_gradient(VecIn x, VecOut g) const {
    g = x;
    return 0.5 * x.squaredNorm();
  }
};

template <class Work>
double milliseconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// The bytes of all vectors.
class SizeVisitor final : public StateVisitor {
 public:
  void vector(std::string_view, Vector& v) override { bytes_ += sizeof(double) * static_cast<std::size_t>(v.size()); }
  void number(std::string_view, double&) override {}
  void count(std::string_view, std::uint64_t&) override {}
  void per_client(std::string_view name, PerClient<Vector>& v) override {
    for (Vector& of_client : v.hosted()) vector(name, of_client);
  }
  void per_client(std::string_view, PerClient<double>&) override {}
  void per_client(std::string_view, PerClient<std::uint64_t>&) override {}

  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

struct Case {
  const char* method;
  Settings settings;
  std::size_t clients;
  Index dim;
};

void measure(const Case& c, std::size_t threads, int repeats) {
  ClientObjectives clients;
  for (std::size_t i = 0; i < c.clients; ++i) clients.push_back(make_client(Ball{c.dim}));
  InProcessTransport transport(c.clients);
  ThreadPool pool(threads);
  Federation fed(clients, transport, pool, 1);
  const auto method = find_method(c.method).make(c.settings);
  Vector x = Vector::Constant(c.dim, 1.0);
  method->start(fed, x);
  SizeVisitor size;
  size.vector("x", x);
  method->visit_state(size);

  RoundSnapshot snapshot;
  const double first = milliseconds([&] { snapshot.take(*method, fed, x); });
  double later = 1e300, gradients = 1e300;
  for (int k = 0; k < repeats; ++k) {
    later = std::min(later, milliseconds([&] { snapshot.take(*method, fed, x); }));
    gradients = std::min(gradients, milliseconds([&] { fed.measure(x); }));
  }
  fmt::print("{:10} {:8} {:10} {:8} {:10.2f} {:12.4f} {:12.4f} {:14.4f}\n", c.method, c.clients, c.dim, threads,
             static_cast<double>(size.bytes()) / 1e6, first, later, gradients);
}

}  // namespace
}  // namespace driftless

int main(int argc, char** argv) {
  using namespace driftless;
  const int repeats = argc == 2 ? std::max(1, std::atoi(argv[1])) : 10;
  fmt::print("{:10} {:>8} {:>10} {:>8} {:>10} {:>12} {:>12} {:>14}\n", "method", "clients", "variables", "threads",
             "state, MB", "first, ms", "later, ms", "gradients, ms");
  constexpr Index resnet_18 = 11'173'962;  // parameters for ten classes
  const std::vector<Case> cases{
      {"gd", {{"step", 0.1}}, 142, 124},
      {"scaffold", {{"step", 0.1}, {"local_steps", std::int64_t{1}}}, 142, 124},
      {"scaffold", {{"step", 0.1}, {"local_steps", std::int64_t{1}}}, 142, 20'000},
      {"fedavg", {{"step", 0.1}, {"local_steps", std::int64_t{1}}}, 10, resnet_18},
      {"dane+-gd", {{"lambda", 1.0}, {"eta", 2.0}, {"local_steps", std::int64_t{1}}}, 10, resnet_18}};
  for (const Case& c : cases)
    for (const std::size_t threads : {1U, 2U}) measure(c, threads, repeats);
  return 0;
}
