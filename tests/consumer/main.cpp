// A program outside the source tree that uses the installed library: an objective of its own, minimised by a method of
// the catalogue. Ends with 1 and says why if anything differs from what the headers promise.
#include <driftless/methods/catalog.hpp>
#include <driftless/optimize/driver.hpp>
#include <driftless/federation/in_process_transport.hpp>

#include <cstdio>
#include <memory>
#include <string>

static_assert(__cplusplus >= 202002L, "the package must ask for C++20");

namespace {

// f_i(x) = ½ a ‖x − b‖²
struct Bowl {
  double a;
  driftless::Vector b;

  driftless::Index dim() const { return b.size(); }
  double value(driftless::VecIn x) const { return 0.5 * a * (x - b).squaredNorm(); }
  void gradient(driftless::VecIn x, driftless::VecOut g) const { g = a * (x - b); }
  double value_gradient(driftless::VecIn x, driftless::VecOut g) const {
    gradient(x, g);
    return value(x);
  }
};
static_assert(driftless::Objective<Bowl>);

int failures = 0;

void expect(bool holds, const char* statement) {
  if (holds) return;
  std::fprintf(stderr, "consumer: does not hold: %s\n", statement);
  ++failures;
}

void check_own_objective() {
  using driftless::Vector;
  driftless::ClientObjectives clients;
  clients.push_back(driftless::make_client(Bowl{1.0, Vector::Constant(3, 0.0)}));
  clients.push_back(driftless::make_client(Bowl{3.0, Vector::Constant(3, 2.0)}));
  driftless::Solo transport(clients.size());
  driftless::ThreadPool pool(2);
  driftless::Federation fed(clients, transport, pool, 1, std::make_unique<driftless::SeededChance>(1));
  const auto method = driftless::find_method("fedred-gd").make({{"lambda", 1.0}, {"eta", 3.0}, {"p", 0.5}});
  driftless::Trace trace;
  const auto result =
      driftless::drive(*method, fed, Vector::Zero(3), {.stop = {.rounds = 500, .grad_norm = 1e-9}}, trace);
  expect(result.reason == driftless::StopReason::grad_norm, "the run ends when the gradient is small");
  expect((result.x - Vector::Constant(3, 1.5)).norm() < 1e-8, "the mean of the clients is minimised");
  expect(trace.rows().back().exchanges == 1 + 2 * trace.rows().back().round, "exchanges are counted");
}

void check_refusal() {
  try {
    driftless::find_method("fedredgd");
    expect(false, "an unknown method is refused");
  } catch (const driftless::ConfigError& error) {
    expect(std::string(error.what()).find("fedred-gd") != std::string::npos, "the refusal names the nearest method");
    expect(error.code() == driftless::ExitCode::configuration, "the refusal is a configuration error");
  }
}

}  // namespace

int main() {
  check_own_objective();
  check_refusal();
  if (failures != 0) return 1;
  std::puts("consumer: all as promised");
  return 0;
}
