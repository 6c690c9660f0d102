// driftless bench
#include "driftless/bench/bench.hpp"
#include "driftless/console/progress.hpp"
#include "driftless/files/output_file.hpp"

#include "apps/command_line.hpp"
#include "apps/signals.hpp"

#include <fmt/format.h>

namespace driftless::app {
namespace {

struct BenchRequest {
  std::vector<std::string> data;
  std::size_t clients = 142;
  std::size_t threads = 0;
  bool growth = false;
  double largest = 1e8;  // nonzeros
  double seconds = 0.3;  // for each measurement
  std::string out;       // a JSON file; none if empty
  Format format = Format::text;
};

ExitCode bench(const BenchRequest& request) {
  record_signals();
  BenchOptions options{.data = request.data, .clients = request.clients, .threads = request.threads};
  options.growth = request.growth;
  options.largest = request.largest;
  options.effort.seconds = request.seconds;
  options.progress = progress_wanted();
  options.stop_token = received_signal;
  const BenchResult result = run_bench(options);
  fmt::print("{}", request.format == Format::json ? bench_json(result) : bench_text(result));
  if (!request.out.empty()) write_output_file(request.out, bench_json(result));
  return exit_code_of(received_signal());
}

}  // namespace

void declare_bench(CLI::App& command, Action& action) {
  const auto request = std::make_shared<BenchRequest>();
  command.add_option("DATA", request->data, "known data or files; the usual sets as far as they are found");
  command.add_option("--clients", request->clients, "number of clients that share the rows (142 if not given)")
      ->check(CLI::PositiveNumber);
  command.add_option("--threads", request->threads, "0 = one per core")->check(CLI::Range(0, 1024));
  command.add_flag("--growth", request->growth, "generated data of 1e5 to --largest nonzeros, 10 to 10 000 clients");
  command.add_option("--largest", request->largest, "nonzeros of the largest generated data")
      ->check(CLI::Range(1e5, 2e9));
  command.add_option("--seconds", request->seconds, "for each measurement")->check(CLI::Range(0.001, 3600.0));
  command.add_option("--out", request->out, "write everything to a JSON file as well")->type_name("FILE");
  add_format(command, request->format);
  command.footer("Example:\n  driftless bench w8a a9a --out bench.json");
  command.callback([&action, request] { action = [request] { return bench(*request); }; });
}

}  // namespace driftless::app
