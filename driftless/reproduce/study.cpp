#include "driftless/reproduce/study.hpp"

#include "driftless/console/log.hpp"
#include "driftless/core/text.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/reproduce/auto/study.hpp"
#include "driftless/reproduce/figure1.hpp"
#include "driftless/reproduce/figure2.hpp"
#include "driftless/reproduce/figure3.hpp"
#include "driftless/reproduce/rate_study.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

void require_study(bool good, const char* what, const std::string& seen, const char* advice) {
  if (!good) throw ConfigError({.what = what, .seen = seen, .advice = advice});
}

void require_at_most(std::size_t value, const char* name, std::size_t most) {
  if (value >= 1 && value <= most) return;
  throw ConfigError({.what = fmt::format("'{}' of a study is out of range", name),
                     .seen = fmt::format("{} = {}", name, value),
                     .advice = fmt::format("give a whole number from 1 to {}", most)});
}

bool continues(const StudyRequest& request) { return request.what == "fig3" || request.what == "auto"; }

Figure2Plan figure2_plan_of(const StudyRequest& request) {
  Figure2Plan plan = request.quick ? quick_figure2_plan() : Figure2Plan{.sets = figure2_sets()};
  if (!request.sets.empty()) plan.sets = request.sets;
  if (request.sets == Names{"all"}) plan.sets = figure2_all_sets();
  if (request.iid) plan.split = Figure2Split::iid;
  if (!request.alphas.empty()) plan.alphas = request.alphas;
  if (request.draws > 0) plan.draws = request.draws;
  return plan;
}

// With the methods of the paper where none are named.
Figure3Grid grid_of(const StudyRequest& request) {
  Figure3Grid grid = request.grid;
  if (!request.methods.empty()) grid.methods = request.methods;
  return grid;
}

Figure3Grid quick_grid_of(const StudyRequest& request) {
  return {.rates = {0.05, 0.1}, .local_steps = {10}, .lambdas = {0.1, 1.0}, .methods = grid_of(request).methods};
}

AutoPlan auto_plan_of(const StudyRequest& request) {
  AutoPlan plan = request.quick ? quick_auto_plan() : AutoPlan{.sets = auto_sets()};
  if (!request.sets.empty() && request.sets != Names{"all"}) plan.sets = request.sets;
  if (!request.clients.empty()) plan.clients = request.clients;
  if (request.iid) plan.splits = {Split::iid};
  plan.methods = request.methods;
  return plan;
}

StudyTexts figure1_texts(const StudyOptions& options) {
  const Figure1 figure = reproduce_figure1(options);
  return {.markdown = figure1_markdown(figure), .json = figure1_json(figure)};
}

StudyTexts figure2_texts(const StudyRequest& request, const StudyOptions& options) {
  const Figure2Plan plan = figure2_plan_of(request);
  const Figure2 figure = reproduce_figure2(plan, options);
  return {.markdown = figure2_markdown(figure, plan), .json = figure2_json(figure, plan)};
}

StudyTexts figure3_texts(const StudyRequest& request, const StudyOptions& options) {
  Figure3Setup setup = request.nets;
  if (!request.sets.empty()) setup.data = request.sets.front();
  const Figure3 figure = reproduce_figure3(setup, {.out = options.out,
                                                   .grid = request.quick ? quick_grid_of(request) : grid_of(request),
                                                   .seconds = request.seconds,
                                                   .progress = options.progress,
                                                   .stop_token = options.stop_token});
  if (!figure.complete())
    log_info(fmt::format("at least {} trials are left; the same command continues", figure.pending()));
  return {.markdown = figure3_markdown(figure), .json = figure3_json(figure)};
}

void log_fit(const RateFit& fit) {
  log_info(fmt::format("{}, {} by {}: exponent {:.2f}, claimed {:g}", enum_name(fit.claim.column), fit.claim.label,
                       enum_name(fit.claim.varied), fit.exponent, fit.claim.exponent));
}

StudyTexts table1_texts(const StudyRequest& request, const StudyOptions& options) {
  RateStudyOptions study{.stop_token = options.stop_token, .on_fit = log_fit};
  if (request.quick) study.seeds = 5;
  const std::vector<RateFit> fits = rate_study(table1_claims(), study);
  StudyTexts texts{.markdown = rate_table(fits), .json = rate_json(fits)};
  write_output_file(options.out / "table1.md", texts.markdown);
  write_output_file(options.out / "table1.json", texts.json);
  if (const std::string figure = rate_figure(fits); !figure.empty())
    write_output_file(options.out / "table1-delta.svg", figure);
  return texts;
}

StudyTexts auto_texts(const StudyRequest& request, const StudyOptions& options) {
  const AutoStudy study = reproduce_auto(auto_plan_of(request), {.out = options.out,
                                                                 .seconds = request.seconds,
                                                                 .again = request.again,
                                                                 .progress = options.progress,
                                                                 .stop_token = options.stop_token});
  if (study.pending > 0) log_info(fmt::format("{} cells are left; the same command continues", study.pending));
  return {.markdown = auto_markdown(study),
          .json = auto_json(study),
          .holds = std::ranges::all_of(claims_on(comparisons(study.records)), &AutoClaim::holds)};
}

}  // namespace

void check_study(const StudyRequest& request) {
  const Names studies{"fig1", "fig2", "fig3", "table1", "auto"};
  if (std::ranges::find(studies, request.what) == studies.end())
    throw ConfigError({.what = "there is no study of this name",
                       .seen = request.what,
                       .advice = fmt::format("use one of: {}", fmt::join(studies, ", "))});
  require_study(request.what != "fig3" || request.sets.size() <= 1, "figure 3 takes one set of images",
                fmt::format("{} names", request.sets.size()), "run it once for each, with folders of their own");
  for (const double alpha : request.alphas)
    require_study(alpha > 0.0 && std::isfinite(alpha), "'alpha' of a Dirichlet draw is not positive", number(alpha),
                  "give numbers above 0");
  require_study(!(request.seconds && !(*request.seconds >= 0.0)), "'seconds' of a study is not a number of at least 0",
                number(request.seconds.value_or(0.0)), "give seconds");
  if (request.draws > 0) require_at_most(request.draws, "draws", 1000);
  for (const std::size_t n : request.clients) require_at_most(n, "clients", 100000);
  require_at_most(request.nets.rounds, "rounds", 100000);
  require_at_most(request.nets.seeds, "seeds", 100);
  if (request.what == "fig3") grid_of(request).check();
}

fs::path open_study_folder(const StudyRequest& request, const std::string& out) {
  std::error_code error;
  fs::path folder(out);
  if (!continues(request) && fs::exists(folder, error))
    require_study(fs::is_empty(folder, error), "the folder for the results is not empty", "out: " + out,
                  "give a folder that is new or empty");
  fs::create_directories(folder, error);
  require_study(!error, "results cannot be written to this folder", "out: " + out + ": " + error.message(),
                "give a folder that can be written to");
  return folder;
}

StudyTexts reproduce_study(const StudyRequest& request, const StudyOptions& options) {
  if (request.what == "fig1") return figure1_texts(options);
  if (request.what == "fig2") return figure2_texts(request, options);
  if (request.what == "fig3") return figure3_texts(request, options);
  if (request.what == "auto") return auto_texts(request, options);
  return table1_texts(request, options);
}

}  // namespace driftless
