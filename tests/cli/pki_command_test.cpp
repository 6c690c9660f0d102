// driftless pki: its output, its files and its exit codes.
#include "tests/cli/bad_case.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

constexpr int tls_fault = 3;

// The program in a folder with an empty path, so that it cannot call openssl or any other program.
ProgramResult pki(const TempFolder& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "pki");
  return run_program(
      {.arguments = std::move(arguments), .folder = folder.path(), .environment = {{"PATH", "/nowhere"}}});
}

std::string done(const TempFolder& folder, const std::vector<std::string>& arguments) {
  const ProgramResult result = pki(folder, arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

void expect_rejected(const TempFolder& folder, const std::vector<std::string>& arguments, int exit_code,
                     const std::vector<std::string>& fragments) {
  const ProgramResult result = pki(folder, arguments);
  EXPECT_EQ(result.exit_code, exit_code) << result.err;
  EXPECT_EQ(result.out, "");
  expect_message(result.err, fragments);
}

json listed(const TempFolder& folder) { return json::parse(done(folder, {"list", "--ca", "ca", "--format", "json"})); }

TEST(PkiCommand, AWholeFederationIsMadeWithoutTheOpensslProgram) {
  const TempFolder folder;
  EXPECT_THAT(done(folder, {"init", "--ca", "ca/", "--name", "Trial 7"}), HasSubstr("CA 'Trial 7' in ca, valid until"));
  const std::string server =
      done(folder, {"issue", "--ca", "ca/", "--site", "server", "--host", "fed.example.org", "--host", "10.0.0.7"});
  EXPECT_THAT(server, HasSubstr("server 'server' in ca/server"));
  EXPECT_THAT(server, HasSubstr("hosts fed.example.org, 10.0.0.7"));
  EXPECT_THAT(done(folder, {"issue", "--ca", "ca", "--site", "north"}), HasSubstr("site 'north' in ca/north"));
  EXPECT_THAT(done(folder, {"issue", "--ca", "ca", "--site", "hub", "--server", "--out", "for/hub/"}),
              HasSubstr("server 'hub' in for/hub,"));
  EXPECT_TRUE(fs::exists(folder / "for/hub/crl.pem"));

  const json list = listed(folder);
  EXPECT_EQ(list.at("name"), "Trial 7");
  ASSERT_EQ(list.at("certificates").size(), 3U);
  EXPECT_EQ(list.at("certificates")[1].at("site"), "north");
  EXPECT_EQ(list.at("certificates")[1].at("state"), "valid");
  EXPECT_EQ(list.at("certificates")[2].at("kind"), "server");

  const json shown = json::parse(done(folder, {"show", "--tls", "ca/north/", "--format", "json"}));
  EXPECT_EQ(shown.at("serial"), list.at("certificates")[1].at("serial"));
  EXPECT_EQ(shown.at("usable"), true);
  EXPECT_THAT(done(folder, {"show", "--tls", "ca/server"}), HasSubstr("hosts        fed.example.org, 10.0.0.7"));
}

TEST(PkiCommand, RevokingPrintsTheRemainingSteps) {
  const TempFolder folder;
  done(folder, {"init", "--ca", "ca"});
  done(folder, {"issue", "--ca", "ca", "--site", "server"});
  done(folder, {"issue", "--ca", "ca", "--site", "north"});
  const ProgramResult result = pki(folder, {"revoke", "--ca", "ca", "--site", "north"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("revoked site 'north', serial "));
  EXPECT_THAT(result.out, HasSubstr("written ca/crl.pem, ca/server/crl.pem"));
  EXPECT_THAT(result.err, HasSubstr("copy ca/crl.pem to every server"));
  EXPECT_EQ(listed(folder).at("certificates")[1].at("state"), "revoked");
  EXPECT_THAT(done(folder, {"revoke", "--ca", "ca", "--site", "north"}), HasSubstr("was revoked before"));
  EXPECT_THAT(done(folder, {"list", "--ca", "ca"}), testing::ContainsRegex("north +site +[^ ]+ +revoked +[^ ]+Z"));
}

TEST(PkiCommand, RenewingWarnsThatTheOldOneStaysValid) {
  const TempFolder folder;
  done(folder, {"init", "--ca", "ca"});
  const json first = json::parse(done(folder, {"issue", "--ca", "ca", "--site", "north", "--format", "json"}));
  expect_rejected(folder, {"issue", "--ca", "ca", "--site", "north"}, usage,
                  {"'north' has a valid certificate", "--renew"});
  const ProgramResult result = pki(folder, {"issue", "--ca", "ca", "--site", "north", "--renew"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("stays valid until"));
  EXPECT_THAT(result.err, HasSubstr("--serial " + first.at("serial").get<std::string>()));
}

TEST(PkiCommand, ListWarnsOfWhatEndsSoonUntilItIsRenewed) {
  const TempFolder folder;
  done(folder, {"init", "--ca", "ca"});
  done(folder, {"issue", "--ca", "ca", "--site", "hub", "--server", "--days", "20"});
  done(folder, {"issue", "--ca", "ca", "--site", "north", "--days", "40"});
  const ProgramResult before = pki(folder, {"list", "--ca", "ca"});
  EXPECT_THAT(before.err, HasSubstr("the certificate of 'hub' ends on"));
  EXPECT_THAT(before.err, HasSubstr("driftless pki issue --ca ca --site hub --server --renew"));
  EXPECT_THAT(before.err, testing::Not(HasSubstr("north")));
  EXPECT_THAT(before.out, HasSubstr("ends soon"));
  done(folder, {"issue", "--ca", "ca", "--site", "hub", "--server", "--renew"});
  EXPECT_EQ(pki(folder, {"list", "--ca", "ca"}).err, "");
}

TEST(PkiCommand, ConcurrentProgramsLoseNoCertificate) {
  const TempFolder folder;
  done(folder, {"init", "--ca", "ca"});
  std::vector<std::unique_ptr<Program>> programs;
  for (int i = 0; i < 8; ++i) {
    const std::string name = "site-" + std::to_string(i);
    fs::create_directory(folder / name);
    programs.push_back(std::make_unique<Program>(
        Call{.arguments = {"pki", "issue", "--ca", "../ca", "--site", name}, .folder = folder / name}));
  }
  for (const auto& program : programs) EXPECT_EQ(program->wait().exit_code, 0);
  EXPECT_EQ(listed(folder).at("certificates").size(), 8U);
}

TEST(PkiCommand, ShowTellsWhatAnUnusableFolderHolds) {
  const TempFolder folder;
  done(folder, {"init", "--ca", "ca"});
  done(folder, {"issue", "--ca", "ca", "--site", "north"});
  done(folder, {"issue", "--ca", "ca", "--site", "south"});
  fs::permissions(folder / "ca/north/key.pem", fs::perms::group_read, fs::perm_options::add);
  const ProgramResult open = pki(folder, {"show", "--tls", "ca/north", "--format", "json"});
  EXPECT_EQ(open.exit_code, usage);
  EXPECT_EQ(json::parse(open.out).at("usable"), false);
  expect_message(open.err, {"chmod 600 ca/north/key.pem"});
  fs::copy_file(folder / "ca/south/cert.pem", folder / "ca/north/cert.pem", fs::copy_options::overwrite_existing);
  fs::permissions(folder / "ca/north/key.pem", fs::perms::group_read, fs::perm_options::remove);
  const ProgramResult mixed = pki(folder, {"show", "--tls", "ca/north"});
  EXPECT_EQ(mixed.exit_code, tls_fault);
  EXPECT_THAT(mixed.out, HasSubstr("name         south"));
  expect_message(mixed.err, {"the key does not belong to the certificate"});
}

TEST(PkiCommand, InvalidRequestsAreRejectedWithAdvice) {
  const TempFolder folder;
  expect_rejected(folder, {"issue", "--ca", "ca", "--site", "north"}, usage,
                  {"no CA in this folder", "pki init --ca ca"});
  expect_rejected(folder, {"list", "--ca", "ca"}, usage, {"no CA in this folder"});
  done(folder, {"init", "--ca", "ca"});
  expect_rejected(folder, {"init", "--ca", "ca"}, usage, {"a CA in this folder already"});
  expect_rejected(folder, {"init", "--ca", "."}, usage, {"must be new or empty"});
  expect_rejected(folder, {"init", "--ca", "other", "--days", "0"}, usage, {"--days 0"});
  expect_rejected(folder, {"issue", "--ca", "ca"}, usage, {"--site is required"});
  expect_rejected(folder, {"issue", "--ca", "ca", "--site", "North"}, usage,
                  {"not a valid name for a site", "--site North"});
  expect_rejected(folder, {"issue", "--ca", "ca", "--site", "../x"}, usage, {"not a valid name for a site"});
  expect_rejected(folder, {"issue", "--ca", "ca", "--site", "north", "--host", "a"}, usage, {"--host a", "--server"});
  expect_rejected(folder, {"issue", "--ca", "ca", "--site", "server", "--host", "a:1"}, usage, {"--host a:1"});
  expect_rejected(folder, {"issue", "--ca", "ca", "--site", "north", "--out", "/proc/x"}, usage,
                  {"cannot be written", "/proc/x"});
  expect_rejected(folder, {"revoke", "--ca", "ca"}, usage, {"--site", "--serial"});
  expect_rejected(folder, {"revoke", "--ca", "ca", "--site", "a", "--serial", "1"}, usage, {"--site", "--serial"});
  expect_rejected(folder, {"revoke", "--ca", "ca", "--site", "north"}, usage, {"issued no such certificate"});
  expect_rejected(folder, {"show", "--tls", "nowhere"}, usage, {"nowhere: no file key.pem"});
  EXPECT_TRUE(listed(folder).at("certificates").empty());
}

TEST(PkiCommand, ADamagedRecordIsADataError) {
  const TempFolder folder;
  done(folder, {"init", "--ca", "ca"});
  folder.write("ca/index.json", "{");
  for (const char* command : {"list", "issue", "revoke"}) {
    std::vector<std::string> arguments{command, "--ca", "ca"};
    if (command != std::string("list")) arguments.insert(arguments.end(), {"--site", "north"});
    expect_rejected(folder, arguments, data_fault, {"ca/index.json: not JSON", "restore index.json"});
  }
}

// Numbers and dates differ from one CA to the next.
std::string without_chance(const std::string& text) {
  const std::string dated = std::regex_replace(text, std::regex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z"), "DATE");
  return std::regex_replace(dated, std::regex("[0-9a-f]{32}"), "SERIAL");
}

TEST(PkiCommand, ThePageShowsTheOutputOfTheProgram) {
  const TempFolder folder;
  const std::string prompt = "    $ driftless pki ";
  std::istringstream page(TempFolder::read(fs::path(DRIFTLESS_SOURCE_FOLDER) / "docs" / "pki.md"));
  std::string line;
  int commands = 0;
  while (std::getline(page, line)) {
    if (!line.starts_with(prompt)) continue;
    std::istringstream words(line.substr(prompt.size()));
    const std::vector<std::string> arguments{std::istream_iterator<std::string>(words), {}};
    std::string shown;
    for (std::string text; std::getline(page, text) && text.starts_with("    ");) shown += text.substr(4) + "\n";
    EXPECT_EQ(without_chance(done(folder, arguments)), without_chance(shown)) << line;
    ++commands;
  }
  EXPECT_EQ(commands, 8);
}

}  // namespace
}  // namespace driftless
