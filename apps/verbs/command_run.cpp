// driftless run
#include "driftless/console/log.hpp"
#include "driftless/console/progress.hpp"

#include "apps/live/live_server.hpp"
#include "apps/run_request.hpp"
#include "apps/run_results.hpp"
#include "apps/saving.hpp"
#include "apps/signals.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless::app {
namespace {

ExitCode run(const RunRequest& request) {
  read_links(request.links);  // reports an invalid one before anything is read
  if (request.transport != transport_choices.front().name) return run_over(request);
  return run_peer(request, read_config(request.file, request.overrides), {});
}

std::string choices_text(std::string_view TransportChoice::* part, std::string_view separator) {
  std::vector<std::string_view> texts;
  for (const TransportChoice& choice : transport_choices) texts.push_back(choice.*part);
  return fmt::format("{}", fmt::join(texts, separator));
}

void add_transport(CLI::App& command, std::string& transport) {
  const auto choose = [&transport](const std::string& text) {
    if (std::ranges::find(transport_choices, text, &TransportChoice::name) == transport_choices.end())
      throw CLI::ValidationError("--transport", text + " is neither " + choices_text(&TransportChoice::name, " nor "));
    transport = text;
  };
  command.add_option_function<std::string>("--transport", choose, choices_text(&TransportChoice::help, "; or "))
      ->type_name(choices_text(&TransportChoice::name, "|"));
}

// 0 for the flag without a value: any free port.
int port_of(const std::string& text) {
  int port = 0;
  if (text == "true") return port;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port < 1 || port > 65535)
    throw CLI::ValidationError("--live", text + " is not a port, 1 to 65535");
  return port;
}

}  // namespace

ExitCode run_peer(const RunRequest& request, const RunConfig& config, const Peer& peer) {
  const bool is_rank_0 = peer.transport == nullptr || peer.transport->layout().rank == 0;
  if (request.dry_run) {
    if (is_rank_0) print_configuration(canonical_text(config), short_hash(config), request.format);
    return ExitCode::done;
  }
  record_signals();
  std::optional<LiveServer> live;
  ExperimentOptions options{.out = request.out,
                            .progress = is_rank_0 && progress_wanted(),
                            .links = read_links(request.links),
                            .stop_token = received_signal,
                            .exit_code = exit_number_of,
                            .transport = peer.transport,
                            .threads = peer.threads,
                            .saves = peer.transport == nullptr,
                            .leaves_results = is_rank_0};
  if (request.live && is_rank_0) {
    live.emplace(*request.live);
    log_info("live at " + live->address());
    options.on_start = [&](const std::filesystem::path& directory) { live->follow(directory); };
  }
  const Experiment experiment = run_experiment(config, options);
  if (live) live->finish();
  if (is_rank_0) print_results(experiment, request.format);
  return exit_code_of(experiment.failure);
}

void declare_run(CLI::App& command, Action& action) {
  const auto request = std::make_shared<RunRequest>();
  command.add_option("FILE", request->file, "the configuration, a TOML file; without a method it runs 'auto'")
      ->required();
  command
      .add_option("-c", request->overrides,
                  "set a key on top of the file: seed=3, stop.rounds=10, method.p=0.1 (every method that has p), "
                  "method.LABEL.p=0.1")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--out", request->out, "exactly this directory for the results; it must be new or empty")
      ->type_name("DIR");
  command.add_flag("--dry-run", request->dry_run, "print the resolved configuration and stop");
  add_transport(command, request->transport);
  const auto port = std::make_shared<std::string>();
  command
      .add_flag("--live", *port,
                "serve a page that shows the run while it is under way, to this machine only; --live=PORT for a given "
                "port")
      ->option_text("[=PORT]");
  add_links(command, request->links);
  add_save(command, request->save);
  add_format(command, request->format);
  command.footer("Example:\n  driftless run examples/synthetic.toml -c stop.rounds=100 --out results");
  command.callback([&action, request, port] {
    if (!port->empty()) request->live = port_of(*port);
    action = [request] {
      request->overrides = with_saving(request->overrides, request->save, request->links);
      return run(*request);
    };
  });
}

}  // namespace driftless::app
