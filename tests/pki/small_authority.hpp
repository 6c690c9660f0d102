// A CA in its own folder, and OpenSSL's verdict on its certificates.
#pragma once

#include "driftless/pki/certificate_authority.hpp"
#include "driftless/pki/pem.hpp"
#include "driftless/pki/tls_folder.hpp"

#include "tests/support/temp_folder.hpp"

#include <openssl/x509_vfy.h>

namespace driftless {

inline unsigned mode_of(const std::filesystem::path& path) {
  return static_cast<unsigned>(std::filesystem::status(path).permissions()) & 07777U;
}

struct SmallAuthority {
  TempFolder temporary;
  std::filesystem::path folder;
  Instant now = current_instant();

  explicit SmallAuthority(const std::string& name = "Test CA", int days = 3650) : folder(temporary / "ca") {
    create_authority({.folder = folder, .name = name, .days = days, .now = now});
  }

  IssueRequest request(const std::string& name) const {
    const SubjectKind kind = name == "server" ? SubjectKind::server : SubjectKind::site;
    return {.folder = folder, .subject = {.name = name, .kind = kind}, .out = {}, .now = now};
  }

  Issue issue(const std::string& name) const { return issue_certificate(request(name)); }

  Issue renew(const std::string& name) const {
    IssueRequest again = request(name);
    again.renew = true;
    return issue_certificate(again);
  }

  std::string text(const std::string& file) const { return TempFolder::read(folder / file); }
  TlsFiles tls(const std::string& name) const { return read_tls_folder(folder / name, now); }
};

// OpenSSL's verdict, with its strictest reading of the standard; X509_V_OK is acceptance.
inline int verdict(const std::string& certificate_pem, const std::string& authority_pem, const std::string& crl_pem,
                   int purpose, Instant now) {
  const CertificateHandle certificate = certificate_in(certificate_pem);
  const CertificateHandle authority = certificate_in(authority_pem);
  const CrlHandle list = revocations_in(crl_pem);
  const StoreHandle store(X509_STORE_new());
  X509_STORE_add_cert(store.get(), authority.get());
  X509_STORE_add_crl(store.get(), list.get());
  X509_STORE_set_flags(store.get(), X509_V_FLAG_CRL_CHECK | X509_V_FLAG_X509_STRICT | X509_V_FLAG_CHECK_SS_SIGNATURE);
  X509_STORE_set_purpose(store.get(), purpose);
  X509_VERIFY_PARAM_set_time(X509_STORE_get0_param(store.get()), now.time_since_epoch().count());
  const StoreContextHandle context(X509_STORE_CTX_new());
  X509_STORE_CTX_init(context.get(), store.get(), certificate.get(), nullptr);
  X509_verify_cert(context.get());
  return X509_STORE_CTX_get_error(context.get());
}

}  // namespace driftless
