// Names, flags and help of `driftless pki`.
#include "apps/command_line.hpp"

#include <iostream>
#include <memory>

namespace driftless::app {
namespace {

void add_authority(CLI::App& command, std::string& folder) {
  command.add_option("--ca", folder, "the folder of the CA")->required()->type_name("DIR");
}

void add_init(CLI::App& pki, Action& action) {
  CLI::App* command = pki.add_subcommand("init", "Make a CA: its key, its certificate and an empty revocation list");
  const auto request = std::make_shared<PkiInitRequest>();
  add_authority(*command, request->authority);
  command->add_option("--name", request->name, "its name in certificates")->capture_default_str();
  command->add_option("--days", request->days, "how long it is valid")->capture_default_str()->type_name("N");
  add_format(*command, request->format);
  command->footer("Example:\n  driftless pki init --ca ca");
  command->callback([&action, request] { action = [request] { return pki_init(*request); }; });
}

void add_issue(CLI::App& pki, Action& action) {
  CLI::App* command = pki.add_subcommand("issue", "A key and a certificate for one site or server");
  const auto request = std::make_shared<PkiIssueRequest>();
  add_authority(*command, request->authority);
  command->add_option("--site", request->site, "its name: lower-case letters, digits, hyphens; 'server' is a server")
      ->required()
      ->type_name("NAME");
  command->add_flag("--server", request->server, "for a server of another name than 'server'");
  command
      ->add_option("--host", request->hosts,
                   "of a server: name or address that sites connect to; repeatable; this machine's if not given")
      ->type_name("NAME|IP")
      ->allow_extra_args(false);
  command->add_option("--out", request->out, "the folder for the files; CA/NAME if not given")->type_name("DIR");
  command->add_option("--days", request->days, "how long it is valid")->capture_default_str()->type_name("N");
  command->add_flag("--renew", request->renew, "although there is a valid one, which stays valid until it is revoked");
  add_format(*command, request->format);
  command->footer("Example:\n  driftless pki issue --ca ca --site server --host fed.example.org\n  driftless pki issue "
                  "--ca ca --site north");
  command->callback([&action, request] { action = [request] { return pki_issue(*request); }; });
}

void add_list(CLI::App& pki, Action& action) {
  CLI::App* command = pki.add_subcommand("list", "What a CA has issued, until when it is valid, what is revoked");
  const auto request = std::make_shared<PkiListRequest>();
  add_authority(*command, request->authority);
  add_format(*command, request->format);
  command->footer("Example:\n  driftless pki list --ca ca");
  command->callback([&action, request] { action = [request] { return pki_list(*request); }; });
}

void add_revoke(CLI::App& pki, Action& action) {
  CLI::App* command = pki.add_subcommand("revoke", "Refuse certificates from now on, and sign the list that says so");
  const auto request = std::make_shared<PkiRevokeRequest>();
  add_authority(*command, request->authority);
  CLI::Option_group* const which = command->add_option_group("which");
  which->add_option("--site", request->site, "all certificates of this site or server")->type_name("NAME");
  which->add_option("--serial", request->serial, "one certificate; 'driftless pki list' shows the numbers")
      ->type_name("HEX");
  which->require_option(1);
  add_format(*command, request->format);
  command->footer("Example:\n  driftless pki revoke --ca ca --site north");
  command->callback([&action, request] { action = [request] { return pki_revoke(*request); }; });
}

void add_show(CLI::App& pki, Action& action) {
  CLI::App* command = pki.add_subcommand("show", "What the folder of a site or server holds, and whether it is usable");
  const auto request = std::make_shared<PkiShowRequest>();
  command->add_option("--tls", request->folder, "a folder that 'driftless pki issue' wrote")
      ->required()
      ->type_name("DIR");
  add_format(*command, request->format);
  command->footer("Example:\n  driftless pki show --tls ca/north");
  command->callback([&action, request] { action = [request] { return pki_show(*request); }; });
}

}  // namespace

void add_pki(CLI::App& app, Action& action) {
  CLI::App* pki = app.add_subcommand("pki", "The certificates of a federation: issue, list, revoke");
  pki->require_subcommand(0, 1);
  add_init(*pki, action);
  add_issue(*pki, action);
  add_list(*pki, action);
  add_revoke(*pki, action);
  add_show(*pki, action);
  pki->footer("Example:\n  driftless pki init --ca ca\n  driftless pki issue --ca ca --site north");
  // A group without a command shows its help.
  pki->callback([&action, pki] {
    if (pki->get_subcommands().empty())
      action = [pki] {
        std::cout << pki->help("driftless");
        return ExitCode::done;
      };
  });
}

}  // namespace driftless::app
