// Who a certificate is for: a site of the federation, or a server with the hosts it is reached at.
#pragma once

#include <string>
#include <vector>

namespace driftless {

enum class PartyKind { site, server };

struct Party {
  std::string name;  // also the common name of its certificate
  PartyKind kind = PartyKind::site;
  std::vector<std::string> hosts = {};  // of a server: names and addresses
};

std::string kind_name(PartyKind kind);
std::string issue_flags(const std::string& name, PartyKind kind);  // of 'driftless pki issue', for messages

bool is_party_name(const std::string& name);  // [a-z0-9][a-z0-9-]{0,62}
bool is_address(const std::string& host);     // IPv4 or IPv6
bool is_host(const std::string& host);        // an address, or a name of letters, digits, hyphens and dots

// ConfigError for a malformed name or host, and for a site with hosts.
void check_party(const Party& party);

// localhost in its three forms, and the name of this machine.
std::vector<std::string> hosts_of_this_machine();

}  // namespace driftless
