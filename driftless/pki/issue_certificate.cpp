#include "driftless/core/error.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/pki/authority_folder.hpp"
#include "driftless/pki/certificate.hpp"
#include "driftless/pki/certificate_authority.hpp"
#include "driftless/pki/key_file.hpp"
#include "driftless/pki/party_folder.hpp"
#include "driftless/pki/pem.hpp"
#include "driftless/pki/serial.hpp"

#include <algorithm>
#include <ranges>
#include <system_error>

namespace driftless {
namespace {

namespace fs = std::filesystem;

// Those of the same name, newest last.
std::vector<IssuedCertificate> earlier_of(const IssueRecord& record, const std::string& name) {
  std::vector<IssuedCertificate> earlier;
  for (const IssuedCertificate& issued : record.certificates)
    if (issued.party.name == name) earlier.push_back(issued);
  return earlier;
}

void require_same_kind(const Party& party, const std::vector<IssuedCertificate>& earlier) {
  if (earlier.empty() || earlier.back().party.kind == party.kind) return;
  const bool was_server = party.kind == PartyKind::site;
  throw ConfigError({.what = "this name belongs to a " + kind_name(earlier.back().party.kind) + " of this CA",
                     .seen = "--site " + party.name,
                     .advice = was_server ? "add --server, or choose another name" : "choose another name"});
}

void require_leave_to_renew(const IssueRequest& request, const std::vector<IssuedCertificate>& valid) {
  if (valid.empty() || request.renew) return;
  throw ConfigError({.what = "'" + request.party.name + "' has a valid certificate",
                     .seen = "--site " + request.party.name + ": serial " + valid.back().serial + ", valid until " +
                             utc_text(valid.back().not_after),
                     .advice = "add --renew to issue another; the old one stays valid until you revoke it"});
}

// A key is replaced only by another one for the same party of the same CA.
void require_own_folder(const PartyFiles& files, const std::string& name, const IssueRecord& record) {
  std::error_code error;
  if (!fs::exists(files.key(), error) && !fs::exists(files.certificate(), error)) return;
  const auto is_own = [&](const IssuedCertificate& issued) {
    const std::string serial = facts_of(read_input_file(files.certificate()), files.certificate().string()).serial;
    return issued.party.name == name && issued.serial == serial;
  };
  if (fs::exists(files.certificate(), error) && std::ranges::any_of(record.certificates, is_own)) return;
  throw ConfigError({.what = "this folder holds a key of someone else, and it is not overwritten",
                     .seen = files.folder.string(),
                     .advice = "name another folder with --out, or move the files away"});
}

Party with_hosts(Party party, const std::vector<IssuedCertificate>& earlier) {
  if (party.kind == PartyKind::server && party.hosts.empty())
    party.hosts = earlier.empty() ? hosts_of_this_machine() : earlier.back().party.hosts;
  return party;
}

IssuedCertificate terms_of(const IssueRequest& request, const Party& party, Instant authority_end) {
  return {.serial = new_serial(),
          .party = party,
          .not_before = request.now - clock_skew,
          .not_after = std::min(request.now + std::chrono::days(request.days), authority_end)};
}

}  // namespace

Issue issue_certificate(const IssueRequest& request) {
  check_party(request.party);
  check_days(request.days);
  SigningSession authority(request.folder, request.now);
  const std::vector<IssuedCertificate> earlier = earlier_of(authority.record, request.party.name);
  std::vector<IssuedCertificate> valid = earlier;
  std::erase_if(valid, [&](const IssuedCertificate& issued) { return !issued.valid_at(request.now); });
  require_same_kind(request.party, earlier);
  require_leave_to_renew(request, valid);
  const PartyFiles files{request.out.empty() ? request.folder / request.party.name : request.out};
  require_own_folder(files, request.party.name, authority.record);

  const IssuedCertificate issued = terms_of(request, with_hosts(request.party, earlier), authority.not_after());
  const KeyHandle key = new_key();
  const CertificateHandle certificate =
      sign_party(issued.party, issued.serial, *key, authority.signer(), {issued.not_before, issued.not_after});
  make_private_folder(files.folder);
  DraftFiles drafts;
  drafts.add(files.key(), pem_of(*key), private_mode);
  drafts.add(files.certificate(), pem_of(*certificate), public_mode);
  drafts.add(files.authority(), authority.certificate_pem(), public_mode);
  if (issued.party.kind == PartyKind::server)
    drafts.add(files.revocations(), read_input_file(authority.files().revocations()), public_mode);
  authority.record.certificates.push_back(issued);
  authority.write_record();
  drafts.commit();
  return {.certificate = issued,
          .out = files.folder,
          .still_valid = valid,
          .ends_with_authority = issued.not_after < request.now + std::chrono::days(request.days)};
}

}  // namespace driftless
