// Names of sites and hosts.
#include "driftless/pki/subject.hpp"

#include "driftless/core/site_name.hpp"

#include "tests/support/expect_error.hpp"

namespace driftless {
namespace {

TEST(CertificateSubject, NamesAreLowerCaseLettersDigitsAndHyphens) {
  for (const std::string& name :
       {std::string("a"), std::string("north"), std::string("9-to-5"), std::string("a-"), std::string(63, 'x')})
    EXPECT_TRUE(is_site_name(name)) << name;
  for (const std::string& name : {std::string(), std::string("-a"), std::string("North"), std::string("a b"),
                                  std::string("a.b"), std::string(".."), std::string("a/b"), std::string("a_b"),
                                  std::string("süd"), std::string(64, 'x'), std::string("a\n"), std::string("a\0b", 3)})
    EXPECT_FALSE(is_site_name(name)) << name;
}

TEST(CertificateSubject, HostsAreNamesOrAddresses) {
  for (const char* host :
       {"localhost", "fed.example.org", "Fed-1.Example.org", "10.0.0.7", "::1", "2001:db8::7", "3com.com"})
    EXPECT_TRUE(is_host(host)) << host;
  for (const char* host : {"", ".", "a..b", "a.", ".a", "-a", "a-", "a b", "*.example.org", "https://a", "a:50051",
                           "10.0.0", "10.0.0.256", "DNS:a,IP:1.2.3.4", "a,b", "a\nb", "fe80::1%eth0", "[::1]"})
    EXPECT_FALSE(is_host(host)) << host;
  EXPECT_FALSE(is_host(std::string(64, 'a') + ".org"));
  std::string long_name = "a";
  while (long_name.size() <= 253) long_name += ".a";
  EXPECT_FALSE(is_host(long_name));
}

TEST(CertificateSubject, InvalidNamesAreReportedWithTheirFlag) {
  expect_error<ConfigError>([] { check_subject({.name = "North"}); },
                            {"not a valid name for a site", "--site North", "1 to 63"});
  expect_error<ConfigError>([] { check_subject({.name = "north", .hosts = {"a"}}); }, {"--host a", "--server"});
  expect_error<ConfigError>([] { check_subject({.name = "s", .kind = SubjectKind::server, .hosts = {"a:1"}}); },
                            {"--host a:1", "without port"});
}

TEST(CertificateSubject, FlagsIdentifyAServerForTheIssueCommand) {
  EXPECT_EQ(issue_flags("north", SubjectKind::site), "--site north");
  EXPECT_EQ(issue_flags("server", SubjectKind::server), "--site server");
  EXPECT_EQ(issue_flags("hub", SubjectKind::server), "--site hub --server");
}

}  // namespace
}  // namespace driftless
