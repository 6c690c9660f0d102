// Trials as lines of trials.csv.
#include "driftless/tuning/trial.hpp"

#include <algorithm>
#include <charconv>
#include <deque>

namespace driftless {
namespace {

constexpr std::array<std::string_view, 4> cost_names{"rounds", "exchanges", "bytes", "grad_evals"};

// The free options of all methods, each once.
std::vector<std::string> open_options(const TuneConfig& config) {
  std::vector<std::string> names;
  for (const SearchSpace& space : config.spaces)
    for (const SearchAxis& axis : space)
      if (std::ranges::find(names, axis.option) == names.end()) names.push_back(axis.option);
  return names;
}

std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\n") == std::string::npos) return cell;
  std::string text = "\"";
  for (const char c : cell) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

std::string value_text(const Settings& settings, const std::string& option) {
  for (const auto& [key, value] : settings) {
    if (key != option) continue;
    const auto* text = std::get_if<std::string>(&value);
    return quoted(text != nullptr ? *text : to_text(value));
  }
  return "";
}

std::string asked(const Trial& trial, const TuneConfig& config) {
  const MethodConfig& method = config.run.methods[trial.method];
  std::string line = trial_key(trial) + method.label + "," + std::to_string(method.seed) + ",";
  for (const std::string& option : open_options(config)) line += value_text(trial.chosen, option) + ",";
  return line;
}

std::string cost_text(const std::optional<Cost>& cost) {
  if (!cost) return ",,,";
  return std::to_string(cost->rounds) + "," + std::to_string(cost->exchanges) + "," + std::to_string(cost->bytes) +
         "," + std::to_string(cost->grad_evals);
}

using Cells = std::deque<std::string_view>;

Cells cells_of(std::string_view line) {
  Cells cells;
  for (std::size_t at = 0;;) {
    const std::size_t comma = line.find(',', at);
    cells.push_back(line.substr(at, comma == std::string_view::npos ? comma : comma - at));
    if (comma == std::string_view::npos) return cells;
    at = comma + 1;
  }
}

template <class Number>
bool take(Cells& cells, Number& out) {
  if (cells.empty()) return false;
  const std::string_view cell = cells.front();
  cells.pop_front();
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), out);
  return error == std::errc() && end == cell.data() + cell.size();
}

bool take(Cells& cells, Cost& cost) {
  return take(cells, cost.rounds) && take(cells, cost.exchanges) && take(cells, cost.bytes) &&
         take(cells, cost.grad_evals);
}

bool take(Cells& cells, std::optional<Cost>& cost) {
  if (cells.size() >= cost_names.size() && cells.front().empty()) {
    const bool none = std::all_of(cells.begin(), cells.begin() + cost_names.size(),
                                  [](std::string_view cell) { return cell.empty(); });
    cells.erase(cells.begin(), cells.begin() + cost_names.size());
    return none;
  }
  return take(cells, cost.emplace());
}

}  // namespace

std::string trial_key(const Trial& trial) {
  return std::to_string(trial.number) + "," + std::to_string(trial.rung) + ",";
}

std::string target_text(double target) {
  std::array<char, 32> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), target, std::chars_format::scientific).ptr;
  std::string text(digits.data(), end);
  if (const std::size_t zero = text.find("e-0"); zero != std::string::npos) text.erase(zero + 2, 1);
  return text;
}

std::string trials_header(const TuneConfig& config) {
  std::string line = "trial,rung,method,seed,";
  for (const std::string& option : open_options(config)) line += option + ",";
  line += "end,rounds,exchanges,bytes,grad_evals,part";
  for (const double target : config.keys.targets)
    for (const std::string_view name : cost_names) line += "," + std::string(name) + "_at_" + target_text(target);
  return line;
}

std::string trial_line(const TrialResult& result, const TuneConfig& config) {
  std::string line = asked(result.trial, config) + std::string(enum_name(result.reason)) + "," +
                     cost_text(result.spent) + "," + number(result.part);
  for (const std::optional<Cost>& cost : result.at) line += "," + cost_text(cost);
  return line;
}

std::optional<TrialResult> parse_trial(const Trial& trial, std::string_view line, const TuneConfig& config) {
  const std::string front = asked(trial, config);
  if (!line.starts_with(front)) return std::nullopt;
  Cells cells = cells_of(line.substr(front.size()));
  TrialResult result{.trial = trial, .at = {}};
  const bool ended = OptionType<StopReason>::read(std::string(cells.front()), result.reason);
  cells.pop_front();
  bool good = ended && take(cells, result.spent) && take(cells, result.part);
  for (std::size_t i = 0; good && i < config.keys.targets.size(); ++i) good = take(cells, result.at.emplace_back());
  return good && cells.empty() ? std::optional(result) : std::nullopt;
}

}  // namespace driftless
