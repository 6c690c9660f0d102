#include "driftless/reproduce/figure3_race.hpp"

#include <algorithm>
#include <map>

namespace driftless {
namespace {

class Race {
 public:
  Race(const std::string& method, const Figure3Setup& setup, std::span<const Figure3Result> results)
      : setup_(setup), results_(results) {
    race_.method = method;
  }

  Figure3Race run(const Figure3Grid& grid) {
    std::vector<Figure3Setting> field = open(grid);
    // With few rounds in all, stages coincide and the later ones find their results there.
    const std::size_t first = std::min(Figure3Race::first_rounds, setup_.rounds);
    const std::size_t choice = std::min(Figure3Race::choice_rounds, setup_.rounds);
    const bool has_lambda = !field.empty() && field.front().lambda.has_value();
    if (has_lambda && !compare(field, first, 1, best_lambdas)) return race_;
    if (!compare(field, choice, 2, closest_two)) return race_;
    if (!compare(field, setup_.rounds, 3, best_one)) return race_;
    if (field.empty()) return finished();
    race_.chosen = field.front();
    status_of(field.front()).state = SettingState::chosen;
    for (std::size_t seed = 2; seed <= setup_.seeds; ++seed) {
      const Figure3Trial trial = trial_of(field.front(), setup_.rounds, seed);
      if (find_result(results_, trial) == nullptr) race_.pending.push_back(trial);
    }
    race_.stage = 4;
    return race_.pending.empty() ? finished() : race_;
  }

 private:
  struct Entry {
    Figure3Setting setting;
    double accuracy;
  };
  using Entries = std::vector<Entry>;  // in order of accuracy
  using Selection = Entries (*)(const Entries&);

  static Entries best_lambdas(const Entries& entries) {
    std::map<std::pair<std::size_t, double>, Entry> best;
    for (const Entry& entry : entries) best.try_emplace({entry.setting.local_steps, entry.setting.rate}, entry);
    Entries kept;
    for (const auto& [key, entry] : best) kept.push_back(entry);
    return kept;
  }
  static Entries closest_two(const Entries& entries) {
    Entries kept(entries.begin(), entries.begin() + std::min<std::ptrdiff_t>(2, std::ssize(entries)));
    if (kept.size() == 2 && kept[1].accuracy < kept[0].accuracy - Figure3Race::close_race) kept.pop_back();
    return kept;
  }
  static Entries best_one(const Entries& entries) { return {entries.front()}; }

  std::vector<Figure3Setting> open(const Figure3Grid& grid) {
    const std::vector<Figure3Setting> asked = grid.settings_of(race_.method);
    std::vector<Figure3Setting> field;
    for (const Figure3Setting& setting : Figure3Grid().settings_of(race_.method)) {
      SettingStatus& status = race_.settings.emplace_back(SettingStatus{.setting = setting});
      for (const Figure3Result& result : results_) {
        const Figure3Trial& trial = result.trial;
        if (trial.method != race_.method || trial.setting != setting || trial.seed != 1) continue;
        status.state = SettingState::racing;
        if (trial.rounds < status.rounds) continue;
        status.rounds = trial.rounds;
        status.accuracy = result.accuracy();
      }
      if (status.state == SettingState::racing || std::ranges::find(asked, setting) != asked.end())
        field.push_back(setting);
    }
    return field;
  }

  Figure3Trial trial_of(const Figure3Setting& setting, std::size_t rounds, std::size_t seed) const {
    return {.method = race_.method, .setting = setting, .seed = seed, .rounds = rounds};
  }
  SettingStatus& status_of(const Figure3Setting& setting) {
    return *std::ranges::find(race_.settings, setting, &SettingStatus::setting);
  }

  // The accuracy of the first seed after so many rounds. A longer trial that was measured there knows it as well.
  std::optional<double> accuracy_at(const Figure3Setting& setting, std::size_t rounds) const {
    for (const Figure3Result& result : results_) {
      const Figure3Trial& trial = result.trial;
      if (trial.method != race_.method || trial.setting != setting || trial.seed != 1) continue;
      if (trial.rounds == rounds) return result.accuracy();
      const auto point = std::ranges::find(result.points, rounds, &Figure3Point::round);
      if (point != result.points.end()) return point->accuracy;
    }
    return std::nullopt;
  }

  // Whether a setting has others to be compared with: in stage 1 those that differ in λ alone.
  static bool has_rivals(const Figure3Setting& setting, const std::vector<Figure3Setting>& field, std::size_t stage) {
    return std::ranges::count_if(field, [&](const Figure3Setting& other) {
             return stage > 1 || (other.rate == setting.rate && other.local_steps == setting.local_steps);
           }) > 1;
  }

  // False where trials of this stage are missing. Otherwise `field` becomes the settings that remain, the best first.
  bool compare(std::vector<Figure3Setting>& field, std::size_t rounds, std::size_t stage, Selection selection) {
    Entries entries;
    for (const Figure3Setting& setting : field) {
      const std::optional<double> accuracy = accuracy_at(setting, rounds);
      if (accuracy.value_or(0.0) < 0.0) continue;  // diverged
      if (accuracy || (stage < 3 && !has_rivals(setting, field, stage)))
        entries.push_back({setting, accuracy.value_or(0.0)});
      else race_.pending.push_back(trial_of(setting, rounds, 1));
    }
    race_.stage = stage;
    if (!race_.pending.empty()) return false;
    std::ranges::stable_sort(entries, std::ranges::greater(), &Entry::accuracy);
    const Entries kept = entries.empty() ? Entries{} : selection(entries);
    for (const Figure3Setting& setting : field) status_of(setting).state = SettingState::eliminated;
    field.clear();
    for (const Entry& entry : kept) {
      SettingStatus& status = status_of(entry.setting);
      status.state = status.rounds == 0 ? SettingState::unseen : SettingState::racing;
      field.push_back(entry.setting);
    }
    return true;
  }

  Figure3Race finished() {
    race_.stage = 5;
    return race_;
  }

  const Figure3Setup& setup_;
  std::span<const Figure3Result> results_;
  Figure3Race race_;
};

}  // namespace

std::string_view name_of(SettingState state) {
  static constexpr std::array<std::string_view, 4> names{"not seen", "in the race", "eliminated", "chosen"};
  return names[static_cast<std::size_t>(state)];
}

std::size_t Figure3Race::seen() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(settings, [](const SettingStatus& s) { return s.state != SettingState::unseen; }));
}

const Figure3Result* find_result(std::span<const Figure3Result> results, const Figure3Trial& trial) {
  const auto found = std::ranges::find(results, trial, &Figure3Result::trial);
  return found == results.end() ? nullptr : &*found;
}

Figure3Race race_of(const std::string& method, const Figure3Setup& setup, const Figure3Grid& grid,
                    std::span<const Figure3Result> results) {
  Figure3Race race = Race(method, setup, results).run(grid);
  const bool asked = std::ranges::find(grid.methods, method) != grid.methods.end();
  if (!asked) race.pending.clear();
  return race;
}

}  // namespace driftless
