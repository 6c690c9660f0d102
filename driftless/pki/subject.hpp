// The subject of a certificate: a site of the federation, or a server with its host names and addresses.
#pragma once

#include <string>
#include <vector>

namespace driftless {

enum class SubjectKind { site, server };

struct CertificateSubject {
  std::string name;  // the common name of the certificate
  SubjectKind kind = SubjectKind::site;
  std::vector<std::string> hosts = {};  // of a server: names and addresses
};

std::string kind_name(SubjectKind kind);
std::string issue_flags(const std::string& name, SubjectKind kind);  // of 'driftless pki issue', for messages

bool is_address(const std::string& host);  // IPv4 or IPv6
bool is_host(const std::string& host);     // an address, or a name of letters, digits, hyphens and dots

// ConfigError for a malformed name or host, and for a site with hosts.
void check_subject(const CertificateSubject& subject);

// localhost in its three forms, and the name of this machine.
std::vector<std::string> hosts_of_this_machine();

}  // namespace driftless
