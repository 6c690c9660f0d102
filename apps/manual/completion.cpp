#include "apps/manual/completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless::app {
namespace {

std::vector<std::string> flags_of(const CommandFacts& command) {
  std::vector<std::string> flags;
  for (const OptionFacts& option : command.options) flags.insert(flags.end(), option.flags.begin(), option.flags.end());
  return flags;
}

// What may stand where no option is begun.
std::vector<std::string> words_of(const CommandFacts& command) {
  if (!command.subcommands.empty()) return command.subcommands;
  std::vector<std::string> words;
  for (const OptionFacts& argument : command.positionals)
    words.insert(words.end(), argument.choices.begin(), argument.choices.end());
  return words;
}

std::string quoted_for_fish(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

}  // namespace

std::string bash_completion(const std::vector<CommandFacts>& commands) {
  std::string script = "# Completion of driftless for bash.\n"
                       "_driftless() {\n"
                       "  local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
                       "  local path=\"\" flags=\"\" words=\"\" word\n"
                       "  COMPREPLY=()\n"
                       "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
                       "    case \"$path $word\" in\n";
  for (const CommandFacts& command : commands)
    if (!command.path.empty())
      script += fmt::format("      \" {0}\") path=\" {0}\" ;;\n", fmt::join(command.path, " "));
  script += "    esac\n  done\n  case \"$path|$previous\" in\n";
  for (const CommandFacts& command : commands)
    for (const OptionFacts& option : command.options)
      if (!option.choices.empty())
        for (const std::string& flag : option.flags)
          script += fmt::format("    \"{}{}|{}\") words=\"{}\" ;;\n", command.path.empty() ? "" : " ",
                                fmt::join(command.path, " "), flag, fmt::join(option.choices, " "));
  script += "  esac\n  if [[ -z $words ]]; then\n    case \"$path\" in\n";
  for (const CommandFacts& command : commands)
    script +=
        fmt::format("      \"{}{}\") flags=\"{}\"; words=\"{}\" ;;\n", command.path.empty() ? "" : " ",
                    fmt::join(command.path, " "), fmt::join(flags_of(command), " "), fmt::join(words_of(command), " "));
  script += "    esac\n"
            "    [[ $current == -* ]] && words=\"$flags\"\n"
            "  fi\n"
            "  if [[ -n $words ]]; then mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\"); fi\n"
            "}\n"
            "complete -o default -F _driftless driftless\n";
  return script;
}

std::string zsh_completion(const std::vector<CommandFacts>& commands) {
  std::string script = bash_completion(commands);
  // zsh has no mapfile, and bashcompinit gives it `complete` and `compgen`.
  const std::string reading = "mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")";
  script.replace(script.find(reading), reading.size(), "COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))");
  return "#compdef driftless\nautoload -U +X bashcompinit && bashcompinit\n" + script;
}

std::string fish_completion(const std::vector<CommandFacts>& commands) {
  std::string script = "# Completion of driftless for fish.\n";
  for (const CommandFacts& command : commands) {
    const std::string condition = command.path.empty()
                                      ? "__fish_use_subcommand"
                                      : fmt::format("__fish_seen_subcommand_from {}",
                                                    fmt::join(command.path, "; and __fish_seen_subcommand_from "));
    const std::string head = fmt::format("complete -c driftless -n {}", quoted_for_fish(condition));
    for (const std::string& word : words_of(command)) script += fmt::format("{} -a {}\n", head, quoted_for_fish(word));
    for (const OptionFacts& option : command.options) {
      script += head;
      for (const std::string& flag : option.flags)
        script += flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
      if (!option.choices.empty())
        script += fmt::format(" -x -a {}", quoted_for_fish(fmt::format("{}", fmt::join(option.choices, " "))));
      else if (!option.value.empty()) script += " -r";
      script += " -d " + quoted_for_fish(option.text) + "\n";
    }
  }
  return script;
}

}  // namespace driftless::app
