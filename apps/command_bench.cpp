// driftless bench
#include "driftless/bench/bench.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/console/progress.hpp"

#include "apps/commands.hpp"
#include "apps/signals.hpp"

#include <fmt/format.h>

namespace driftless::app {

ExitCode bench(const BenchRequest& request) {
  remember_signals();
  BenchOptions options{.data = request.data, .clients = request.clients, .threads = request.threads};
  options.growth = request.growth;
  options.largest = request.largest;
  options.effort.seconds = request.seconds;
  options.progress = progress_wanted();
  options.interrupted = [] { return signal_seen().has_value(); };
  const BenchResult result = run_bench(options);
  fmt::print("{}", request.format == Format::json ? bench_json(result) : bench_text(result));
  if (!request.out.empty()) write_output_file(request.out, bench_json(result));
  return signal_seen().value_or(ExitCode::done);
}

}  // namespace driftless::app
