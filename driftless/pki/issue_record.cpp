#include "driftless/pki/issue_record.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/site_name.hpp"
#include "driftless/pki/serial.hpp"

#include <nlohmann/json.hpp>
#include <set>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t schema_version = 1;

class Reader {
 public:
  explicit Reader(std::string location) : location_(std::move(location)) {}

  IssueRecord read(const std::string& content) const;

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& seen) const {
    throw DataError({.what = "the record of the CA " + what,
                     .seen = location_ + ": " + seen,
                     .advice = "restore index.json from a copy; without one, make a new CA in another folder with "
                               "'driftless pki init' and issue every certificate again"});
  }

  const Json& member(const Json& object, const std::string& key) const {
    if (!object.is_object() || !object.contains(key)) fail("is incomplete", "no key '" + key + "'");
    return object[key];
  }

  template <class T>
  T value(const Json& object, const std::string& key, bool (Json::*is_kind)() const noexcept) const {
    const Json& found = member(object, key);
    if (!(found.*is_kind)())
      fail("has a value of the wrong kind", key + " = " + found.dump(-1, ' ', false, Json::error_handler_t::replace));
    return found.get<T>();
  }

  std::string text(const Json& object, const std::string& key) const {
    return value<std::string>(object, key, &Json::is_string);
  }

  Instant moment(const Json& object, const std::string& key) const {
    const std::string written = text(object, key);
    const std::optional<Instant> read = parse_utc(written);
    if (!read) fail("has a value of the wrong kind", key + " = " + written + ", no time in UTC");
    return *read;
  }

  CertificateSubject subject(const Json& entry) const;
  IssuedCertificate certificate(const Json& entry) const;

  std::string location_;
};

CertificateSubject Reader::subject(const Json& entry) const {
  const std::string kind = text(entry, "kind");
  if (kind != "site" && kind != "server") fail("has a value of the wrong kind", "kind = " + kind);
  CertificateSubject subject{.name = text(entry, "site"),
                             .kind = kind == "server" ? SubjectKind::server : SubjectKind::site};
  if (!is_site_name(subject.name)) fail("names an invalid site", "site = " + subject.name);
  for (const Json& host : value<Json>(entry, "hosts", &Json::is_array)) {
    if (!host.is_string() || !is_host(host.get<std::string>())) fail("names an invalid host", "site " + subject.name);
    subject.hosts.push_back(host.get<std::string>());
  }
  return subject;
}

IssuedCertificate Reader::certificate(const Json& entry) const {
  IssuedCertificate issued{.serial = text(entry, "serial"),
                           .subject = subject(entry),
                           .not_before = moment(entry, "not_before"),
                           .not_after = moment(entry, "not_after")};
  if (!is_serial(issued.serial)) fail("has a value of the wrong kind", "serial = " + issued.serial);
  if (issued.not_after < issued.not_before)
    fail("contradicts itself", "serial " + issued.serial + " ends before it begins");
  if (!member(entry, "revoked").is_null()) issued.revoked = moment(entry, "revoked");
  return issued;
}

IssueRecord Reader::read(const std::string& content) const {
  const Json root = Json::parse(content, nullptr, false);
  if (root.is_discarded()) fail("is damaged", "not JSON");
  const auto version = value<std::uint64_t>(root, "schema_version", &Json::is_number_unsigned);
  if (version != schema_version) fail("has a version not known here", "schema_version = " + std::to_string(version));
  IssueRecord record{.authority_digest = text(root, "authority_sha256"),
                     .crl_number = value<std::uint64_t>(root, "crl_number", &Json::is_number_unsigned)};
  std::set<std::string> serials;
  for (const Json& entry : value<Json>(root, "certificates", &Json::is_array)) {
    record.certificates.push_back(certificate(entry));
    const std::string& serial = record.certificates.back().serial;
    if (!serials.insert(serial).second) fail("contradicts itself", "serial " + serial + " occurs twice");
  }
  return record;
}

}  // namespace

std::string record_text(const IssueRecord& record) {
  Json list = Json::array();
  for (const IssuedCertificate& issued : record.certificates)
    list.push_back({{"serial", issued.serial},
                    {"site", issued.subject.name},
                    {"kind", kind_name(issued.subject.kind)},
                    {"hosts", issued.subject.hosts},
                    {"not_before", utc_text(issued.not_before)},
                    {"not_after", utc_text(issued.not_after)},
                    {"revoked", issued.revoked ? Json(utc_text(*issued.revoked)) : Json(nullptr)}});
  const Json root{{"schema_version", schema_version},
                  {"authority_sha256", record.authority_digest},
                  {"crl_number", record.crl_number},
                  {"certificates", std::move(list)}};
  return root.dump(2) + "\n";
}

IssueRecord parse_record(const std::string& text, const std::string& location) { return Reader(location).read(text); }

}  // namespace driftless
