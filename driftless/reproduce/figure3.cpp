#include "driftless/reproduce/figure3.hpp"

#include "driftless/console/log.hpp"
#include "driftless/experiments/method_trial.hpp"
#include "driftless/experiments/run_config.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/problems/make_problem.hpp"
#include "driftless/reproduce/figure3_file.hpp"
#include "driftless/results/directory_lock.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>

namespace driftless {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

class Study {
 public:
  Study(const Figure3Setup& setup, const Figure3Options& options)
      : setup_(setup), options_(options), pool_(0), lock_(options.out), file_(options.out, setup) {}

  Figure3 run() {
    while (const std::optional<Figure3Trial> trial = next_trial())
      if (!run_trial(*trial)) break;
    Figure3 figure = figure3_of(setup_, options_.grid, file_.results());
    write_output_file(options_.out / "figure3.md", figure3_markdown(figure));
    write_output_file(options_.out / "figure3.json", figure3_json(figure));
    if (!figure.lines.empty()) write_output_file(options_.out / "figure3.svg", figure3_svg(figure));
    return figure;
  }

 private:
  // Earlier stages first, over all methods; none where nothing is left to do or would end in time.
  std::optional<Figure3Trial> next_trial() const {
    if (options_.stop_token.stop_requested()) return std::nullopt;
    const Figure3 figure = figure3_of(setup_, options_.grid, file_.results());
    const Figure3Trial* next = nullptr;
    std::size_t stage = 0;
    for (const Figure3Race& race : figure.races)
      for (const Figure3Trial& trial : race.pending)
        if ((next == nullptr || race.stage < stage) && fits(trial)) {
          next = &trial;
          stage = race.stage;
        }
    return next == nullptr ? std::nullopt : std::optional(*next);
  }

  double seconds_left() const { return *options_.seconds - seconds_since(start_); }

  bool fits(const Figure3Trial& trial) const {
    if (!options_.seconds) return true;
    const auto rate = seconds_per_step_.find(trial.method);
    const double steps = static_cast<double>(trial.rounds * trial.setting.local_steps);
    const double expected = rate == seconds_per_step_.end() ? 0.0 : rate->second * steps;
    return seconds_left() > expected;
  }

  StopToken token() const {
    return [this] {
      if (options_.seconds && seconds_left() <= 0.0) return StopSignal::time_over;
      return options_.stop_token.signal();
    };
  }

  // False where the trial was cut: nothing of it is kept.
  bool run_trial(const Figure3Trial& trial) {
    const Clock::time_point begin = Clock::now();
    const RunConfig config = parse_config(trial_config(setup_, trial), trial.method, Paths::resolved);
    const Problem& problem = problem_of(trial, config);
    const MethodConfig& method = config.methods.front();
    const MethodTrial done = try_method(problem, find_method(method.name), method.settings,
                                        {.stop = config.stop,
                                         .seed = trial.seed,
                                         .every = config.output.every,
                                         .tested = true,
                                         .progress = options_.progress,
                                         .stop_token = token()},
                                        pool_);
    if (done.reason == StopReason::interrupted || done.reason == StopReason::seconds) return false;
    Figure3Result result{.trial = trial,
                         .diverged = done.reason == StopReason::diverged,
                         .points = {},
                         .arithmetic = problem.arithmetic,
                         .seconds = seconds_since(begin)};
    for (const TraceRow& row : done.rows)
      result.points.push_back(
          {.round = row.round, .exchanges = row.exchanges, .f = row.f, .accuracy = row.test_accuracy.value_or(0.0)});
    seconds_per_step_[trial.method] = result.seconds / static_cast<double>(trial.rounds * trial.setting.local_steps);
    log_info(fmt::format("{}, {}, seed {}: {:.2f} % after {} rounds, {:.0f} s", trial.method, to_text(trial.setting),
                         trial.seed, 100.0 * result.points.back().accuracy, trial.rounds, result.seconds));
    file_.add(result);
    if (options_.on_trial) options_.on_trial(result);
    return true;
  }

  // The images of all trials are the same; central SGD has them at one client.
  const Problem& problem_of(const Figure3Trial& trial, const RunConfig& config) {
    const bool central = trial.method == Figure3Grid::central;
    const auto found = problems_.find(central);
    if (found != problems_.end()) return found->second;
    const Problem& made = problems_.emplace(central, make_problem(config, pool_)).first->second;
    log_info(made.summary);
    file_.check_images(made.data.front().digest);
    return made;
  }

  const Figure3Setup& setup_;
  const Figure3Options& options_;
  Clock::time_point start_ = Clock::now();
  ThreadPool pool_;
  DirectoryLock lock_;
  Figure3File file_;
  std::map<bool, Problem> problems_;                // by whether it is that of central SGD
  std::map<std::string, double> seconds_per_step_;  // by method, of the last trial
};

}  // namespace

Figure3 reproduce_figure3(const Figure3Setup& setup, const Figure3Options& options) {
  options.grid.check();
  std::filesystem::create_directories(options.out);
  return Study(setup, options).run();
}

}  // namespace driftless
