#include "driftless/pki/certificate.hpp"

#include "driftless/pki/pem.hpp"
#include "driftless/pki/serial.hpp"

#include <arpa/inet.h>
#include <ctime>

namespace driftless {
namespace {

std::string text_of(const ASN1_STRING& value) {
  unsigned char* bytes = nullptr;
  const int size = ASN1_STRING_to_UTF8(&bytes, &value);
  if (size < 0) return "";
  std::string text(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  OPENSSL_free(bytes);
  return text;
}

std::string common_name(const X509_NAME* name) {
  const int at = X509_NAME_get_index_by_NID(name, NID_commonName, -1);
  return at < 0 ? "" : text_of(*X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, at)));
}

Instant instant_of(const ASN1_TIME* time) {
  std::tm parts{};
  require_openssl(ASN1_TIME_to_tm(time, &parts) == 1, "read a date");
  return Instant{std::chrono::seconds(::timegm(&parts))};
}

std::string address_text(const ASN1_OCTET_STRING& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const int family = ASN1_STRING_length(&address) == sizeof(in_addr) ? AF_INET : AF_INET6;
  const bool whole = family == AF_INET || ASN1_STRING_length(&address) == sizeof(in6_addr);
  if (whole) ::inet_ntop(family, ASN1_STRING_get0_data(&address), text.data(), text.size());
  return text.data();
}

std::vector<std::string> hosts_of(const X509& certificate) {
  const GeneralNamesHandle names(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)));
  std::vector<std::string> hosts;
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME& name = *sk_GENERAL_NAME_value(names.get(), i);
    if (name.type == GEN_DNS) hosts.push_back(text_of(*name.d.dNSName));
    if (name.type == GEN_IPADD) hosts.push_back(address_text(*name.d.iPAddress));
  }
  return hosts;
}

}  // namespace

CertificateFacts facts_of(const std::string& pem, const std::string& location) {
  const CertificateHandle certificate = certificate_in(pem);
  require_pem(certificate != nullptr, "a certificate", location);
  // Without the extension OpenSSL reports every use.
  const bool states_use = X509_get_ext_by_NID(certificate.get(), NID_ext_key_usage, -1) >= 0;
  return {.name = common_name(X509_get_subject_name(certificate.get())),
          .serial = serial_text(*X509_get0_serialNumber(certificate.get())),
          .not_before = instant_of(X509_get0_notBefore(certificate.get())),
          .not_after = instant_of(X509_get0_notAfter(certificate.get())),
          .is_server = states_use && (X509_get_extended_key_usage(certificate.get()) & XKU_SSL_SERVER) != 0,
          .hosts = hosts_of(*certificate),
          .issuer = common_name(X509_get_issuer_name(certificate.get()))};
}

}  // namespace driftless
