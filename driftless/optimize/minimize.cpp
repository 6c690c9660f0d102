#include "driftless/optimize/minimize.hpp"

#include "driftless/federation/in_process_transport.hpp"
#include "driftless/methods/automatic/auto.hpp"

#include <limits>

namespace driftless {
namespace {

void check_clients(const ClientObjectives& clients) {
  if (clients.empty())
    throw ConfigError({.what = "there are no clients", .seen = "0 objectives", .advice = "give one for each client"});
  for (std::size_t i = 0; i < clients.size(); ++i)
    if (clients[i] == nullptr)
      throw ConfigError({.what = "a client has no objective",
                         .seen = "client " + std::to_string(i) + " is a null pointer",
                         .advice = "give make_client(objective) for each client"});
  const Index dim = clients.front()->dim();
  for (std::size_t i = 0; i < clients.size(); ++i)
    if (clients[i]->dim() != dim)
      throw ConfigError({.what = "the objectives of the clients do not have the same number of variables",
                         .seen = "client 0: " + std::to_string(dim) + ", client " + std::to_string(i) + ": " +
                                 std::to_string(clients[i]->dim()),
                         .advice = "give every objective the same dim()"});
}

void check_size(const char* name, const Vector& point, Index dim) {
  if (point.size() == dim) return;
  throw ConfigError({.what = "'" + std::string(name) + "' does not have the size of the problem",
                     .seen = std::to_string(point.size()) + " entries, " + std::to_string(dim) + " variables",
                     .advice = "give one entry for each variable"});
}

void check_run(const MinimizeOptions& options, Index dim) {
  checked(options.stop);
  if (!options.stop.any() && !options.on_round)
    throw ConfigError({.what = "nothing would end this run",
                       .seen = "no stop condition, no on_round",
                       .advice = "give a stop condition, for example .stop = {.rounds = 100}"});
  if (options.every == 0)
    throw ConfigError({.what = "'every' must be at least 1",
                       .seen = "every = 0",
                       .advice = "give 1 to measure every round, 10 to measure every tenth"});
  if (options.start.size() > 0) check_size("start", options.start, dim);
  if (options.reference) check_size("reference.minimizer", options.reference->minimizer, dim);
  if (options.stop.gap && !options.reference)
    throw ConfigError({.what = "a run can end by the gap only where the minimum is known",
                       .seen = "stop.gap without reference",
                       .advice = "give .reference, or stop by .grad_norm"});
}

// The run with all that it needs.
class Minimization {
 public:
  Minimization(const ClientObjectives& clients, Method& method, const MinimizeOptions& options)
      : method_(method),
        options_(options),
        transport_(clients.size()),
        pool_(options.threads),
        fed_(clients, transport_, pool_, options.seed, [this] { return stop_signal(); }),
        trace_(options.reference) {}

  Summary run() {
    const DriveResult result = drive(method_, fed_, start(), drive_options(), trace_);
    if (options_.checkpoint != nullptr && result.reason != StopReason::interrupted) options_.checkpoint->remove();
    Summary summary = summary_of(result.reason, trace_.rows());
    summary.x = result.x;
    summary.output = result.output;
    summary.output_traffic = result.output_traffic;
    summary.decision = method_.decision();
    return summary;
  }

 private:
  Vector start() const { return options_.start.size() > 0 ? options_.start : Vector::Zero(fed_.dim()); }

  DriveOptions drive_options() {
    DriveOptions options{.stop = options_.stop, .output = options_.output, .every = options_.every};
    if (options_.on_round) {
      options.observe = [this](Method&, Federation&, const Vector& x) { x_ = &x; };
      options.on_round = [this](const TraceRow& row) { stop_ = !options_.on_round(info_of(row)); };
    }
    if (CheckpointStore* checkpoint = options_.checkpoint) {
      if (checkpoint->exists()) options.restore = [checkpoint](RunState& run) { checkpoint->restore(run); };
      options.checkpoint = [checkpoint](RunState& run, bool interrupted) { checkpoint->save(run, interrupted); };
    }
    return options;
  }

  StopSignal stop_signal() const { return stop_ ? StopSignal::interrupted : options_.stop_token.signal(); }

  RoundInfo info_of(const TraceRow& row) const {
    RoundInfo info{row, *x_};
    if (trace_.rows().back().round != row.round) info.f = info.grad_norm = std::numeric_limits<double>::quiet_NaN();
    return info;
  }

  Method& method_;
  const MinimizeOptions& options_;
  InProcessTransport transport_;
  ThreadPool pool_;
  Federation fed_;
  Trace trace_;
  const Vector* x_ = nullptr;  // the driver's point
  bool stop_ = false;          // on_round asked for it
};

}  // namespace

Summary minimize(const ClientObjectives& clients, Method& method, const MinimizeOptions& options) {
  check_clients(clients);
  check_run(options, clients.front()->dim());
  method.round_traffic(clients.size());  // ConfigError where the method cannot work with this number of clients
  return Minimization(clients, method, options).run();
}

Summary minimize(const ClientObjectives& clients, const MinimizeOptions& options) {
  Auto method({.gradient_goal = options.stop.grad_norm.value_or(0.0)});
  return minimize(clients, method, options);
}

Summary minimize(const ClientObjectives& clients, const std::string& method, const Settings& settings,
                 const MinimizeOptions& options) {
  return minimize(clients, *find_method(method).make(settings), options);
}

}  // namespace driftless
