#include "driftless/reproduce/auto/search.hpp"

#include "driftless/experiments/method_trial.hpp"
#include "driftless/tuning/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace driftless {
namespace {

constexpr std::size_t reduction = 3;         // of successive halving
constexpr std::size_t fewest_exchanges = 6;  // of a rung: some methods take three in a round
constexpr double hopeless = 4.0;             // times the budget

// Of the calling thread, where the system knows it: other work on the machine does not count.
double processor_seconds() {
#ifdef CLOCK_THREAD_CPUTIME_ID
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
#else
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
#endif
}

struct Candidate {
  const TunedSetting* setting;
  double part = 1.0;  // least ‖∇f‖ of its last run, as a part of the first
  bool out = false;   // it arrived, diverged, or cannot be the best
};

class MethodSearch {
 public:
  MethodSearch(const MethodEntry& entry, std::span<const TunedSetting> settings, const AutoTask& task)
      : entry_(entry), task_(task), begin_(processor_seconds()) {
    result_.method = entry.name;
    result_.settings = settings.size();
    for (const TunedSetting& setting : settings) candidates_.push_back({.setting = &setting});
  }

  std::optional<AutoResult> run() {
    const std::vector<std::size_t> sizes = rung_sizes(candidates_.size(), reduction);
    for (std::size_t rung = 0; rung < sizes.size() && !result_.clock; ++rung) {
      keep(sizes[rung]);
      if (!run_rung(sizes.size() - rung)) return std::nullopt;
    }
    if (result_.best) result_.end = AutoEnd::arrived;
    result_.seconds = processor_seconds() - begin_;
    return std::move(result_);
  }

 private:
  void keep(std::size_t count) {
    std::erase_if(candidates_, [](const Candidate& c) { return c.out; });
    std::ranges::stable_sort(candidates_, {}, &Candidate::part);
    if (candidates_.size() > count) candidates_.resize(count);
  }

  // False where it was interrupted.
  bool run_rung(std::size_t rungs_left) {
    std::size_t exchanges = task_.limits.exchanges;
    for (std::size_t k = 1; k < rungs_left; ++k) exchanges = (exchanges + reduction - 1) / reduction;
    exchanges = std::clamp(exchanges, std::min(fewest_exchanges, task_.limits.exchanges), task_.limits.exchanges);
    const std::size_t left = task_.limits.gradients - std::min<std::size_t>(result_.gradients, task_.limits.gradients);
    const std::size_t rungs = rungs_left == 1 ? 1 : rungs_left + 1;
    const std::size_t share = left / (rungs * std::max<std::size_t>(1, candidates_.size()));
    for (Candidate& candidate : candidates_) {
      if (result_.clock) break;
      if (!run_trial(candidate, exchanges, share)) return false;
    }
    return true;
  }

  bool run_trial(Candidate& candidate, std::size_t exchanges, std::size_t gradients) {
    const std::size_t allowed =
        result_.best ? std::min<std::size_t>(exchanges, result_.best->cost.exchanges - 1) : exchanges;
    const MethodTrial run =
        try_method(task_.problem, entry_, candidate.setting->settings,
                   {.stop = {.grad_norm = task_.target, .exchanges = allowed, .grad_evals = gradients},
                    .stop_token = token(),
                    .copies = &task_.clients},
                   task_.pool);
    if (run.reason == StopReason::interrupted) return false;
    result_.clock = result_.clock || run.reason == StopReason::seconds;
    result_.gradients += run.last().grad_evals;
    if (run.decision) result_.note = run.decision->chosen;
    judge(candidate, run, allowed, gradients);
    candidate.out = candidate.out || allowed < exchanges;  // beaten by the best one already
    return true;
  }

  // The last round may have exceeded the budget.
  void judge(Candidate& candidate, const MethodTrial& run, std::size_t exchanges, std::size_t gradients) {
    const TraceRow& last = run.last();
    if (run.reason == StopReason::grad_norm && last.exchanges <= exchanges && last.grad_evals <= gradients) {
      candidate.out = true;
      add_arrival({.setting = candidate.setting->text, .cost = cost_of(last)});
      return;
    }
    const double first = run.rows.front().grad_norm;
    double least = first;
    for (const TraceRow& row : run.rows)
      if (row.grad_norm < least) least = row.grad_norm;
    candidate.part = first > 0.0 ? least / first : 1.0;
    const bool slow = too_slow(candidate.part, std::log(task_.target / first), last);
    candidate.out = run.reason == StopReason::diverged || slow;
    note_nearest(candidate, run.reason, slow && exchanges < task_.limits.exchanges);
  }

  // At the speed so far it would need several times the budget.
  bool too_slow(double part, double logs_wanted, const TraceRow& last) const {
    if (!(part < 1.0)) return true;
    const double times = hopeless * std::log(part) / logs_wanted;
    return static_cast<double>(last.exchanges) > times * static_cast<double>(task_.limits.exchanges) ||
           static_cast<double>(last.grad_evals) > times * static_cast<double>(task_.limits.gradients);
  }

  void add_arrival(const AutoArrival& arrival) {
    const auto improve = [&](std::optional<AutoArrival>& kept, auto&& better) {
      if (!kept || better(arrival.cost, kept->cost)) kept = arrival;
    };
    improve(result_.best, [](const Cost& a, const Cost& b) {
      return a.exchanges != b.exchanges ? a.exchanges < b.exchanges : a.bytes < b.bytes;
    });
    improve(result_.fewest_bytes, [](const Cost& a, const Cost& b) { return a.bytes < b.bytes; });
    improve(result_.fewest_gradients, [](const Cost& a, const Cost& b) { return a.grad_evals < b.grad_evals; });
  }

  void note_nearest(const Candidate& candidate, StopReason reason, bool slow) {
    if (result_.end != AutoEnd::unfit && candidate.part >= result_.part) return;
    result_.part = candidate.part;
    result_.nearest = candidate.setting->text;
    result_.end = reason == StopReason::diverged     ? AutoEnd::diverged
                  : reason == StopReason::seconds    ? AutoEnd::clock
                  : reason == StopReason::grad_evals ? AutoEnd::gradients
                  : slow                             ? AutoEnd::too_slow
                                                     : AutoEnd::exchanges;
  }

  StopToken token() const {
    return [this] {
      if (processor_seconds() - begin_ > task_.limits.seconds) return StopSignal::time_over;
      return task_.stop_token.signal();
    };
  }

  const MethodEntry& entry_;
  const AutoTask& task_;
  double begin_;
  std::vector<Candidate> candidates_;
  AutoResult result_;
};

}  // namespace

std::optional<AutoResult> search_method(const MethodEntry& entry, std::span<const TunedSetting> settings,
                                        const AutoTask& task) {
  if (settings.empty())
    return AutoResult{.method = entry.name, .note = "theory has no value for its options here, or rejects them"};
  return MethodSearch(entry, settings, task).run();
}

}  // namespace driftless
