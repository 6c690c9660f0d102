#include "driftless/pki/subject.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/site_name.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <string_view>
#include <unistd.h>

namespace driftless {
namespace {

// One part of a host name between dots.
bool is_label(std::string_view text) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
  constexpr std::size_t longest = 63;
  return !text.empty() && text.size() <= longest && text.find_first_not_of(allowed) == std::string_view::npos;
}

}  // namespace

std::string kind_name(SubjectKind kind) { return kind == SubjectKind::server ? "server" : "site"; }

std::string issue_flags(const std::string& name, SubjectKind kind) {
  return "--site " + name + (kind == SubjectKind::server && name != "server" ? " --server" : "");
}

bool is_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return ::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

bool is_host(const std::string& host) {
  constexpr std::size_t longest = 253;
  if (is_address(host)) return true;
  // Digits and dots only: an address with a typing error.
  if (host.size() > longest || host.find_first_not_of("0123456789.") == std::string::npos) return false;
  for (std::size_t at = 0; at <= host.size();) {
    const std::size_t end = std::min(host.find('.', at), host.size());
    const std::string label = host.substr(at, end - at);
    if (!is_label(label) || label.front() == '-' || label.back() == '-') return false;
    at = end + 1;
  }
  return true;
}

void check_subject(const CertificateSubject& subject) {
  if (!is_site_name(subject.name))
    throw ConfigError({.what = "this is not a valid name for a site",
                       .seen = "--site " + subject.name,
                       .advice = "use 1 to 63 lower-case letters, digits and hyphens, not beginning with a hyphen"});
  if (subject.kind == SubjectKind::site && !subject.hosts.empty())
    throw ConfigError({.what = "hosts belong to the certificate of a server, and this is one of a site",
                       .seen = "--host " + subject.hosts.front(),
                       .advice = "leave --host out, or add --server"});
  for (const std::string& host : subject.hosts) {
    if (!is_host(host))
      throw ConfigError(
          {.what = "this is neither the name of a host nor an IP address",
           .seen = "--host " + host,
           .advice =
               "give the name or address that sites connect to, without port or scheme: fed.example.org or 10.0.0.7"});
  }
}

std::vector<std::string> hosts_of_this_machine() {
  std::vector<std::string> hosts{"localhost", "127.0.0.1", "::1"};
  std::array<char, 256> name{};
  const bool known = ::gethostname(name.data(), name.size() - 1) == 0;
  const std::string here = name.data();
  if (known && !here.empty() && is_host(here) && std::ranges::find(hosts, here) == hosts.end()) hosts.push_back(here);
  return hosts;
}

}  // namespace driftless
