#include "driftless/pki/tls_folder.hpp"

#include "driftless/core/error.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/pki/certificate_folder.hpp"
#include "driftless/pki/key_file.hpp"
#include "driftless/pki/pem.hpp"
#include "driftless/pki/verify.hpp"

#include <system_error>

namespace driftless {
namespace {

namespace fs = std::filesystem;

bool is_present(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error);
}

void require_complete(const CertificateFolder& files) {
  for (const fs::path& file : {files.key(), files.certificate(), files.authority()}) {
    if (is_present(file)) continue;
    throw ConfigError({.what = "the folder with the certificates is incomplete",
                       .seen = files.folder.string() + ": no file " + file.filename().string(),
                       .advice =
                           "it needs key.pem, cert.pem and ca.pem, as 'driftless pki issue' writes them; copy the "
                           "whole folder"});
  }
}

void require_dates(const CertificateFacts& facts, const fs::path& file, Instant now) {
  if (now >= facts.not_before && now <= facts.not_after) return;
  const bool early = now < facts.not_before;
  const std::string seen = file.string() + ": valid from " + utc_text(facts.not_before) + " until " +
                           utc_text(facts.not_after) + "; the clock here says " + utc_text(now);
  throw TransportError(
      {.what = early ? "the certificate is not valid yet" : "the certificate has expired",
       .seen = seen,
       .advice = early ? "set the clock of this machine"
                       : "have it renewed with 'driftless pki issue " +
                             issue_flags(facts.name, facts.is_server ? SubjectKind::server : SubjectKind::site) +
                             " --renew' where the CA is, or set the clock of this machine if it is wrong"});
}

void require_pair(const TlsFiles& tls, const CertificateFolder& files) {
  const CertificateHandle certificate = certificate_in(tls.certificate);
  const KeyHandle key = key_in(tls.key);
  require_pem(key != nullptr, "a private key", files.key().string());
  const bool pair = X509_check_private_key(certificate.get(), key.get()) == 1;
  ERR_clear_error();
  if (!pair)
    throw TransportError({.what = "the key does not belong to the certificate",
                          .seen = files.key().string() + " and " + files.certificate().string(),
                          .advice = "copy both files from the folder that 'driftless pki issue' wrote"});
}

}  // namespace

TlsFiles read_tls_folder(const fs::path& folder, Instant now) {
  const CertificateFolder files{folder};
  require_complete(files);
  TlsFiles tls{.certificate = read_input_file(files.certificate()),
               .key = read_key_file(files.key()),
               .authority = read_input_file(files.authority()),
               .revocations = is_present(files.revocations()) ? read_input_file(files.revocations()) : ""};
  const CertificateFacts facts = facts_of(tls.certificate, files.certificate().string());
  require_pem(certificate_in(tls.authority) != nullptr, "a certificate", files.authority().string());
  require_pem(!is_present(files.revocations()) || revocations_in(tls.revocations), "a revocation list",
              files.revocations().string());
  require_pair(tls, files);
  require_dates(facts, files.certificate(), now);
  if (const auto reason = rejection_reason(tls.certificate, {tls.authority, tls.revocations}, {}, now))
    throw TransportError({.what = "the files of this folder do not fit together: " + *reason,
                          .seen = files.folder.string(),
                          .advice = "copy the whole folder that 'driftless pki issue' wrote, or have the certificate "
                                    "issued again"});
  return tls;
}

std::optional<std::string> check_peer(const std::string& peer_pem, const TlsFiles& own, Instant now) {
  const SubjectKind other = facts_of(own.certificate).is_server ? SubjectKind::site : SubjectKind::server;
  return rejection_reason(peer_pem, {own.authority, own.revocations}, other, now);
}

}  // namespace driftless
