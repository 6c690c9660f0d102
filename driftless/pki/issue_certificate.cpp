#include "driftless/core/error.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/pki/authority_folder.hpp"
#include "driftless/pki/certificate.hpp"
#include "driftless/pki/certificate_authority.hpp"
#include "driftless/pki/certificate_folder.hpp"
#include "driftless/pki/key_file.hpp"
#include "driftless/pki/pem.hpp"
#include "driftless/pki/serial.hpp"

#include <algorithm>
#include <ranges>
#include <system_error>

namespace driftless {
namespace {

namespace fs = std::filesystem;

// The certificates of the same name, the newest last.
std::vector<IssuedCertificate> earlier_of(const IssueRecord& record, const std::string& name) {
  std::vector<IssuedCertificate> earlier;
  for (const IssuedCertificate& issued : record.certificates)
    if (issued.subject.name == name) earlier.push_back(issued);
  return earlier;
}

void require_same_kind(const CertificateSubject& subject, const std::vector<IssuedCertificate>& earlier) {
  if (earlier.empty() || earlier.back().subject.kind == subject.kind) return;
  const bool was_server = subject.kind == SubjectKind::site;
  throw ConfigError({.what = "this name belongs to a " + kind_name(earlier.back().subject.kind) + " of this CA",
                     .seen = "--site " + subject.name,
                     .advice = was_server ? "add --server, or choose another name" : "choose another name"});
}

void require_renew_flag(const IssueRequest& request, const std::vector<IssuedCertificate>& valid) {
  if (valid.empty() || request.renew) return;
  throw ConfigError({.what = "'" + request.subject.name + "' has a valid certificate",
                     .seen = "--site " + request.subject.name + ": serial " + valid.back().serial + ", valid until " +
                             utc_text(valid.back().not_after),
                     .advice = "add --renew to issue another; the old one stays valid until you revoke it"});
}

// A key may only be replaced by one of the same subject and the same CA.
void require_own_folder(const CertificateFolder& files, const std::string& name, const IssueRecord& record) {
  std::error_code error;
  if (!fs::exists(files.key(), error) && !fs::exists(files.certificate(), error)) return;
  const auto is_own = [&](const IssuedCertificate& issued) {
    const std::string serial = facts_of(read_input_file(files.certificate()), files.certificate().string()).serial;
    return issued.subject.name == name && issued.serial == serial;
  };
  if (fs::exists(files.certificate(), error) && std::ranges::any_of(record.certificates, is_own)) return;
  throw ConfigError({.what = "this folder holds the key of another subject, and it is not overwritten",
                     .seen = files.folder.string(),
                     .advice = "give another folder with --out, or move the files away"});
}

CertificateSubject with_hosts(CertificateSubject subject, const std::vector<IssuedCertificate>& earlier) {
  if (subject.kind == SubjectKind::server && subject.hosts.empty())
    subject.hosts = earlier.empty() ? hosts_of_this_machine() : earlier.back().subject.hosts;
  return subject;
}

IssuedCertificate terms_of(const IssueRequest& request, const CertificateSubject& subject, Instant authority_end) {
  return {.serial = new_serial(),
          .subject = subject,
          .not_before = request.now - clock_skew,
          .not_after = std::min(request.now + std::chrono::days(request.days), authority_end)};
}

}  // namespace

Issue issue_certificate(const IssueRequest& request) {
  check_subject(request.subject);
  check_days(request.days);
  SigningSession authority(request.folder, request.now);
  const std::vector<IssuedCertificate> earlier = earlier_of(authority.record, request.subject.name);
  std::vector<IssuedCertificate> valid = earlier;
  std::erase_if(valid, [&](const IssuedCertificate& issued) { return !issued.valid_at(request.now); });
  require_same_kind(request.subject, earlier);
  require_renew_flag(request, valid);
  const CertificateFolder files{request.out.empty() ? request.folder / request.subject.name : request.out};
  require_own_folder(files, request.subject.name, authority.record);

  const IssuedCertificate issued = terms_of(request, with_hosts(request.subject, earlier), authority.not_after());
  const KeyHandle key = new_key();
  const CertificateHandle certificate =
      sign_certificate(issued.subject, issued.serial, *key, authority.signer(), {issued.not_before, issued.not_after});
  make_private_folder(files.folder);
  DraftFiles drafts;
  drafts.add(files.key(), pem_of(*key), private_mode);
  drafts.add(files.certificate(), pem_of(*certificate), public_mode);
  drafts.add(files.authority(), authority.certificate_pem(), public_mode);
  if (issued.subject.kind == SubjectKind::server)
    drafts.add(files.revocations(), read_input_file(authority.files().revocations()), public_mode);
  authority.record.certificates.push_back(issued);
  authority.write_record();
  drafts.rename_all();
  return {.certificate = issued,
          .out = files.folder,
          .still_valid = valid,
          .ends_with_authority = issued.not_after < request.now + std::chrono::days(request.days)};
}

}  // namespace driftless
