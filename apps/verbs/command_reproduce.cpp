// driftless reproduce
#include "driftless/console/log.hpp"
#include "driftless/console/progress.hpp"
#include "driftless/console/terminal.hpp"
#include "driftless/console/text_table.hpp"
#include "driftless/reproduce/study.hpp"

#include "apps/command_line.hpp"
#include "apps/signals.hpp"

#include <fmt/format.h>

namespace driftless::app {
namespace {

struct ReproduceRequest : StudyRequest {
  bool check = false;  // auto: a claim that does not hold is a failure
  std::string out;     // reproduce-WHAT if empty
  Format format = Format::text;
};

void print_study(const std::string& markdown, Format format) {
  fmt::print("{}", format == Format::markdown ? markdown : markdown_as_text(markdown, output_width()));
}

ExitCode reproduce(const ReproduceRequest& request) {
  check_study(request);
  const std::filesystem::path folder =
      open_study_folder(request, request.out.empty() ? "reproduce-" + request.what : request.out);
  record_signals();
  const StudyTexts texts = reproduce_study(
      request,
      {.out = folder, .progress = progress_wanted(), .stop_token = received_signal, .exit_code = exit_number_of});
  if (request.format == Format::json) fmt::print("{}", texts.json);
  else print_study(texts.markdown, request.format);
  log_info("results in " + folder.string());
  const ExitCode code = exit_code_of(received_signal());
  return code == ExitCode::done && request.check && !texts.holds ? ExitCode::check_failed : code;
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
