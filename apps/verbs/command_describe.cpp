// driftless describe NAME
#include "driftless/config/config_document.hpp"

#include "apps/command_line.hpp"
#include "apps/method_facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless::app {
namespace {

struct DescribeRequest {
  std::string name;
  bool example = false;  // only the example configuration
  Format format = Format::text;
};

using Json = nlohmann::ordered_json;

std::string settings_lines(const Settings& settings) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const auto& [key, value] : settings) lines.emplace_back(key, to_text(value));
  return toml_lines(lines);
}

std::string example_of(const MethodEntry& entry) {
  return "seed = 1\n\n[problem]\nkind = \"quadratic\"\ndim = 100\n\n[federation]\nclients = " +
         std::to_string(example_clients) + "\n\n[[method]]\nname = " + toml_string(entry.name) + "\n" +
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
  if (t == Traffic{}) return "nothing is sent";
  return fmt::format("{}{} exchange{}, {:g} up and {:g} down per client, in vectors", t.at_least ? "at least " : "",
                     t.exchanges, t.exchanges == 1 ? "" : "s", per_client(t.up), per_client(t.down));
}

std::string listed(const std::vector<std::string>& words) {
  return words.empty() ? "nothing" : fmt::format("{}", fmt::join(words, ", "));
}

void print_theory(const MethodEntry& entry) {
  if (entry.theory.empty()) return;
  fmt::print("\ntheory values\n");
  for (const TheoryValue& t : entry.theory) fmt::print("  {:<16} {}\n", t.option, t.text());
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
  const MethodTraffic traffic = traffic_of(entry);
  const std::string coin =
      traffic.coin == Traffic{} ? "" : "coin     " + traffic_text(traffic.coin) + ", more in some rounds\n";
  fmt::print("{}: {}\n\nfamily   {}\npaper    {}\nrounds   {}\nproved   {}\nneeds    {} beside gradients\n"
             "can      {} besides\nlimit    {}\nstart    {}\nround    {}\n{}output   {}\n",
             entry.name, entry.summary, entry.family, entry.paper, entry.rate.text(),
             entry.rate.proved_for == Convexity::nothing
                 ? "no guarantee"
                 : fmt::format("for {} functions", enum_name(entry.rate.proved_for)),
             listed(needs_of(entry)), listed(abilities_of(entry)),
             entry.reaches_minimizer() ? "the minimiser" : "near the minimiser: " + entry.limit,
             traffic_text(traffic.start), traffic_text(traffic.round), coin, join(output_points(entry)));
  print_options(entry);
  print_theory(entry);
  fmt::print(
      "\nexample; to run it: driftless describe {0} --example > example.toml && driftless run example.toml\n\n{1}",
      entry.name, example_of(entry));
}

void print_entry_json(const MethodEntry& entry) {
  Json json{{"schema_version", 2}};
  json.update(facts_json(entry));
  json.update(
      Json{{"clients", example_clients}, {"output_points", output_points(entry)}, {"example", example_of(entry)}});
  fmt::print("{}\n", json.dump(2));
}

ExitCode describe(const DescribeRequest& request) {
  const MethodEntry& entry = find_method(request.name);
  if (request.example) fmt::print("{}", example_of(entry));
  else if (request.format == Format::json) print_entry_json(entry);
  else print_text(entry);
  return ExitCode::done;
}

}  // namespace

void declare_describe(CLI::App& command, Action& action) {
  const auto request = std::make_shared<DescribeRequest>();
  command.add_option("NAME", request->name, "a method; see 'driftless methods'")->required();
  command.add_flag("--example", request->example, "only the example, as a configuration that runs");
  add_format(command, request->format);
  command.footer("Example:\n  driftless describe fedred-gd --example > example.toml");
  command.callback([&action, request] { action = [request] { return describe(*request); }; });
}

}  // namespace driftless::app
