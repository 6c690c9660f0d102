// driftless pki init | issue | list | revoke | show
#include "driftless/console/log.hpp"
#include "driftless/console/text_table.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/pki/certificate_authority.hpp"
#include "driftless/pki/tls_folder.hpp"

#include "apps/command_line.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>

namespace driftless::app {
namespace {

struct PkiInitRequest {
  std::string authority;  // the folder of the CA
  std::string name = "Driftless CA";
  int days = 3650;
  Format format = Format::text;
};

struct PkiIssueRequest {
  std::string authority;
  std::string site;
  bool server = false;             // implied by the name "server"
  std::vector<std::string> hosts;  // of a server
  std::string out;                 // a folder; AUTHORITY/SITE if empty
  int days = 365;
  bool renew = false;
  Format format = Format::text;
};

struct PkiListRequest {
  std::string authority;
  Format format = Format::text;
};

struct PkiRevokeRequest {
  std::string authority;
  std::string site;  // or the serial number
  std::string serial;
  Format format = Format::text;
};

struct PkiShowRequest {
  std::string folder;
  Format format = Format::text;
};

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::chrono::days soon{30};

// Without a trailing slash, which shells add when they complete a name: other names are made from it.
fs::path folder_of(const std::string& text) {
  const fs::path path(text);
  return path.has_filename() || !path.has_parent_path() ? path : path.parent_path();
}

std::string state_of(const IssuedCertificate& issued, Instant now) {
  if (issued.revoked) return "revoked";
  if (now > issued.not_after) return "expired";
  return now + soon > issued.not_after ? "ends soon" : "valid";
}

Json json_of(const IssuedCertificate& issued, Instant now) {
  return {{"serial", issued.serial},
          {"site", issued.subject.name},
          {"kind", kind_name(issued.subject.kind)},
          {"hosts", issued.subject.hosts},
          {"valid_from", utc_text(issued.not_before)},
          {"valid_until", utc_text(issued.not_after)},
          {"revoked", issued.revoked ? Json(utc_text(*issued.revoked)) : Json(nullptr)},
          {"state", state_of(issued, now)}};
}

Json json_of(const std::vector<IssuedCertificate>& certificates, Instant now) {
  Json list = Json::array();
  for (const IssuedCertificate& issued : certificates) list.push_back(json_of(issued, now));
  return list;
}

// Considers the certificate of each subject that lasts longest: the others have been renewed.
void warn_of_ends(const AuthorityFacts& authority, const std::string& folder, Instant now) {
  std::map<std::string, const IssuedCertificate*> last;
  for (const IssuedCertificate& issued : authority.record.certificates) {
    const IssuedCertificate*& kept = last[issued.subject.name];
    if (!issued.revoked && (kept == nullptr || kept->not_after <= issued.not_after)) kept = &issued;
  }
  for (const auto& [name, issued] : last) {
    if (issued == nullptr || now + soon <= issued->not_after) continue;
    log_warning(fmt::format("the certificate of '{}' {} on {}; renew it: driftless pki issue --ca {} {} --renew", name,
                            now > issued->not_after ? "ended" : "ends", utc_text(issued->not_after), folder,
                            issue_flags(name, issued->subject.kind)));
  }
  if (now + soon > authority.not_after)
    log_warning(fmt::format("the CA itself {} on {}; make another one and issue every certificate again",
                            now > authority.not_after ? "ended" : "ends", utc_text(authority.not_after)));
}

void print_folder(const CertificateFacts& facts, const fs::path& folder, bool has_list) {
  fmt::print("folder       {}\nkind         {}\nname         {}\n", folder.string(),
             facts.is_server ? "server" : "site", facts.name);
  if (!facts.hosts.empty()) fmt::print("hosts        {}\n", fmt::join(facts.hosts, ", "));
  fmt::print("serial       {}\nissued by    {}\nvalid from   {}\nvalid until  {}\nrevocations  {}\n", facts.serial,
             facts.issuer, utc_text(facts.not_before), utc_text(facts.not_after),
             has_list ? "crl.pem" : "no list here");
}

ExitCode pki_init(const PkiInitRequest& request) {
  const fs::path folder = folder_of(request.authority);
  const Instant end = create_authority({.folder = folder, .name = request.name, .days = request.days});
  if (request.format == Format::json) {
    print_json({{"schema_version", 1},
                {"directory", folder.string()},
                {"name", request.name},
                {"valid_until", utc_text(end)}});
    return ExitCode::done;
  }
  fmt::print("CA '{}' in {}, valid until {}\nkeep {} secret: with it one can join as any site\n", request.name,
             folder.string(), utc_text(end), (folder / "ca.key").string());
  return ExitCode::done;
}

ExitCode pki_issue(const PkiIssueRequest& request) {
  const bool server = request.server || request.site == "server";
  const Instant now = current_instant();
  const Issue issue = issue_certificate({.folder = folder_of(request.authority),
                                         .subject = {.name = request.site,
                                                     .kind = server ? SubjectKind::server : SubjectKind::site,
                                                     .hosts = request.hosts},
                                         .out = folder_of(request.out),
                                         .days = request.days,
                                         .renew = request.renew,
                                         .now = now});
  if (issue.ends_with_authority) log_warning("it ends earlier than asked for, with the CA");
  for (const IssuedCertificate& old : issue.still_valid)
    log_warning(
        fmt::format("the certificate with serial {} stays valid until {}; once the new one is in use: driftless pki "
                    "revoke --ca {} --serial {}",
                    old.serial, utc_text(old.not_after), request.authority, old.serial));
  const IssuedCertificate& made = issue.certificate;
  if (request.format == Format::json) {
    Json json{{"schema_version", 1}, {"directory", issue.out.string()}};
    json.update(json_of(made, now));
    print_json(json);
    return ExitCode::done;
  }
  fmt::print("{} '{}' in {}, valid until {}\nserial {}\n", kind_name(made.subject.kind), made.subject.name,
             issue.out.string(), utc_text(made.not_after), made.serial);
  if (server) fmt::print("hosts {}\n", fmt::join(made.subject.hosts, ", "));
  return ExitCode::done;
}

ExitCode pki_list(const PkiListRequest& request) {
  const Instant now = current_instant();
  const AuthorityFacts authority = read_authority(folder_of(request.authority));
  warn_of_ends(authority, request.authority, now);
  if (!authority.crl_is_current)
    log_warning("crl.pem does not list what is revoked here; sign it again by revoking one of those again");
  if (request.format == Format::json) {
    print_json({{"schema_version", 1},
                {"name", authority.name},
                {"valid_until", utc_text(authority.not_after)},
                {"crl_number", authority.record.crl_number},
                {"crl_is_current", authority.crl_is_current},
                {"certificates", json_of(authority.record.certificates, now)}});
    return ExitCode::done;
  }
  std::vector<std::vector<std::string>> lines{{"serial", "site", "kind", "valid until", "state", "revoked"}};
  for (const IssuedCertificate& issued : authority.record.certificates)
    lines.push_back({issued.serial, issued.subject.name, kind_name(issued.subject.kind), utc_text(issued.not_after),
                     state_of(issued, now), issued.revoked ? utc_text(*issued.revoked) : ""});
  fmt::print("CA '{}', valid until {}\n{}", authority.name, utc_text(authority.not_after),
             aligned(lines, {0, 1, 2, 3, 4, 5}));
  return ExitCode::done;
}

ExitCode pki_revoke(const PkiRevokeRequest& request) {
  const Revoked revoked =
      revoke_certificates({.folder = folder_of(request.authority), .site = request.site, .serial = request.serial});
  std::vector<std::string> lists;
  for (const fs::path& list : revoked.lists) lists.push_back(list.string());
  if (request.format == Format::json) {
    print_json(
        {{"schema_version", 1}, {"revoked", json_of(revoked.certificates, current_instant())}, {"lists", lists}});
  } else {
    for (const IssuedCertificate& issued : revoked.certificates)
      fmt::print("revoked {} '{}', serial {}\n", kind_name(issued.subject.kind), issued.subject.name, issued.serial);
    if (revoked.certificates.empty()) fmt::print("was revoked before; the list is signed again\n");
    fmt::print("written {}\n", fmt::join(lists, ", "));
  }
  log_info(fmt::format("copy {} to every server that keeps its files elsewhere: until then it accepts what is revoked",
                       lists.front()));
  return ExitCode::done;
}

ExitCode pki_show(const PkiShowRequest& request) {
  const fs::path folder = folder_of(request.folder);
  std::optional<Error> failure;
  try {
    read_tls_folder(folder);
  } catch (const Error& error) { failure = error; }
  // Also the contents of an unusable folder are shown; without a certificate there is nothing to show.
  std::error_code unknown;
  if (failure && !fs::exists(folder / "cert.pem", unknown)) throw *failure;
  const CertificateFacts facts = facts_of(read_input_file(folder / "cert.pem"), (folder / "cert.pem").string());
  const bool has_list = fs::exists(folder / "crl.pem", unknown);
  if (request.format == Format::json)
    print_json({{"schema_version", 1},
                {"directory", folder.string()},
                {"kind", facts.is_server ? "server" : "site"},
                {"name", facts.name},
                {"hosts", facts.hosts},
                {"serial", facts.serial},
                {"issuer", facts.issuer},
                {"valid_from", utc_text(facts.not_before)},
                {"valid_until", utc_text(facts.not_after)},
                {"has_revocations", has_list},
                {"usable", !failure}});
  else print_folder(facts, folder, has_list);
  if (failure) throw *failure;
  return ExitCode::done;
}

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
  command->add_flag("--renew", request->renew,
                    "issue a new certificate although one is still valid; the old one works until it is revoked");
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
  CLI::App* command = pki.add_subcommand("revoke", "Revoke certificates and sign the new revocation list");
  const auto request = std::make_shared<PkiRevokeRequest>();
  add_authority(*command, request->authority);
  CLI::Option* const site =
      command->add_option("--site", request->site, "all certificates of this site or server")->type_name("NAME");
  CLI::Option* const serial =
      command->add_option("--serial", request->serial, "one certificate; 'driftless pki list' shows the numbers")
          ->type_name("HEX");
  site->excludes(serial);
  add_format(*command, request->format);
  command->footer("Example:\n  driftless pki revoke --ca ca --site north");
  command->callback([&action, request, site, serial] {
    if (site->count() + serial->count() == 0) throw CLI::RequiredError("--site or --serial");
    action = [request] { return pki_revoke(*request); };
  });
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

void declare_pki(CLI::App& command, Action& action) {
  command.require_subcommand(0, 1);
  add_init(command, action);
  add_issue(command, action);
  add_list(command, action);
  add_revoke(command, action);
  add_show(command, action);
  command.footer("Example:\n  driftless pki init --ca ca\n  driftless pki issue --ca ca --site north");
  command.callback([&action, &command] {
    if (command.get_subcommands().empty()) action = show_help(command, "driftless");
  });
}

}  // namespace driftless::app
