// driftless describe NAME
#include "driftless/methods/catalog.hpp"
#include "driftless/run/config_document.hpp"

#include "apps/commands.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t clients = 5;

std::string settings_lines(const Settings& settings) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const auto& [key, value] : settings) lines.emplace_back(key, to_text(value));
  return toml_lines(lines);
}

std::string example_of(const MethodEntry& entry) {
  return "seed = 1\n\n[problem]\nkind = \"quadratic\"\ndim = 100\n\n[federation]\nclients = " +
         std::to_string(clients) + "\n\n[[method]]\nname = " + toml_string(entry.name) + "\n" +
         settings_lines(entry.demo) + "\n[stop]\nrounds = 100\n";
}

std::vector<std::string> output_points(const MethodEntry& entry) {
  std::vector<std::string> points;
  for (const OutputPoint point : {OutputPoint::last, OutputPoint::best, OutputPoint::best_gradient,
                                  OutputPoint::weighted, OutputPoint::uniform}) {
    const bool methods_own = point == OutputPoint::weighted || point == OutputPoint::uniform;
    if (!methods_own || entry.make(entry.demo)->keep_for_output(point)) points.emplace_back(enum_name(point));
  }
  return points;
}

std::string traffic_text(const Traffic& t) {
  const auto per_client = [](std::uint64_t vectors) {
    return static_cast<double>(vectors) / static_cast<double>(clients);
  };
  if (t == Traffic{}) return "nothing is sent";
  return fmt::format("{}{} exchange{}, {:g} up and {:g} down per client, in vectors", t.at_least ? "at least " : "",
                     t.exchanges, t.exchanges == 1 ? "" : "s", per_client(t.up), per_client(t.down));
}

std::string coin_line(const Method& method) {
  const Traffic t = method.coin_traffic(clients);
  return t == Traffic{} ? "" : "coin     " + traffic_text(t) + ", more in some rounds\n";
}

Json traffic_json(const Traffic& t) {
  return {{"exchanges", t.exchanges}, {"vectors_up", t.up}, {"vectors_down", t.down}};
}

void print_options(const MethodEntry& entry) {
  fmt::print("\noptions\n");
  for (const OptionInfo& option : entry.options) {
    const std::string initial =
        option.required ? "required" : "default " + (option.initial.empty() ? "none" : option.initial);
    fmt::print("  {:<16} {}; {}\n  {:<16} {}\n", option.name, option.allowed, initial, "", option.help);
  }
  if (!entry.fixed.empty()) fmt::print("\nsettled by the name\n");
  for (const auto& [key, value] : entry.fixed) fmt::print("  {} = {}\n", key, to_text(value));
}

void print_text(const MethodEntry& entry) {
  const std::unique_ptr<Method> method = entry.make(entry.demo);
  fmt::print("{}: {}\n\npaper    {}\nrounds   {}\nlimit    {}\nstart    {}\nround    {}\n{}output   {}\n", entry.name,
             entry.summary, entry.paper, entry.rate,
             entry.reaches_minimizer ? "the minimiser" : "near the minimiser: biased, or noise that does not vanish",
             traffic_text(method->start_traffic(clients)), traffic_text(method->round_traffic(clients)),
             coin_line(*method), join(output_points(entry)));
  print_options(entry);
  fmt::print(
      "\nexample; to run it: driftless describe {0} --example > example.toml && driftless run example.toml\n\n{1}",
      entry.name, example_of(entry));
}

void print_json(const MethodEntry& entry) {
  const std::unique_ptr<Method> method = entry.make(entry.demo);
  Json options = Json::array();
  for (const OptionInfo& o : entry.options)
    options.push_back({{"name", o.name},
                       {"allowed", o.allowed},
                       {"default", o.initial.empty() ? Json(nullptr) : Json(o.initial)},
                       {"required", o.required},
                       {"help", o.help}});
  Json fixed = Json::object();
  for (const auto& [key, value] : entry.fixed) fixed[key] = to_text(value);
  const Json json{{"schema_version", 1},
                  {"name", entry.name},
                  {"summary", entry.summary},
                  {"paper", entry.paper},
                  {"rate", entry.rate},
                  {"reaches_minimizer", entry.reaches_minimizer},
                  {"clients", clients},
                  {"start_traffic", traffic_json(method->start_traffic(clients))},
                  {"round_traffic", traffic_json(method->round_traffic(clients))},
                  {"coin_traffic", traffic_json(method->coin_traffic(clients))},
                  {"options", std::move(options)},
                  {"fixed", std::move(fixed)},
                  {"output_points", output_points(entry)},
                  {"example", example_of(entry)}};
  fmt::print("{}\n", json.dump(2));
}

}  // namespace

ExitCode describe(const DescribeRequest& request) {
  const MethodEntry& entry = find_method(request.name);
  if (request.example) fmt::print("{}", example_of(entry));
  else if (request.format == Format::json) print_json(entry);
  else print_text(entry);
  return ExitCode::done;
}

}  // namespace driftless::app
