#include "driftless/peers/site_masks.hpp"

#include "driftless/pki/certificate.hpp"
#include "driftless/pki/verify.hpp"

namespace driftless {
namespace {

// Why this is not what the site of the announcement has signed.
std::optional<std::string> signature_fault(const Announcement& announcement, const std::string& text,
                                           const Trust& trust) {
  if (auto reason = rejection_reason(announcement.certificate, trust, SubjectKind::site, current_instant()))
    return reason;
  const std::string name = facts_of(announcement.certificate, "a certificate that a site sent").name;
  if (name != announcement.site) return "the certificate is that of '" + name + "'";
  if (!is_signature_of(announcement.certificate, text, announcement.signature)) return "the signature is wrong";
  return std::nullopt;
}

}  // namespace

SecureSumOptions masks_of_site(const SiteOffer& offer, const RunConfig& config, const std::optional<TlsFiles>& tls,
                               const std::filesystem::path& folder) {
  SecureSumOptions options{.run = offer.run,
                           .sites = config.network.sites,
                           .own = offer.layout.rank - 1,
                           .threshold = unmask_threshold(config.network),
                           .folder = folder,
                           .certificate = {}};
  if (!tls) return options;
  options.certificate = tls->certificate;
  options.sign = [key = tls->key](const std::string& text) { return sign_text(key, text); };
  options.check = [trust = Trust{.authority = tls->authority, .revocations = tls->revocations}](
                      const Announcement& announcement, const std::string& text) {
    return signature_fault(announcement, text, trust);
  };
  return options;
}

std::vector<std::vector<ClientId>> clients_of_sites(const RunConfig& config) {
  std::vector<std::vector<ClientId>> clients;
  for (SiteSlot& slot : site_slots(config.network, config.clients())) clients.push_back(std::move(slot.hosted));
  return clients;
}

}  // namespace driftless
