#include "apps/manual/manual_page.hpp"

#include "apps/exit_code.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless::app {
namespace {

// Backslashes, hyphens that must stay hyphens, and a point or quote at the start of a line, which would be a request.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else if (c == '\n') out += ' ';
    else out += c;
  }
  if (!out.empty() && (out.front() == '.' || out.front() == '\'')) out.insert(0, "\\&");
  return out;
}

std::string title_of(const CommandFacts& command) { return fmt::format("driftless {}", fmt::join(command.path, " ")); }

void add_option(std::string& page, const OptionFacts& option) {
  page += ".TP\n";
  std::vector<std::string> flags;
  for (const std::string& flag : option.flags) flags.push_back("\\fB" + escaped(flag) + "\\fR");
  page += fmt::format("{}", fmt::join(flags, ", "));
  if (!option.value.empty()) page += (flags.empty() ? "\\fI" : " \\fI") + escaped(option.value) + "\\fR";
  page += "\n" + escaped(option.text) + "\n";
}

std::string synopsis_of(const CommandFacts& command) {
  std::string line = "\\fB" + escaped(title_of(command)) + "\\fR";
  for (const OptionFacts& argument : command.positionals) line += " \\fI" + escaped(argument.value) + "\\fR";
  if (!command.subcommands.empty()) line += " \\fICOMMAND\\fR";
  return line + " [\\fIOPTION\\fR...]\n";
}

void add_command(std::string& page, const CommandFacts& command) {
  page += ".SS \"" + escaped(title_of(command)) + "\"\n" + escaped(command.text) + ".\n.PP\n" + synopsis_of(command);
  for (const OptionFacts& argument : command.positionals) add_option(page, argument);
  for (const OptionFacts& option : command.options)
    if (option.flags.back() != "--help") add_option(page, option);
}

}  // namespace

std::string manual_page(const std::vector<CommandFacts>& commands, const std::string& version) {
  std::string page = ".TH DRIFTLESS 1 \"\" \"driftless " + escaped(version) + "\" \"User Commands\"\n";
  page += ".SH NAME\ndriftless \\- federated optimization with few communication rounds\n";
  page += ".SH SYNOPSIS\n\\fBdriftless\\fR \\fICOMMAND\\fR [\\fIARGUMENT\\fR...] [\\fIOPTION\\fR...]\n";
  page +=
      ".SH DESCRIPTION\nSeveral clients hold functions f_i and never share their data. driftless minimises the mean of "
      "these functions with few exchanges between clients and server, in one process, over gRPC with TLS, or over "
      "MPI.\n.PP\nResults go to standard output, messages and progress to standard error.\n";
  page += ".SH COMMANDS\n";
  for (const CommandFacts& command : commands)
    if (!command.path.empty()) add_command(page, command);
  page += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : exit_code_meanings())
    page += fmt::format(".TP\n{}\n{}\n", static_cast<int>(code), escaped(meaning));
  page += ".SH ENVIRONMENT\n"
          ".TP\n\\fBDRIFTLESS_DATA\\fR\nFolders in which data sets are looked for, separated by colons.\n"
          ".TP\n\\fBDRIFTLESS_CACHE\\fR\nThe folder of downloads and of optima that were found before.\n"
          ".TP\n\\fBDRIFTLESS_THREADS\\fR\nThe number of threads; that of the configuration otherwise.\n"
          ".TP\n\\fBNO_COLOR\\fR\nNo colours on the terminal.\n";
  return page;
}

}  // namespace driftless::app
