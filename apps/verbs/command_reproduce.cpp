// driftless reproduce
#include "driftless/console/log.hpp"
#include "driftless/console/progress.hpp"
#include "driftless/console/terminal.hpp"
#include "driftless/console/text_table.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/reproduce/auto/study.hpp"
#include "driftless/reproduce/figure1.hpp"
#include "driftless/reproduce/figure2.hpp"
#include "driftless/reproduce/figure3.hpp"
#include "driftless/reproduce/rate_study.hpp"

#include "apps/command_line.hpp"
#include "apps/signals.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace driftless::app {
namespace {

struct ReproduceRequest {
  std::string what;                  // fig1 | fig2 | fig3 | table1 | auto
  std::vector<std::string> sets;     // of fig2 and auto; empty: their own; "all": every one that is known
  bool iid = false;                  // fig2, auto: rows divided evenly at random instead of by a Dirichlet draw
  std::vector<std::size_t> clients;  // auto; empty: its own
  std::vector<std::string> again;    // auto: methods that are run again
  bool check = false;                // auto: a claim that does not hold is a failure
  std::vector<double> alphas;        // fig2; empty: its own
  std::size_t draws = 0;             // fig2; 0: its own
  Figure3Setup nets;                 // fig3
  Figure3Grid grid;                  // fig3: the settings that this call may try
  std::vector<std::string> methods;  // fig3, auto: these alone
  std::optional<double> seconds;     // fig3, auto
  bool quick = false;                // all but fig1: less of it
  std::string out;                   // a folder, new or empty, or that of the same study; reproduce-WHAT if empty
  Format format = Format::text;
};

namespace fs = std::filesystem;

fs::path made_folder(const std::string& out) {
  std::error_code error;
  const fs::path folder(out);
  fs::create_directories(folder, error);
  if (error)
    throw ConfigError({.what = "results cannot be written to this folder",
                       .seen = "--out: " + out + ": " + error.message(),
                       .advice = "give a folder that can be written to"});
  return folder;
}

fs::path new_folder(const std::string& out) {
  std::error_code error;
  if (fs::exists(out, error) && !fs::is_empty(out, error))
    throw ConfigError({.what = "the folder for the results is not empty",
                       .seen = "--out: " + out,
                       .advice = "give a folder that is new or empty"});
  return made_folder(out);
}

void print_study(const std::string& markdown, Format format) {
  fmt::print("{}", format == Format::markdown ? markdown : markdown_as_text(markdown, output_width()));
}

void figure1(const fs::path& folder, Format format) {
  const Figure1 figure = reproduce_figure1(
      {.out = folder, .progress = progress_wanted(), .stop_token = received_signal, .exit_code = exit_number_of});
  if (format == Format::json) fmt::print("{}", figure1_json(figure));
  else print_study(figure1_markdown(figure), format);
}

Figure2Plan plan_of(const ReproduceRequest& request) {
  Figure2Plan plan = request.quick ? quick_figure2_plan() : Figure2Plan{.sets = figure2_sets()};
  if (!request.sets.empty()) plan.sets = request.sets;
  if (request.sets == std::vector<std::string>{"all"}) plan.sets = figure2_all_sets();
  if (request.iid) plan.split = Figure2Split::iid;
  if (!request.alphas.empty()) plan.alphas = request.alphas;
  if (request.draws > 0) plan.draws = request.draws;
  return plan;
}

void figure2(const fs::path& folder, const ReproduceRequest& request) {
  const Figure2Plan plan = plan_of(request);
  const Figure2 figure = reproduce_figure2(
      plan, {.out = folder, .progress = progress_wanted(), .stop_token = received_signal, .exit_code = exit_number_of});
  if (request.format == Format::json) fmt::print("{}", figure2_json(figure, plan));
  else print_study(figure2_markdown(figure, plan), request.format);
}

// With the methods of the paper where none are named.
Figure3Grid grid_of(const ReproduceRequest& request) {
  Figure3Grid grid = request.grid;
  if (!request.methods.empty()) grid.methods = request.methods;
  return grid;
}

void figure3(const fs::path& folder, const ReproduceRequest& request) {
  Figure3Setup setup = request.nets;
  if (request.sets.size() > 1)
    throw ConfigError({.what = "figure 3 takes one set of images",
                       .seen = "--data: " + std::to_string(request.sets.size()) + " names",
                       .advice = "run it once for each, with folders of their own"});
  if (!request.sets.empty()) setup.data = request.sets.front();
  Figure3Options options{.out = folder,
                         .grid = grid_of(request),
                         .seconds = request.seconds,
                         .progress = progress_wanted(),
                         .stop_token = received_signal};
  if (request.quick) {
    options.grid.rates = {0.05, 0.1};
    options.grid.local_steps = {10};
    options.grid.lambdas = {0.1, 1.0};
  }
  const Figure3 figure = reproduce_figure3(setup, options);
  if (!figure.complete())
    log_info(fmt::format("at least {} trials are left; the same command continues", figure.pending()));
  if (request.format == Format::json) fmt::print("{}", figure3_json(figure));
  else print_study(figure3_markdown(figure), request.format);
}

void table1(const fs::path& folder, const ReproduceRequest& request) {
  const RateStudyOptions options{
      .seeds = request.quick ? 5U : RateStudyOptions{}.seeds,
      .stop_token = received_signal,
      .on_fit = [](const RateFit& fit) {
        log_info(fmt::format("{}, {} by {}: exponent {:.2f}, claimed {:g}", enum_name(fit.claim.column),
                             fit.claim.label, enum_name(fit.claim.varied), fit.exponent, fit.claim.exponent));
      }};
  const std::vector<RateFit> fits = rate_study(table1_claims(), options);
  write_output_file(folder / "table1.md", rate_table(fits));
  write_output_file(folder / "table1.json", rate_json(fits));
  if (const std::string figure = rate_figure(fits); !figure.empty())
    write_output_file(folder / "table1-delta.svg", figure);
  if (request.format == Format::json) fmt::print("{}", rate_json(fits));
  else print_study(rate_table(fits), request.format);
}

AutoPlan auto_plan_of(const ReproduceRequest& request) {
  AutoPlan plan = request.quick ? quick_auto_plan() : AutoPlan{.sets = auto_sets()};
  if (!request.sets.empty() && request.sets != std::vector<std::string>{"all"}) plan.sets = request.sets;
  if (!request.clients.empty()) plan.clients = request.clients;
  if (request.iid) plan.splits = {Split::iid};
  plan.methods = request.methods;
  return plan;
}

// False where a claim does not hold and that was asked for.
bool automatic(const fs::path& folder, const ReproduceRequest& request) {
  const AutoStudy study = reproduce_auto(auto_plan_of(request), {.out = folder,
                                                                 .seconds = request.seconds,
                                                                 .again = request.again,
                                                                 .progress = progress_wanted(),
                                                                 .stop_token = received_signal});
  if (study.pending > 0) log_info(fmt::format("{} cells are left; the same command continues", study.pending));
  if (request.format == Format::json) fmt::print("{}", auto_json(study));
  else print_study(auto_markdown(study), request.format);
  return !request.check || std::ranges::all_of(claims_on(comparisons(study.records)), &AutoClaim::holds);
}

ExitCode reproduce(const ReproduceRequest& request) {
  if (request.what == "fig3") grid_of(request).check();
  const std::string out = request.out.empty() ? "reproduce-" + request.what : request.out;
  const bool continued = request.what == "fig3" || request.what == "auto";
  const fs::path folder = continued ? made_folder(out) : new_folder(out);
  record_signals();
  bool holds = true;
  if (request.what == "fig1") figure1(folder, request.format);
  else if (request.what == "fig2") figure2(folder, request);
  else if (request.what == "fig3") figure3(folder, request);
  else if (request.what == "auto") holds = automatic(folder, request);
  else table1(folder, request);
  log_info("results in " + folder.string());
  const ExitCode code = exit_code_of(received_signal());
  return code == ExitCode::done && !holds ? ExitCode::check_failed : code;
}

void declare_figure3(CLI::App& command, ReproduceRequest& request) {
  Figure3Setup& nets = request.nets;
  command.add_option("--model", nets.model, "fig3: the network")->capture_default_str();
  command.add_option("--images", nets.images, "fig3: train on the first so many images only")->type_name("N");
  command.add_option("--rounds", nets.rounds, "fig3: rounds of the settings that win the race")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  command.add_option("--seeds", nets.seeds, "fig3: runs with the chosen settings")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  command
      .add_option("--seconds", request.seconds,
                  "fig3: begin no trial that would not end within so many seconds; auto: no cell after so many")
      ->type_name("S")
      ->check(CLI::NonNegativeNumber);
  const auto list = [&](const char* flag, auto& values, const char* what) {
    command.add_option(flag, values, what)->delimiter(',')->type_name("LIST");
  };
  list("--methods", request.methods,
       "fig3: work on these alone; 'central' is SGD with all images at one client; auto: these of the catalogue");
  list("--rates", request.grid.rates, "fig3: try these learning rates of the grid alone");
  list("--local-steps", request.grid.local_steps, "fig3: try these numbers of local steps of the grid alone");
  list("--lambdas", request.grid.lambdas, "fig3: try these lambda of the grid alone");
}

void declare_auto(CLI::App& command, ReproduceRequest& request) {
  command.add_option("--clients", request.clients, "auto: numbers of clients, separated by commas; 5,142 if not given")
      ->delimiter(',')
      ->check(CLI::Range(1, 100000))
      ->type_name("LIST");
  command.add_option("--again", request.again, "auto: run these methods again where the study has them")
      ->delimiter(',')
      ->type_name("LIST");
  command.add_flag("--check", request.check, "auto: exit code 7 where a claim does not hold");
}

}  // namespace

void declare_reproduce(CLI::App& command, Action& action) {
  const auto request = std::make_shared<ReproduceRequest>();
  command
      .add_option("WHAT", request->what,
                  "fig1: quadratics; fig2: logistic regression; fig3: networks; table1: rates against constants; auto: "
                  "'auto' against every tuned method")
      ->required()
      ->check(CLI::IsMember({"fig1", "fig2", "fig3", "table1", "auto"}));
  command
      .add_option("--data", request->sets,
                  "fig2: these data sets, separated by commas; 'generated' needs none; 'all': every one that is known; "
                  "fig3: one set of images, cifar10 if not given; auto: these sets, all if not given")
      ->delimiter(',')
      ->type_name("NAMES");
  command.add_flag("--iid", request->iid, "fig2, auto: divide the rows evenly at random, not by a Dirichlet draw");
  command
      .add_option("--alpha", request->alphas, "fig2: of the Dirichlet draws, separated by commas; 0.5,1 if not given")
      ->delimiter(',')
      ->check(CLI::PositiveNumber)
      ->type_name("NUMBERS");
  command.add_option("--draws", request->draws, "fig2: ways to divide the rows; 5 if not given")
      ->check(CLI::Range(1, 1000))
      ->type_name("N");
  command.add_flag("--quick", request->quick,
                   "fig2: two sets, two draws, fewer settings; fig3: as --rates 0.05,0.1 --local-steps 10 --lambdas "
                   "0.1,1; table1: fewer seeds; auto: two sets, five clients");
  declare_figure3(command, *request);
  declare_auto(command, *request);
  command
      .add_option("--out", request->out,
                  "a new or empty folder for the results, for fig3 and auto also that of a study, which is continued; "
                  "reproduce-WHAT if not given")
      ->type_name("DIR");
  add_format_with_markdown(command, request->format);
  command.footer("Example:\n  driftless reproduce fig1 --out fig1");
  command.callback([&action, request] { action = [request] { return reproduce(*request); }; });
}

}  // namespace driftless::app
