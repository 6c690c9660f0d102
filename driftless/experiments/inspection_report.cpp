// An inspection as text and as JSON.
#include "driftless/experiments/inspection.hpp"
#include "driftless/console/text_table.hpp"

#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;
using Lines = std::vector<std::vector<std::string>>;

constexpr int schema_version = 1;

std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json optional_json(const std::optional<double>& v) { return v ? Json(*v) : Json(nullptr); }

// One constant of the federation as the table and the files show it.
struct Row {
  const char* name;
  double value;
  double error;
  std::optional<double> least;  // that it can be, everywhere
  std::optional<double> most;
};

std::array<Row, 8> rows_of(const Inspection& i) {
  const Constants& c = i.constants;
  const Constants e = i.exact ? Constants{} : i.measured.errors();  // what is known by construction has none
  const GlobalBounds& b = i.bounds;
  return {{{"L", c.L, e.L, b.L_lower, b.L_upper},
           {"L_f", c.L_f, e.L_f, {}, b.L_f_upper},
           {"mu", c.mu, e.mu, b.mu_lower, b.mu_upper},
           {"mu_f", c.mu_f, e.mu_f, b.mu_lower, {}},
           {"delta_A", c.delta_A, e.delta_A, b.delta_A_lower, b.delta_A_upper},
           {"delta_A_up", c.delta_A_up, e.delta_A_up, {}, {}},
           {"delta_B", c.delta_B, e.delta_B, b.delta_B_lower, b.delta_B_upper},
           {"delta_1", c.delta_1, e.delta_1, {}, {}}}};
}

std::string cell(const std::optional<double>& v) { return v ? fmt::format("{:.6g}", *v) : "–"; }

std::string constants_table(const Inspection& i) {
  Lines lines{{"constant", "value", "error", "everywhere at least", "at most"}};
  for (const Row& r : rows_of(i))
    lines.push_back(
        {r.name, fmt::format("{:.9g}", r.value), fmt::format("{:.1e}", r.error), cell(r.least), cell(r.most)});
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
  Lines lines{{fmt::format("to {:.0e} of the first gap", i.target), "rounds", "exchanges", "bytes", "local steps",
               "bound of f − f* after R rounds"}};
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

const char* method_name(const Inspection& i) { return i.exact ? "exact" : "lanczos"; }

Json errors_json(const Inspection& i) {
  Json errors = Json::object();
  for (const Row& r : rows_of(i)) errors[r.name] = r.error;
  return errors;
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
  Json json{{"schema_version", schema_version}, {"at", i.at}};
  for (const Row& r : rows_of(i)) json[r.name] = r.value;
  json["clients"] = clients_json(i);
  json["bounds"] = bounds_json(i.bounds);
  json["method"] = method_name(i);
  json["tolerance"] = i.tolerance;
  json["converged"] = i.measured.converged;
  json["exchanges"] = i.measured.exchanges;
  json["errors"] = errors_json(i);
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
  return {{"schema_version", schema_version},
          {"target", i.predictions ? Json(i.target) : Json(nullptr)},
          {"predictions", std::move(lines)},
          {"recommendation", i.predictions ? Json(i.predictions->recommendation) : Json(nullptr)}};
}

}  // namespace

std::string inspection_text(const Inspection& i) {
  std::string text = fmt::format("{}\nconstants at {} ({}, {} exchanges)\n\n{}\n{}{}", i.problem, i.at,
                                 i.exact ? "exact; of single clients by Lanczos" : "Lanczos on Hessian products",
                                 i.measured.exchanges, constants_table(i), clients_table(i), secants_text(i));
  if (i.predictions) text += "\n" + predictions_table(i) + "\n" + i.predictions->recommendation + "\n";
  else text += "\nThe optimum is not known, or is the start, so theorems predict no numbers here.\n";
  if (!i.directory.empty()) text += "written to " + i.directory + "\n";
  return text;
}

std::string constants_file(const Inspection& i) { return dump(constants_object(i)); }

std::string predictions_file(const Inspection& i) { return dump(predictions_object(i)); }

std::string inspection_json(const Inspection& i) {
  Json json = predictions_object(i);
  json["problem"] = i.problem;
  json["constants"] = constants_object(i);
  json["directory"] = i.directory.empty() ? Json(nullptr) : Json(i.directory);
  return dump(json);
}

}  // namespace driftless
