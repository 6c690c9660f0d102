#include "apps/manual/command_tree.hpp"

#include "driftless/methods/catalog.hpp"

#include "apps/help_text.hpp"

namespace driftless::app {
namespace {

std::vector<std::string> choices_of(const std::string& value) {
  std::vector<std::string> choices;
  if (value.find('|') == std::string::npos) return choices;
  for (std::size_t begin = 0; begin <= value.size();) {
    const std::size_t end = std::min(value.find('|', begin), value.size());
    choices.push_back(value.substr(begin, end - begin));
    begin = end + 1;
  }
  return choices;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodEntry& entry : method_catalog()) names.push_back(entry.name);
  return names;
}

OptionFacts facts_of(const CLI::Option& option, const std::string& verb) {
  OptionFacts facts;
  for (const std::string& name : option.get_snames()) facts.flags.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) facts.flags.push_back("--" + name);
  const bool positional = facts.flags.empty();
  if (positional) facts.value = option.get_name();
  else if (option.get_type_size() != 0) facts.value = value_text(option);
  facts.choices = choices_of(value_text(option));
  if (positional && verb == "describe") facts.choices = method_names();
  facts.text = description_text(option);
  return facts;
}

void add_commands(const CLI::App& app, const std::vector<std::string>& path, std::vector<CommandFacts>& all) {
  CommandFacts facts{.path = path, .text = app.get_description(), .positionals = {}, .options = {}, .subcommands = {}};
  const std::string verb = path.empty() ? "" : path.front();
  for (const CLI::Option* option : app.get_options()) {
    OptionFacts found = facts_of(*option, verb);
    (found.flags.empty() ? facts.positionals : facts.options).push_back(std::move(found));
  }
  const auto children = app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* child : children) facts.subcommands.push_back(child->get_name());
  all.push_back(std::move(facts));
  for (const CLI::App* child : children) {
    std::vector<std::string> below = path;
    below.push_back(child->get_name());
    add_commands(*child, below, all);
  }
}

}  // namespace

std::vector<CommandFacts> command_tree(const CLI::App& program) {
  std::vector<CommandFacts> all;
  add_commands(program, {}, all);
  return all;
}

}  // namespace driftless::app
