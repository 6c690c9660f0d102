// Fixed pieces of work whose instructions are counted: counted_work gradients|solve|parse. Counts do not depend on what
// else a machine does, so that a change that costs more is seen at once. scripts/count-instructions runs it under
// callgrind, which counts inside `counted` alone.
#include "driftless/bench/pass_speed.hpp"
#include "driftless/data/libsvm/libsvm_reader.hpp"
#include "driftless/data/libsvm/libsvm_writer.hpp"
#include "driftless/data/synthetic.hpp"
#include "driftless/experiments/method_trial.hpp"
#include "driftless/kernels/simd.hpp"

#include <cstdio>
#include <functional>

using namespace driftless;

// By its plain name known to callgrind.
extern "C" __attribute__((noinline)) void counted(const std::function<void()>& work) { work(); }

namespace {

Dataset rows_of(std::size_t rows) {
  return generate_classification({.rows = rows, .dim = 300, .nonzeros_per_row = 12.0}, 1);
}

void gradients() {
  const LogisticClients made = logistic_clients(rows_of(10000), 50);
  const Vector x = Vector::Constant(301, 0.01);
  Vector g(301);
  counted([&] {
    for (int pass = 0; pass < 10; ++pass)
      for (const auto& client : made.clients) client->gradient(x, g);
  });
}

void solve() {
  Problem problem;
  problem.n = 20;
  problem.clients = logistic_clients(rows_of(5000), problem.n).clients;
  problem.start = Vector::Zero(301);
  ThreadPool pool(1);
  counted([&] {
    try_method(problem, find_method("newton-cg"), {{"gradient_goal", 1e-9}},
               {.stop = {.rounds = 50, .grad_norm = 1e-9}}, pool);
  });
}

void parse() {
  const std::string text = libsvm_text(rows_of(10000));
  counted([&] { parse_libsvm(text, "counted", {}); });
}

}  // namespace

int main(int argc, char** argv) {
  choose_simd("ssse3");  // every processor of these days has it
  const std::string name = argc == 2 ? argv[1] : "";
  if (name == "gradients") gradients();
  else if (name == "solve") solve();
  else if (name == "parse") parse();
  else {
    std::fputs("usage: counted_work gradients|solve|parse\n", stderr);
    return 2;
  }
  return 0;
}
