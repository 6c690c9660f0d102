// A program outside the source tree that uses the installed library. Ends with 1 and says why if anything differs from
// what the headers promise.
#include <driftless/core/error.hpp>
#include <driftless/core/options.hpp>
#include <driftless/core/random.hpp>
#include <driftless/core/text.hpp>
#include <driftless/core/vector.hpp>

#include <cstdio>
#include <string>
#include <tuple>

static_assert(__cplusplus >= 202002L, "the package must ask for C++20");

namespace {

struct StepOptions {
  double step = driftless::required;
  static constexpr auto fields() {
    return std::tuple{driftless::field("step", &StepOptions::step, driftless::positive, "step size")};
  }
};

int failures = 0;

void expect(bool holds, const char* statement) {
  if (holds) return;
  std::fprintf(stderr, "consumer: does not hold: %s\n", statement);
  ++failures;
}

void check_chance() {
  driftless::Stream first(1, driftless::Purpose::coin);
  driftless::Stream again(1, driftless::Purpose::coin);
  driftless::Stream other(2, driftless::Purpose::coin);
  const auto bits = first.bits();
  expect(bits == again.bits(), "a stream with the same key repeats itself");
  expect(bits != other.bits(), "a stream with another seed differs");
  const double u = first.uniform();
  expect(u >= 0.0 && u < 1.0, "uniform() lies in [0, 1)");
}

void check_options() {
  StepOptions options;
  driftless::set_option(options, "step", 0.25);
  expect(options.step == 0.25, "an option takes the value it is given");
  try {
    driftless::set_option(options, "stepp", 1.0);
    expect(false, "an unknown option is refused");
  } catch (const driftless::ConfigError& error) {
    expect(std::string(error.what()).find("step") != std::string::npos, "the refusal names the nearest option");
    expect(error.code() == driftless::ExitCode::configuration, "the refusal is a configuration error");
  }
}

void check_vectors() {
  const driftless::Vector ones = driftless::Vector::Ones(3);
  expect(ones.dot(ones) == 3.0, "vectors are Eigen's");
  expect(driftless::number(0.1) == "0.1", "numbers are written in their shortest form");
}

}  // namespace

int main() {
  check_chance();
  check_options();
  check_vectors();
  if (failures != 0) return 1;
  std::puts("consumer: all as promised");
  return 0;
}
