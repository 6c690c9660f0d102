#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/pki/authority_folder.hpp"
#include "driftless/pki/certificate_authority.hpp"
#include "driftless/pki/certificate_folder.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <system_error>

namespace driftless {
namespace {

namespace fs = std::filesystem;

// Accepts the forms that other programs print: upper case, with colons.
std::string plain_serial(std::string text) {
  std::erase(text, ':');
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

[[noreturn]] void fail_unknown(const RevokeRequest& request, const IssueRecord& record) {
  std::vector<std::string> names;
  for (const IssuedCertificate& issued : record.certificates) names.push_back(issued.subject.name);
  const std::string near = request.site.empty() ? "" : nearest(request.site, names);
  throw ConfigError({.what = "this CA has issued no such certificate",
                     .seen = request.site.empty() ? "--serial " + request.serial : "--site " + request.site,
                     .advice = (near.empty() ? "" : "did you mean '" + near + "'? ") +
                               std::string("see 'driftless pki list --ca ") + request.folder.string() + "'"});
}

// The lists of servers whose folders are in the folder of the CA, where `issue` writes them by default.
std::set<fs::path> lists_beside(const AuthorityFiles& files, const IssueRecord& record) {
  std::set<fs::path> lists;
  for (const IssuedCertificate& issued : record.certificates) {
    const fs::path list = CertificateFolder{files.folder / issued.subject.name}.revocations();
    std::error_code error;
    if (issued.subject.kind == SubjectKind::server && fs::exists(list, error)) lists.insert(list);
  }
  return lists;
}

}  // namespace

Revoked revoke_certificates(const RevokeRequest& request) {
  SigningSession authority(request.folder, request.now);
  const std::string serial = plain_serial(request.serial);
  Revoked result;
  bool known = false;
  for (IssuedCertificate& issued : authority.record.certificates) {
    const bool meant = request.site.empty() ? issued.serial == serial : issued.subject.name == request.site;
    known = known || meant;
    if (!meant || issued.revoked) continue;
    issued.revoked = request.now;
    result.certificates.push_back(issued);
  }
  if (!known) fail_unknown(request, authority.record);
  // The record first: every list is made from it, so the next list would lack a revocation that is not recorded.
  ++authority.record.crl_number;
  authority.write_record();
  const std::string list =
      revocations_pem(authority.record, authority.signer(), {request.now - clock_skew, authority.not_after()});
  result.lists.push_back(authority.files().revocations());
  for (const fs::path& copy : lists_beside(authority.files(), authority.record)) result.lists.push_back(copy);
  for (const fs::path& file : result.lists) write_output_file(file, list);
  return result;
}

}  // namespace driftless
