#include "driftless/files/input_file.hpp"
#include "driftless/pki/authority_folder.hpp"
#include "driftless/pki/certificate.hpp"
#include "driftless/pki/certificate_authority.hpp"
#include "driftless/pki/pem.hpp"
#include "driftless/pki/serial.hpp"

#include <set>

namespace driftless {
namespace {

std::set<std::string> serials_in(const X509_CRL& list) {
  std::set<std::string> serials;
  STACK_OF(X509_REVOKED)* const entries = X509_CRL_get_REVOKED(const_cast<X509_CRL*>(&list));
  for (int i = 0; i < sk_X509_REVOKED_num(entries); ++i)
    serials.insert(serial_text(*X509_REVOKED_get0_serialNumber(sk_X509_REVOKED_value(entries, i))));
  return serials;
}

}  // namespace

AuthorityFacts read_authority(const std::filesystem::path& folder) {
  const AuthorityFiles files{folder};
  require_authority(files);
  const std::string pem = read_input_file(files.certificate());
  const CertificateFacts facts = facts_of(pem, files.certificate().string());
  AuthorityFacts authority{.name = facts.name, .not_after = facts.not_after, .record = read_record(files, pem)};
  const CrlHandle list = revocations_in(read_input_file(files.revocations()));
  std::set<std::string> revoked;
  for (const IssuedCertificate& issued : authority.record.certificates)
    if (issued.revoked) revoked.insert(issued.serial);
  authority.crl_is_current = list != nullptr && serials_in(*list) == revoked;
  return authority;
}

}  // namespace driftless
