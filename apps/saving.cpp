#include "apps/saving.hpp"

#include "driftless/methods/automatic/auto_options.hpp"

#include <algorithm>

namespace driftless::app {

void add_save(CLI::App& command, std::string& save) {
  const std::vector<std::string> choices = OptionType<Save>::choices();
  const auto choose = [&save, choices](const std::string& text) {
    if (std::ranges::find(choices, text) == choices.end())
      throw CLI::ValidationError("--save", text + " is none of " + join(choices));
    save = text;
  };
  command
      .add_option_function<std::string>("--save", choose,
                                        "what 'auto' is to save: exchanges, which is the default; bytes; messages; "
                                        "local passes; or time on the network of --link")
      ->type_name(join(choices, "|"));
}

std::vector<std::string> with_saving(std::vector<std::string> overrides, const std::string& save,
                                     const std::vector<std::string>& links) {
  if (save.empty()) return overrides;
  overrides.push_back("method.save=" + save);
  if (save != enum_name(Save::time)) return overrides;
  if (links.size() != 1)
    throw ConfigError({.what = "--save time needs the network for which it saves",
                       .seen = std::to_string(links.size()) + " flags --link",
                       .advice = "give one, such as --link \"20ms,100Mbit\""});
  overrides.push_back("method.link=" + toml_string(read_link(links.front()).text));
  return overrides;
}

}  // namespace driftless::app
