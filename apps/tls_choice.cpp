#include "apps/tls_choice.hpp"

namespace driftless::app {
namespace {

bool is_this_machine(const std::string& address) {
  const std::string host = address.substr(0, address.rfind(':'));
  return host == "localhost" || host == "[::1]" || host.starts_with("127.");
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

TlsTexts texts_of(const TlsFiles& files) { return {files.certificate, files.key, files.authority}; }

}  // namespace driftless::app
