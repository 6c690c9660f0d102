// An inspection as text and as JSON.
#include "driftless/console/text_table.hpp"
#include "driftless/experiments/inspection.hpp"
#include "driftless/problems/constants_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;
using Lines = std::vector<std::vector<std::string>>;

std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json optional_json(const std::optional<double>& v) { return v ? Json(*v) : Json(nullptr); }

ProblemConstants constants_of(const Inspection& i) {
  return {.values = i.constants,
          .exact = i.exact,
          .at = i.at,
          .errors = i.exact ? Constants{} : i.measured.errors(),
          .tolerance = i.tolerance,
          .converged = i.measured.converged};
}

// Bounds of one constant that hold everywhere.
struct Bounds {
  std::optional<double> lower;
  std::optional<double> upper;
};

Bounds bounds_of(double Constants::* member, const GlobalBounds& b) {
  if (member == &Constants::L) return {b.L_lower, b.L_upper};
  if (member == &Constants::L_f) return {{}, b.L_f_upper};
  if (member == &Constants::mu) return {b.mu_lower, b.mu_upper};
  if (member == &Constants::mu_f) return {b.mu_lower, {}};
  if (member == &Constants::delta_A) return {b.delta_A_lower, b.delta_A_upper};
  if (member == &Constants::delta_B) return {b.delta_B_lower, b.delta_B_upper};
  return {};
}

std::string cell(const std::optional<double>& v) { return v ? fmt::format("{:.6g}", *v) : "–"; }

std::string constants_table(const Inspection& i) {
  const ProblemConstants constants = constants_of(i);
  Lines lines{{"constant", "value", "error", "everywhere at least", "at most"}};
  for (const auto& [name, member, largest_is_worst] : constant_list) {
    const Bounds bounds = bounds_of(member, i.bounds);
    lines.push_back({name, fmt::format("{:.9g}", constants.values.*member),
                     fmt::format("{:.1e}", constants.errors.*member), cell(bounds.lower), cell(bounds.upper)});
  }
  return aligned(lines);
}

std::string clients_table(const Inspection& i) {
  Lines lines{{"client", "L", "mu", "delta"}};
  for (std::size_t k = 0; k < i.measured.clients.size(); ++k) {
    const ClientConstants& c = i.measured.clients[k];
    lines.push_back({std::to_string(k), fmt::format("{:.9g}", c.L.value), fmt::format("{:.9g}", c.mu.value),
                     fmt::format("{:.9g}", c.delta.value)});
  }
  return aligned(lines);
}

std::string count_text(double count) {
  return count < 1e7 ? fmt::format("{:.0f}", count) : fmt::format("{:.2e}", count);
}

std::string predictions_table(const Inspection& i) {
  Lines lines{{fmt::format("worst-case bounds, to {:.0e} of the first gap", i.target), "rounds", "exchanges", "bytes",
               "local steps", "bound of f − f* after R rounds"}};
  for (const Prediction& p : i.predictions->lines) {
    if (!p.obstacle.empty()) {
      lines.push_back({p.method, "–", "–", "–", "–", "not applicable: " + p.obstacle});
      continue;
    }
    lines.push_back({p.method, count_text(p.rounds), count_text(p.exchanges), bytes_text(p.bytes),
                     p.local_steps ? count_text(*p.local_steps) : "exact", (p.order ? "order " : "") + p.theorem});
  }
  return aligned(lines, {0, 5});
}

std::string secants_text(const Inspection& i) {
  if (!i.secants) return "";
  if (i.secants->steps == 0) return fmt::format("\nalong {}: no step was long enough to tell anything\n", i.along);
  const SecantBounds& s = *i.secants;
  return fmt::format("\nalong {} ({} steps): L >= {:.6g}, mu <= {:.6g}, delta_A >= {:.6g} (last step {:.6g}), delta_B "
                     ">= {:.6g}\n",
                     i.along, s.steps, s.L, s.mu, s.delta_A, s.last_delta_A, s.delta_B);
}

Json clients_json(const Inspection& i) {
  Json clients = Json::array();
  for (std::size_t k = 0; k < i.measured.clients.size(); ++k) {
    const ClientConstants& c = i.measured.clients[k];
    clients.push_back({{"id", k},
                       {"L", c.L.value},
                       {"mu", c.mu.value},
                       {"delta", c.delta.value},
                       {"errors", {{"L", c.L.error}, {"mu", c.mu.error}, {"delta", c.delta.error}}}});
  }
  return clients;
}

Json bounds_json(const GlobalBounds& b) {
  return {{"L_upper", optional_json(b.L_upper)},
          {"L_f_upper", optional_json(b.L_f_upper)},
          {"mu_lower", optional_json(b.mu_lower)},
          {"delta_A_upper", optional_json(b.delta_A_upper)},
          {"delta_B_upper", optional_json(b.delta_B_upper)},
          {"L_lower", b.L_lower},
          {"mu_upper", b.mu_upper},
          {"delta_A_lower", b.delta_A_lower},
          {"delta_B_lower", b.delta_B_lower}};
}

Json constants_object(const Inspection& i) {
  Json json = constants_document(constants_of(i));
  json["clients"] = clients_json(i);
  json["bounds"] = bounds_json(i.bounds);
  json["exchanges"] = i.measured.exchanges;
  if (i.secants)
    json["along"] = {{"method", i.along},
                     {"steps", i.secants->steps},
                     {"L", i.secants->L},
                     {"mu", i.secants->steps > 0 ? Json(i.secants->mu) : Json(nullptr)},
                     {"delta_A", i.secants->delta_A},
                     {"delta_A_last", i.secants->last_delta_A},
                     {"delta_B", i.secants->delta_B}};
  return json;
}

Json predictions_object(const Inspection& i) {
  Json lines = Json::array();
  if (i.predictions)
    for (const Prediction& p : i.predictions->lines) {
      Json line{{"method", p.method}, {"bound", p.theorem}, {"order", p.order}, {"obstacle", nullptr}};
      if (p.obstacle.empty()) {
        line["rounds"] = p.rounds;
        line["exchanges"] = p.exchanges;
        line["bytes"] = p.bytes;
        line["local_steps"] = optional_json(p.local_steps);
      } else {
        line["obstacle"] = p.obstacle;
      }
      lines.push_back(std::move(line));
    }
  return {{"schema_version", 2},
          {"target", i.predictions ? Json(i.target) : Json(nullptr)},
          {"predictions", std::move(lines)},
          {"worst_case", i.predictions ? Json(i.predictions->worst_case) : Json(nullptr)}};
}

}  // namespace

std::string inspection_text(const Inspection& i) {
  std::string text = fmt::format("{}\nconstants at {} ({}, {} exchanges)\n\n{}\n{}{}", i.problem, i.at,
                                 i.exact ? "exact; of single clients by Lanczos" : "Lanczos on Hessian products",
                                 i.measured.exchanges, constants_table(i), clients_table(i), secants_text(i));
  if (i.predictions) text += "\n" + predictions_table(i) + "\n" + i.predictions->worst_case + "\n";
  else text += "\nThe optimum is not known, or is the start, so theorems predict no numbers here.\n";
  if (i.advice) text += "\n" + advice_text(*i.advice);
  else
    text +=
        "\nNo method was tried on this problem, and worst cases say little about it: for advice set inspect.trials.\n";
  if (!i.directory.empty()) text += "written to " + i.directory + "\n";
  return text;
}

std::string constants_file(const Inspection& i) { return dump(constants_object(i)); }

std::string predictions_file(const Inspection& i) { return dump(predictions_object(i)); }

std::string inspection_json(const Inspection& i) {
  Json json = predictions_object(i);
  json["problem"] = Json::parse(i.problem_facts);
  json["constants"] = constants_object(i);
  json["trials"] = i.advice ? Json::parse(trials_json(*i.advice)) : Json(nullptr);
  json["directory"] = i.directory.empty() ? Json(nullptr) : Json(i.directory);
  return dump(json);
}

}  // namespace driftless
