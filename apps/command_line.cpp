#include "apps/command_line.hpp"

#include "driftless/core/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <map>
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

void add_format_with_markdown(CLI::App& command, Format& format) {
  const auto choose = [&format](const std::string& text) {
    const std::map<std::string, Format> formats{
        {"text", Format::text}, {"markdown", Format::markdown}, {"json", Format::json}};
    if (!formats.contains(text)) throw CLI::ValidationError("--format", text + " is not text, markdown or json");
    format = formats.at(text);
  };
  command
      .add_option_function<std::string>("--format", choose,
                                        "text, markdown or json; json is one object on standard output")
      ->type_name("text|markdown|json");
}

void add_links(CLI::App& command, std::vector<std::string>& links) {
  command
      .add_option("--link", links,
                  "also estimate the time on a network of this latency and bandwidth: \"10ms,100Mbit\", "
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

namespace {

bool printed_json = false;

}  // namespace

bool json_was_printed() { return printed_json; }

void print_json(const nlohmann::ordered_json& json) {
  printed_json = true;
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

namespace {

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options({}))
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// Names of options may be written with their values: --out=DIR.
std::string name_of(const std::string& argument) { return argument.substr(0, argument.find('=')); }

// The first option that the command does not have.
std::string unknown_option(const CLI::App& command, const std::vector<std::string>& arguments) {
  const std::vector<std::string> known = option_names(command);
  for (const std::string& argument : arguments)
    if (argument.starts_with("--") && std::ranges::find(known, name_of(argument)) == known.end())
      return name_of(argument);
  return "";
}

// Also a longer or shorter form of the same word: --output for --out.
std::string nearest_option(const std::string& option, const std::vector<std::string>& known) {
  const auto form = std::ranges::find_if(
      known, [&](const std::string& name) { return name.starts_with(option) || option.starts_with(name); });
  return form != known.end() ? *form : nearest(option, known);
}

std::string command_line_text(const std::vector<std::string>& arguments) {
  std::string text = "driftless";
  for (const std::string& argument : arguments) text += " " + argument;
  return text;
}

ErrorInfo unknown_command(const std::string& first, const std::vector<std::string>& known) {
  const std::string near = nearest(first, known);
  return {.what = "there is no command '" + first + "'",
          .seen = {},
          .advice = (near.empty() ? "" : "did you mean '" + near + "'? ") + "see 'driftless --help'"};
}

ErrorInfo misused_command(const CLI::ParseError& error, const CLI::App& command,
                          const std::vector<std::string>& arguments) {
  const std::string help = "see 'driftless " + command.get_name() + " --help'";
  if (const std::string option = unknown_option(command, arguments); !option.empty()) {
    const std::string near = nearest_option(option, option_names(command));
    return {.what = "'" + command.get_name() + "' has no option " + option,
            .seen = {},
            .advice = (near.empty() ? "" : "did you mean " + near + "? ") + help};
  }
  return {.what = "the command line was not understood: " + std::string(error.what()), .seen = {}, .advice = help};
}

}  // namespace

ConfigError usage_error(const CLI::ParseError& error, const CLI::App& app, const std::vector<std::string>& arguments) {
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
  const std::string first = arguments.empty() ? "" : arguments.front();
  ErrorInfo info{.what = "the command line was not understood: " + std::string(error.what()),
                 .seen = {},
                 .advice = "see 'driftless --help'"};
  const bool is_command = std::ranges::find(known, first) != known.end();
  // The options of a group such as `data` are those of its commands.
  if (is_command && app.get_subcommand(first)->get_subcommands({}).empty())
    info = misused_command(error, *app.get_subcommand(first), arguments);
  else if (is_command) info.advice = "see 'driftless " + first + " --help'";
  else if (!first.empty() && !first.starts_with("-")) info = unknown_command(first, known);
  info.seen = command_line_text(arguments);
  return ConfigError(std::move(info));
}

}  // namespace driftless::app
