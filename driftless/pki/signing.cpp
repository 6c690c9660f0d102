#include "driftless/pki/signing.hpp"

#include "driftless/pki/serial.hpp"

namespace driftless {
namespace {

TimeHandle time_of(Instant moment) {
  return made<TimeHandle>(ASN1_TIME_set(nullptr, moment.time_since_epoch().count()), "hold a date");
}

struct Extension {
  int kind;
  std::string value;  // as in OpenSSL's configuration files
};

void add_extensions(X509& certificate, X509* issuer, const std::vector<Extension>& extensions) {
  X509V3_CTX context{};
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, &certificate, nullptr, nullptr, 0);
  for (const auto& [kind, value] : extensions) {
    const auto extension = made<ExtensionHandle>(X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()),
                                                 "make an extension of a certificate");
    require_openssl(X509_add_ext(&certificate, extension.get(), -1) == 1, "add an extension to a certificate");
  }
}

// Everything but extensions and signature.
CertificateHandle unsigned_certificate(const std::string& name, const std::string& serial, EVP_PKEY& key,
                                       const Validity& validity) {
  CertificateHandle certificate = made<CertificateHandle>(X509_new(), "make a certificate");
  X509* const c = certificate.get();
  const auto* bytes = reinterpret_cast<const unsigned char*>(name.data());
  const bool filled = X509_set_version(c, X509_VERSION_3) == 1 &&
                      X509_set_serialNumber(c, serial_number(serial).get()) == 1 &&
                      X509_set1_notBefore(c, time_of(validity.from).get()) == 1 &&
                      X509_set1_notAfter(c, time_of(validity.until).get()) == 1 && X509_set_pubkey(c, &key) == 1 &&
                      X509_NAME_add_entry_by_NID(X509_get_subject_name(c), NID_commonName, MBSTRING_UTF8, bytes,
                                                 static_cast<int>(name.size()), -1, 0) == 1;
  require_openssl(filled, "fill in a certificate");
  return certificate;
}

std::string alternative_names(const std::vector<std::string>& hosts) {
  std::string list;
  for (const std::string& host : hosts)
    list += (list.empty() ? "" : ",") + (is_address(host) ? "IP:" + host : "DNS:" + host);
  return list;
}

void sign(X509& certificate, EVP_PKEY& key) {
  require_openssl(X509_sign(&certificate, &key, EVP_sha256()) != 0, "sign a certificate");
}

void revoke_in(X509_CRL& list, const Revocation& revocation) {
  RevokedHandle entry = made<RevokedHandle>(X509_REVOKED_new(), "make an entry of a revocation list");
  const bool filled = X509_REVOKED_set_serialNumber(entry.get(), serial_number(revocation.serial).get()) == 1 &&
                      X509_REVOKED_set_revocationDate(entry.get(), time_of(revocation.when).get()) == 1;
  require_openssl(filled && X509_CRL_add0_revoked(&list, entry.get()) == 1, "enter a revocation");
  [[maybe_unused]] const X509_REVOKED* owned_by_list = entry.release();
}

void add_list_extensions(X509_CRL& list, std::uint64_t number, X509* issuer) {
  X509V3_CTX context{};
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, nullptr, nullptr, &list, 0);
  const auto signed_by =
      made<ExtensionHandle>(X509V3_EXT_conf_nid(nullptr, &context, NID_authority_key_identifier, "keyid:always"),
                            "name the signer of a list");
  const IntegerHandle value = made<IntegerHandle>(ASN1_INTEGER_new(), "make a number");
  const bool added = ASN1_INTEGER_set_uint64(value.get(), number) == 1 &&
                     X509_CRL_add_ext(&list, signed_by.get(), -1) == 1 &&
                     X509_CRL_add1_ext_i2d(&list, NID_crl_number, value.get(), 0, 0) == 1;
  require_openssl(added, "number a revocation list");
}

}  // namespace

CertificateHandle sign_authority(const std::string& name, EVP_PKEY& key, const Validity& validity) {
  CertificateHandle certificate = unsigned_certificate(name, new_serial(), key, validity);
  require_openssl(X509_set_issuer_name(certificate.get(), X509_get_subject_name(certificate.get())) == 1,
                  "name the CA");
  add_extensions(*certificate, certificate.get(),
                 {{NID_basic_constraints, "critical,CA:TRUE,pathlen:0"},
                  {NID_key_usage, "critical,keyCertSign,cRLSign"},
                  {NID_subject_key_identifier, "hash"},
                  {NID_authority_key_identifier, "keyid:always"}});
  sign(*certificate, key);
  return certificate;
}

CertificateHandle sign_certificate(const CertificateSubject& subject, const std::string& serial, EVP_PKEY& key,
                                   const Signer& signer, const Validity& validity) {
  const bool server = subject.kind == SubjectKind::server;
  CertificateHandle certificate = unsigned_certificate(subject.name, serial, key, validity);
  require_openssl(X509_set_issuer_name(certificate.get(), X509_get_subject_name(signer.certificate)) == 1,
                  "name the issuer");
  std::vector<Extension> extensions{{NID_basic_constraints, "critical,CA:FALSE"},
                                    {NID_key_usage, "critical,digitalSignature"},
                                    {NID_ext_key_usage, server ? "serverAuth" : "clientAuth"},
                                    {NID_subject_key_identifier, "hash"},
                                    {NID_authority_key_identifier, "keyid:always"}};
  if (!subject.hosts.empty()) extensions.push_back({NID_subject_alt_name, alternative_names(subject.hosts)});
  add_extensions(*certificate, signer.certificate, extensions);
  sign(*certificate, *signer.key);
  return certificate;
}

CrlHandle sign_revocations(std::span<const Revocation> revocations, std::uint64_t number, const Signer& signer,
                           const Validity& validity) {
  CrlHandle list = made<CrlHandle>(X509_CRL_new(), "make a revocation list");
  const bool filled = X509_CRL_set_version(list.get(), X509_CRL_VERSION_2) == 1 &&
                      X509_CRL_set_issuer_name(list.get(), X509_get_subject_name(signer.certificate)) == 1 &&
                      X509_CRL_set1_lastUpdate(list.get(), time_of(validity.from).get()) == 1 &&
                      X509_CRL_set1_nextUpdate(list.get(), time_of(validity.until).get()) == 1;
  require_openssl(filled, "fill in a revocation list");
  for (const Revocation& revocation : revocations) revoke_in(*list, revocation);
  add_list_extensions(*list, number, signer.certificate);
  X509_CRL_sort(list.get());
  require_openssl(X509_CRL_sign(list.get(), signer.key, EVP_sha256()) != 0, "sign a revocation list");
  return list;
}

}  // namespace driftless
