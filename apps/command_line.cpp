#include "apps/command_line.hpp"

#include "driftless/core/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>

namespace driftless::app {

void add_format(CLI::App& command, Format& format) {
  const auto choose = [&format](const std::string& text) {
    if (text != "text" && text != "json") throw CLI::ValidationError("--format", text + " is neither text nor json");
    format = text == "json" ? Format::json : Format::text;
  };
  command.add_option_function<std::string>("--format", choose, "text or json; json is one object on standard output")
      ->type_name("text|json");
}

void add_links(CLI::App& command, std::vector<std::string>& links) {
  command
      .add_option("--link", links,
                  "also tell the time on such a network, by its latency and bandwidth: \"10ms,100Mbit\", "
                  "\"20ms,up=20Mbit,down=100Mbit,server=1Gbit,straggler=0.1x5,compute=2x\"; can be repeated")
      ->type_name("LINK")
      ->allow_extra_args(false);
}

Action show_help(const CLI::App& group, const std::string& parent) {
  return [&group, parent] {
    std::cout << group.help(parent);
    return ExitCode::done;
  };
}

void print_json(const nlohmann::ordered_json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

ConfigError usage_error(const CLI::ParseError& error, const CLI::App& app, const std::vector<std::string>& arguments) {
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
  const std::string first = arguments.empty() ? "" : arguments.front();
  const bool is_command = std::ranges::find(known, first) != known.end();
  std::string typed;
  for (const std::string& argument : arguments) typed += " " + argument;
  std::string advice = "see 'driftless" + (is_command ? " " + first : "") + " --help'";
  if (const std::string near = is_command ? "" : nearest(first, known); !near.empty())
    advice = "did you mean '" + near + "'? " + advice;
  return ConfigError({.what = "the command line was not understood: " + std::string(error.what()),
                      .seen = "driftless" + typed,
                      .advice = advice});
}

}  // namespace driftless::app
