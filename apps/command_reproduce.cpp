// driftless reproduce
#include "driftless/files/output_file.hpp"
#include "driftless/console/log.hpp"
#include "driftless/console/progress.hpp"
#include "driftless/reproduce/figure1.hpp"
#include "driftless/reproduce/figure2.hpp"
#include "driftless/reproduce/rate_study.hpp"

#include "apps/commands.hpp"
#include "apps/signals.hpp"

#include <fmt/format.h>

namespace driftless::app {
namespace {

namespace fs = std::filesystem;

fs::path new_folder(const std::string& out) {
  std::error_code trouble;
  const fs::path folder(out);
  if (fs::exists(folder, trouble) && !fs::is_empty(folder, trouble))
    throw ConfigError({.what = "the folder for the results is not empty",
                       .seen = "--out: " + out,
                       .advice = "give a folder that is new or empty"});
  fs::create_directories(folder, trouble);
  if (trouble)
    throw ConfigError({.what = "results cannot be written there",
                       .seen = "--out: " + out + ": " + trouble.message(),
                       .advice = "give a folder that can be written to"});
  return folder;
}

void figure1(const fs::path& folder, Format format) {
  const Figure1 figure =
      reproduce_figure1({.out = folder, .progress = progress_wanted(), .asked_to_stop = signal_seen});
  fmt::print("{}", format == Format::json ? figure1_json(figure) : figure1_markdown(figure));
}

Figure2Plan plan_of(const ReproduceRequest& request) {
  Figure2Plan plan{.sets = request.sets.empty() ? figure2_sets() : request.sets};
  if (request.sets == std::vector<std::string>{"all"}) plan.sets = figure2_all_sets();
  if (request.iid) plan.split = Figure2Split::iid;
  return plan;
}

void figure2(const fs::path& folder, const ReproduceRequest& request) {
  const Figure2Plan plan = plan_of(request);
  const Figure2 figure =
      reproduce_figure2(plan, {.out = folder, .progress = progress_wanted(), .asked_to_stop = signal_seen});
  fmt::print("{}", request.format == Format::json ? figure2_json(figure, plan) : figure2_markdown(figure, plan));
}

void figure3(const fs::path& folder, const ReproduceRequest& request) {
  Figure3Setup setup = request.nets;
  if (request.sets.size() > 1)
    throw ConfigError({.what = "figure 3 takes one set of images",
                       .seen = "--data: " + std::to_string(request.sets.size()) + " names",
                       .advice = "run it once for each, with folders of their own"});
  if (!request.sets.empty()) setup.data = request.sets.front();
  const Figure3 figure =
      reproduce_figure3(setup, {.out = folder, .progress = progress_wanted(), .asked_to_stop = signal_seen});
  fmt::print("{}", request.format == Format::json ? figure3_json(figure) : figure3_markdown(figure));
}

void table1(const fs::path& folder, Format format) {
  const std::vector<RateFit> fits =
      rate_study(strongly_convex_claims(),
                 {.interrupted = [] { return signal_seen().has_value(); },
                  .on_fit =
                      [](const RateFit& fit) {
                        log_info(fmt::format("{} by {}: exponent {:.2f}, claimed {:g}", fit.claim.method,
                                             enum_name(fit.claim.quantity), fit.exponent, fit.claim.exponent));
                      }});
  write_output_file(folder / "table1.md", rate_table(fits));
  write_output_file(folder / "table1.json", rate_json(fits));
  fmt::print("{}", format == Format::json ? rate_json(fits) : rate_table(fits));
}

}  // namespace

ExitCode reproduce(const ReproduceRequest& request) {
  const fs::path folder = new_folder(request.out.empty() ? "reproduce-" + request.what : request.out);
  remember_signals();
  if (request.what == "fig1") figure1(folder, request.format);
  else if (request.what == "fig2") figure2(folder, request);
  else if (request.what == "fig3") figure3(folder, request);
  else table1(folder, request.format);
  log_info("results in " + folder.string());
  return signal_seen().value_or(ExitCode::done);
}

}  // namespace driftless::app
