// The command line: names, flags and help of the commands, and the one place where errors end.
#include "driftless/data/partition.hpp"
#include "driftless/data/synthetic.hpp"
#include "driftless/kernels/simd.hpp"
#include "driftless/objectives/quadratic/quadratic_spec.hpp"
#include "driftless/console/log.hpp"
#include "driftless/console/machine.hpp"

#include "apps/command_line.hpp"
#include "apps/failure.hpp"
#include "apps/network_program.hpp"
#include "apps/signals.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>

namespace driftless::app {
namespace {

void add_links(CLI::App& command, std::vector<std::string>& links) {
  command
      .add_option("--link", links,
                  "also tell the time on such a network, by its latency and bandwidth: \"10ms,100Mbit\", "
                  "\"20ms,up=20Mbit,down=100Mbit,server=1Gbit,straggler=0.1x5,compute=2x\"; can be repeated")
      ->type_name("LINK")
      ->allow_extra_args(false);
}

// 0, any free one, for the flag without a value.
int port_of(const std::string& text) {
  int port = 0;
  if (text == "true") return port;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port < 1 || port > 65535)
    throw CLI::ValidationError("--live", text + " is not a port, 1 to 65535");
  return port;
}

void add_run(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("run", "Run the methods of a configuration and compare them");
  const auto request = std::make_shared<RunRequest>();
  command->add_option("FILE", request->file, "the configuration, a TOML file")->required();
  command
      ->add_option("-c", request->overrides,
                   "set a key on top of the file: seed=3, stop.rounds=10, method.p=0.1 (every method that has p), "
                   "method.LABEL.p=0.1")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--out", request->out, "exactly this directory for the results; it must be new or empty")
      ->type_name("DIR");
  command->add_flag("--dry-run", request->dry_run, "print the resolved configuration and stop");
  const auto choose = [request](const std::string& text) {
    if (text != "solo" && text != "mpi") throw CLI::ValidationError("--transport", text + " is neither solo nor mpi");
    request->transport = text == "mpi" ? TransportName::mpi : TransportName::solo;
  };
  command
      ->add_option_function<std::string>("--transport", choose,
                                         "solo, all clients in this process, which is the default; or mpi, as one of "
                                         "the ranks that mpirun starts")
      ->type_name("solo|mpi");
  const auto port = std::make_shared<std::string>();
  command
      ->add_flag("--live", *port,
                 "serve a page that shows the run while it goes on, to this machine only; --live=PORT for a given "
                 "port")
      ->option_text("[=PORT]");
  add_links(*command, request->links);
  add_format(*command, request->format);
  command->footer("Example:\n  driftless run examples/synthetic.toml -c stop.rounds=100 --out results");
  command->callback([&action, request, port] {
    if (!port->empty()) request->live = port_of(*port);
    action = [request] { return run(*request); };
  });
}

void add_resume(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("resume", "Continue a run that was stopped or killed; same bits as without");
  const auto request = std::make_shared<ResumeRequest>();
  command->add_option("DIR", request->directory, "the directory of the run")->required();
  add_format(*command, request->format);
  command->footer("Example:\n  driftless resume results");
  command->callback([&action, request] { action = [request] { return resume(*request); }; });
}

void add_tune(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("tune", "Search the options that the methods of a configuration leave open");
  const auto request = std::make_shared<TuneRequest>();
  command->add_option("FILE", request->file, "the configuration, a TOML file with [method.search] and [tune]")
      ->required();
  command->add_option("-c", request->overrides, "set a key on top of the file: tune.trials=20, tune.budget.rounds=100")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  CLI::Option* out =
      command->add_option("--out", request->out, "exactly this directory; new, empty, or that of the same search")
          ->type_name("DIR");
  command->add_option("--resume", request->resume, "continue the search that this directory holds")
      ->type_name("DIR")
      ->excludes(out);
  command->add_flag("--dry-run", request->dry_run, "print the resolved configuration and stop");
  add_format(*command, request->format);
  command->footer("Example:\n  driftless tune examples/tune/synthetic.toml --out search");
  command->callback([&action, request] { action = [request] { return tune(*request); }; });
}

void add_methods(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("methods", "List the methods with what a round of each costs");
  const auto format = std::make_shared<Format>(Format::text);
  add_format(*command, *format);
  command->footer("Example:\n  driftless methods");
  command->callback([&action, format] { action = [format] { return methods(*format); }; });
}

void add_describe(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("describe", "Options, paper, cost and an example of one method");
  const auto request = std::make_shared<DescribeRequest>();
  command->add_option("NAME", request->name, "a method; see 'driftless methods'")->required();
  command->add_flag("--example", request->example, "only the example, as a configuration that runs");
  add_format(*command, request->format);
  command->footer("Example:\n  driftless describe fedred-gd --example > example.toml");
  command->callback([&action, request] { action = [request] { return describe(*request); }; });
}

void add_compare(CLI::App& app, Action& action) {
  using Layout = CompareRequest::Layout;
  CLI::App* command =
      app.add_subcommand("compare", "Run every method on a problem with the parameters of its theory; a table");
  const auto request = std::make_shared<CompareRequest>();
  command->add_option("FILE", request->files, "configurations; their [[method]] tables are not used")->required();
  command->add_option("-c", request->overrides, "set a key on top of every file, as for 'run'")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--methods", request->methods, "only these, separated by commas")
      ->delimiter(',')
      ->type_name("NAMES");
  const auto choose = [request](const std::string& text) {
    const std::map<std::string, Layout> layouts{
        {"text", Layout::text}, {"markdown", Layout::markdown}, {"json", Layout::json}};
    if (!layouts.contains(text)) throw CLI::ValidationError("--format", text + " is not text, markdown or json");
    request->layout = layouts.at(text);
  };
  command->add_option_function<std::string>("--format", choose, "text, markdown or json")
      ->type_name("text|markdown|json");
  command->footer("Example:\n  driftless compare examples/compare/quadratic.toml --methods gd,dane,fedred-gd");
  command->callback([&action, request] { action = [request] { return compare(*request); }; });
}

void add_bench(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("bench", "Measure this machine, and passes, solves and exchanges against what it can do");
  const auto request = std::make_shared<BenchRequest>();
  command->add_option("DATA", request->data, "known data or files; the usual sets as far as they are found");
  command->add_option("--clients", request->clients, "among which rows are dealt")->check(CLI::PositiveNumber);
  command->add_option("--threads", request->threads, "0 = one per core")->check(CLI::Range(0, 1024));
  command->add_flag("--growth", request->growth, "generated data of 1e5 to --largest nonzeros, 10 to 10 000 clients");
  command->add_option("--largest", request->largest, "nonzeros of the largest generated data")
      ->check(CLI::Range(1e5, 2e9));
  command->add_option("--seconds", request->seconds, "for each measurement")->check(CLI::Range(0.001, 3600.0));
  command->add_option("--out", request->out, "write everything to a JSON file as well")->type_name("FILE");
  add_format(*command, request->format);
  command->footer("Example:\n  driftless bench w8a a9a --out bench.json");
  command->callback([&action, request] { action = [request] { return bench(*request); }; });
}

void add_reproduce(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("reproduce", "Run an experiment of the paper again, with what it reported beside");
  const auto request = std::make_shared<ReproduceRequest>();
  command
      ->add_option("WHAT", request->what,
                   "fig1: quadratics; fig2: logistic regression; fig3: networks; table1: rates against constants")
      ->required()
      ->check(CLI::IsMember({"fig1", "fig2", "fig3", "table1"}));
  command
      ->add_option(
          "--data", request->sets,
          "fig2: these data sets, separated by commas; 'generated' needs none; 'all': every one that is known; "
          "fig3: one set of images, cifar10 if not given")
      ->delimiter(',')
      ->type_name("NAMES");
  command->add_flag("--iid", request->iid, "fig2: divide the rows evenly at random, not by a Dirichlet draw");
  Figure3Setup& nets = request->nets;
  command->add_flag("--quick", nets.quick, "fig3: a part of the grid, and fewer rounds to choose from it");
  command->add_option("--model", nets.model, "fig3: the network")->capture_default_str();
  command->add_option("--images", nets.images, "fig3: train on the first so many images only")->type_name("N");
  command->add_option("--rounds", nets.rounds, "fig3: rounds with the chosen settings")->capture_default_str();
  command->add_option("--seeds", nets.seeds, "fig3: runs with the chosen settings")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  command->add_option("--out", request->out, "a new or empty folder for the results; reproduce-WHAT if not given")
      ->type_name("DIR");
  add_format(*command, request->format);
  command->footer("Example:\n  driftless reproduce fig1 --out fig1");
  command->callback([&action, request] { action = [request] { return reproduce(*request); }; });
}

void add_export(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("export", "Write a trained network as TorchScript, for use outside");
  const auto request = std::make_shared<ExportRequest>();
  command->add_option("DIR", request->directory, "a directory that 'driftless run' left")->required();
  command->add_option("--method", request->method, "label of the method; needed where the run has several")
      ->type_name("LABEL");
  command->add_option("--out", request->out, "the file to write")->type_name("FILE.pt")->capture_default_str();
  command->footer("Example:\n  driftless export runs/net --method fedavg --out fedavg.pt");
  command->callback([&action, request] { action = [request] { return export_network(*request); }; });
}

void add_report(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("report", "One HTML page from run directories, and figures for papers");
  const auto request = std::make_shared<ReportRequest>();
  command->add_option("DIR", request->directories, "directories that 'driftless run' left")->required();
  command
      ->add_option("--out", request->out,
                   "the page to write; report.html in the directory if not given, or here for several directories")
      ->type_name("FILE.html");
  command->add_option("--svg", request->svg, "also write the figures as SVG files into this folder")->type_name("DIR");
  add_links(*command, request->links);
  add_format(*command, request->format);
  command->footer("Example:\n  driftless report results --svg figures");
  command->callback([&action, request] { action = [request] { return report(*request); }; });
}

void add_inspect(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("inspect", "Measure L, mu and delta of a federation; what they predict for the methods");
  const auto request = std::make_shared<InspectRequest>();
  command->add_option("FILE", request->file, "the configuration; its [[method]] tables are needed for --along only")
      ->required();
  command->add_option("-c", request->overrides, "set a key on top of the file, as for 'run'")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--at", request->at, "the point: zero (if not given), optimum, or a vector in a .npy file")
      ->type_name("zero|optimum|FILE.npy");
  command
      ->add_option("--along", request->along,
                   "also along a run of this method, with the options of its [[method]] table or of its theory")
      ->type_name("METHOD");
  command->add_option("--out", request->out, "write constants.json and predictions.json there; it must be new or empty")
      ->type_name("DIR");
  add_format(*command, request->format);
  command->footer("Example:\n  driftless inspect examples/logistic.toml --at optimum --along gd");
  command->callback([&action, request] { action = [request] { return inspect(*request); }; });
}

void add_data_name(CLI::App& command, std::string& name) {
  command
      .add_option(
          "DATA", name,
          "a LIBSVM file, also packed, or a name such as a9a; cifar10, cifar100, mnist, fashion-mnist or a folder "
          "with the files of one")
      ->required();
}

void add_data_info(CLI::App& data, Action& action) {
  CLI::App* command =
      data.add_subcommand("info", "Rows, columns, labels and digest of a data set, or what a set of images holds");
  const auto request = std::make_shared<DataInfoRequest>();
  add_data_name(*command, request->data);
  command->add_option("--dim", request->dim, "number of columns; the largest index if not given")->type_name("D");
  add_format(*command, request->format);
  command->footer("Example:\n  driftless data info a9a");
  command->callback([&action, request] { action = [request] { return data_info(*request); }; });
}

void add_data_split(CLI::App& data, Action& action) {
  CLI::App* command = data.add_subcommand("split", "Divide the rows of a data set among clients");
  const auto request = std::make_shared<DataSplitRequest>();
  const auto dirichlet = std::make_shared<std::optional<double>>();
  add_data_name(*command, request->data);
  command->add_option("--clients", request->clients, "number of clients")->required()->type_name("N");
  command->add_option("--dim", request->dim, "number of columns; the largest index if not given")->type_name("D");
  CLI::Option* split = command
                           ->add_option("--split", request->split,
                                        "iid | dirichlet | dirichlet-lin | label | contiguous; iid if not given")
                           ->type_name("HOW");
  CLI::Option* alpha =
      command->add_option("--alpha", request->alpha, "Dirichlet parameter; 1 if not given")->type_name("A");
  command->add_option("--dirichlet", *dirichlet, "short for --split dirichlet --alpha A")
      ->type_name("A")
      ->excludes(split)
      ->excludes(alpha);
  command->add_option("--seed", request->seed, "seed of the split; 1 if not given")->type_name("S");
  command
      ->add_option("--out", request->out,
                   "folder for split.json and, of rows, one file per client; NAME-split if not given")
      ->type_name("DIR");
  add_format(*command, request->format);
  command->footer("Example:\n  driftless data split a9a --clients 5 --dirichlet 0.5 --out a9a-split");
  command->callback([&action, request, dirichlet] {
    if (*dirichlet) {
      request->split = "dirichlet";
      request->alpha = **dirichlet;
    }
    action = [request] { return data_split(*request); };
  });
}

void add_data_get(CLI::App& data, Action& action) {
  CLI::App* command = data.add_subcommand("get", "Download a public data set into ~/.cache/driftless and verify it");
  const auto request = std::make_shared<DataGetRequest>();
  command->add_option("NAME", request->name, "a known data set, such as a9a");
  command->add_option("--from", request->from, "fetch it from this address instead of its publisher's")
      ->type_name("URL");
  command
      ->add_option("--sha256", request->sha256, "digest of the plain text, for a set or an edition that is not known")
      ->type_name("HEX");
  command->add_flag("--list", request->list, "show the known data sets, their sizes and which are here");
  add_format(*command, request->format);
  command->footer("Example:\n  driftless data get a9a");
  command->callback([&action, request] { action = [request] { return data_get(*request); }; });
}

// One flag per field of the generator's table.
template <class Spec>
void add_generator(CLI::App& generate, const std::string& name, const std::string& help, const std::string& example,
                   bool out_required, const std::string& out_help, ExitCode (*make)(const GenerateRequest&),
                   Action& action) {
  CLI::App* command = generate.add_subcommand(name, help);
  const auto request = std::make_shared<GenerateRequest>();
  for (const OptionInfo& option : describe_options<Spec>()) {
    if (option.name == "seed") continue;
    const std::string initial = option.initial.empty() ? "" : "; " + option.initial + " if not given";
    command
        ->add_option_function<std::string>(
            "--" + option.name,
            [request, key = option.name](const std::string& text) { request->given.emplace_back(key, text); },
            option.help + " (" + option.allowed + initial + ")")
        ->type_name("VALUE");
  }
  command->add_option("--seed", request->seed, "everything random follows from it; 1 if not given")->type_name("S");
  command->add_option("--out", request->out, out_help)->required(out_required)->type_name("PATH");
  add_format(*command, request->format);
  command->footer("Example:\n  " + example);
  command->callback([&action, request, make] { action = [request, make] { return make(*request); }; });
}

void add_data(CLI::App& app, Action& action) {
  CLI::App* data = app.add_subcommand("data", "Look at, divide, make and download data");
  data->require_subcommand(0, 1);
  add_data_info(*data, action);
  add_data_split(*data, action);
  add_data_get(*data, action);
  CLI::App* generate = data->add_subcommand("generate", "Make synthetic problems and data");
  generate->require_subcommand(0, 1);
  add_generator<QuadraticSpec>(*generate, "quadratic", "Quadratic clients with exact constants; prints them",
                               "driftless data generate quadratic --dim 100 --L 50 --delta 2", false,
                               "folder for matrices, linear terms, start and minimiser as NumPy files",
                               &generate_quadratic, action);
  add_generator<SparseClassificationSpec>(
      *generate, "classification", "Sparse rows of two classes as a LIBSVM file",
      "driftless data generate classification --rows 2000 --dim 300 --out train.svm", true, "the file to write",
      &generate_classification, action);
  data->footer("Example:\n  driftless data info a9a");
  generate->footer("Example:\n  driftless data generate quadratic --dim 100");
  // A group without a command shows its help.
  data->callback([&action, data, generate] {
    if (data->get_subcommands().empty())
      action = [data] {
        std::cout << data->help("driftless");
        return ExitCode::done;
      };
    else if (generate->parsed() && generate->get_subcommands().empty())
      action = [generate] {
        std::cout << generate->help("driftless data");
        return ExitCode::done;
      };
  });
}

ConfigError usage_error(const CLI::ParseError& error, const CLI::App& app, const std::vector<std::string>& arguments) {
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
  const std::string first = arguments.empty() ? "" : arguments.front();
  const bool is_command = std::find(known.begin(), known.end(), first) != known.end();
  std::string typed;
  for (const std::string& argument : arguments) typed += " " + argument;
  std::string advice = "see 'driftless" + (is_command ? " " + first : "") + " --help'";
  if (const std::string near = is_command ? "" : nearest(first, known); !near.empty())
    advice = "did you mean '" + near + "'? " + advice;
  return ConfigError({.what = "the command line was not understood: " + std::string(error.what()),
                      .seen = "driftless" + typed,
                      .advice = advice});
}

ExitCode run_program(const std::vector<std::string>& arguments) {
  start_log();
  CLI::App app("Federated optimization with few communication rounds", "driftless");
  app.set_version_flag("--version", "driftless " + program_version());
  app.require_subcommand(0, 1);
  app.footer("Examples:\n  driftless run examples/synthetic.toml\n  driftless describe fedred-gd\n\nEvery command "
             "explains itself with --help.");
  Action action = [&app] {
    std::cout << app.help();
    return ExitCode::done;
  };
  add_run(app, action);
  add_resume(app, action);
  add_tune(app, action);
  add_methods(app, action);
  add_describe(app, action);
  add_compare(app, action);
  add_bench(app, action);
  add_reproduce(app, action);
  add_export(app, action);
  add_report(app, action);
  add_inspect(app, action);
  add_data(app, action);
  add_serve(app, action);
  add_join(app, action);
  add_preflight(app, action);
  add_pki(app, action);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::Success& asked) {  // --help and --version
    app.exit(asked);
    return ExitCode::done;
  } catch (const CLI::ParseError& error) { throw usage_error(error, app, arguments); }
  return action();
}

ExitCode give_up(ExitCode code, const std::string& text) {
  std::cout << std::flush;
  std::cerr << text << '\n';
  return code;
}

ExitCode guarded(const std::vector<std::string>& arguments) {
  try {
    if (const char* simd = std::getenv("DRIFTLESS_SIMD")) choose_simd(simd);
    const ExitCode code = run_program(arguments);
    std::cout << std::flush;
    if (std::fflush(stdout) != 0 || !std::cout)
      return give_up(ExitCode::data, "error: standard output cannot be written");
    return code;
  } catch (...) {
    const Failure failure = failure_of(std::current_exception());
    return give_up(failure.code, failure.text);
  }
}

}  // namespace
}  // namespace driftless::app

int main(int argc, char** argv) {
  driftless::app::remember_arguments(argv);
  driftless::app::explain_files_cut_short();
  return static_cast<int>(driftless::app::guarded(std::vector<std::string>(argv + 1, argv + argc)));
}
