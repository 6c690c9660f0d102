// The time of a call of minimize in C++, for scripts/bench-python to compare with the same call in Python.
//
//   bench_minimize_call FILE CLIENTS
//
// Logistic regression with l2 = 1e-3 and an intercept on the rows of a LIBSVM file, by newton-cg to ‖∇f‖ ≤ 1e-9. For
// every line on its standard input, a number of threads, it makes one call, and prints its seconds, those of the
// processors, and its rounds.
#include "driftless/data/libsvm/libsvm_reader.hpp"
#include "driftless/data/split_rows.hpp"
#include "driftless/objectives/linear/loss_catalog.hpp"
#include "driftless/optimize/minimize.hpp"

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <iostream>
#include <string>

namespace driftless {
namespace {

constexpr double goal = 1e-9;

ClientObjectives clients_of(const Dataset& data, std::size_t count) {
  const Partition partition = split_rows(data, {.clients = count}, 1);
  const LinearModelOptions options{
      .weight = static_cast<double>(count) / static_cast<double>(data.rows()), .l2 = 1e-3, .intercept = true};
  ClientObjectives clients;
  for (const std::vector<std::int32_t>& rows : partition.clients)
    clients.push_back(loss_catalog().front().make_client(data, rows, options, Storage::automatic));
  return clients;
}

int measure(const std::string& file, std::size_t count) {
  const ClientObjectives clients = clients_of(read_libsvm(file), count);
  for (std::string line; std::getline(std::cin, line);) {
    const MinimizeOptions options{.stop = {.grad_norm = goal}, .threads = std::stoul(line)};
    const std::clock_t processors = std::clock();
    const auto start = std::chrono::steady_clock::now();
    const Summary summary = minimize(clients, "newton-cg", {{"gradient_goal", goal}}, options);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double busy = static_cast<double>(std::clock() - processors) / CLOCKS_PER_SEC;
    fmt::print("{} {} {}\n", seconds, busy, summary.rounds);
    std::fflush(stdout);
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace driftless

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: bench_minimize_call FILE CLIENTS\n");
    return EXIT_FAILURE;
  }
  try {
    return driftless::measure(argv[1], std::strtoul(argv[2], nullptr, 10));
  } catch (const driftless::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return EXIT_FAILURE;
  }
}
