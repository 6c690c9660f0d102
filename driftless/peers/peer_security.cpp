#include "driftless/peers/peer_security.hpp"

#include "driftless/core/error.hpp"
#include "driftless/pki/certificate.hpp"
#include "driftless/pki/peer_check.hpp"

#include <arpa/inet.h>

namespace driftless {
namespace {

// Checks the numeric address: a name such as 127.example.org may belong to any machine.
bool is_this_machine(const std::string& address) {
  std::string host = address.substr(0, address.rfind(':'));
  if (host == "localhost") return true;
  in_addr four{};
  constexpr std::uint32_t loopback_network = 127;  // 127.0.0.0/8
  if (::inet_pton(AF_INET, host.c_str(), &four) == 1) return ntohl(four.s_addr) >> 24U == loopback_network;
  if (!host.starts_with('[') || !host.ends_with(']')) return false;
  host = host.substr(1, host.size() - 2);
  in6_addr six{};
  return ::inet_pton(AF_INET6, host.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

}  // namespace

std::optional<TlsFiles> chosen_tls(const std::string& folder, bool plain, const std::string& address) {
  if (plain && !folder.empty())
    throw ConfigError({.what = "a connection is either protected or plain",
                       .seen = "--tls " + folder + " --plain",
                       .advice = "leave one of them out"});
  if (!plain && folder.empty())
    throw ConfigError({.what = "connections are protected by TLS, and no certificates are given",
                       .seen = "neither --tls nor --plain",
                       .advice = "give --tls DIR, made by 'driftless pki issue'; to try things out on one machine, "
                                 "--plain"});
  if (plain && !is_this_machine(address))
    throw ConfigError({.what = "plain text stays on this machine",
                       .seen = "--plain with the address " + address,
                       .advice = "use 127.0.0.1 or localhost, or certificates with --tls DIR"});
  return plain ? std::nullopt : std::optional(read_tls_folder(folder));
}

void require_kind(const TlsFiles& files, SubjectKind kind, const std::string& folder) {
  const CertificateFacts facts = facts_of(files.certificate, folder);
  if (facts.is_server == (kind == SubjectKind::server)) return;
  throw ConfigError(
      {.what = facts.is_server ? "this is the certificate of a server, not of a site"
                               : "this is the certificate of a site, not of a server",
       .seen = "--tls " + folder + ": '" + facts.name + "'",
       .advice = facts.is_server ? "give the folder that 'driftless pki issue --site NAME' made for this site"
                                 : "give the folder that 'driftless pki issue --site server' made, with --host and the "
                                   "name of this machine"});
}

TlsTexts texts_of(const TlsFiles& files) { return {files.certificate, files.key, files.authority}; }

CertificateCheck certificate_check(const std::string& folder, const std::optional<TlsFiles>& own,
                                   const std::string& whose, std::function<void(const std::string&)> on_event) {
  if (!own) return {};
  const auto check = std::make_shared<PeerCheck>(folder, *own, std::move(on_event));
  return [check, whose](const std::string& pem) -> std::optional<ErrorInfo> {
    const std::optional<std::string> reason = check->rejection_of(pem);
    if (!reason) return std::nullopt;
    return ErrorInfo{.what = "the certificate of the " + whose + " is not accepted",
                     .seen = *reason,
                     .advice = "ask the keeper of the CA for a valid one: 'driftless pki issue'"};
  };
}

}  // namespace driftless
