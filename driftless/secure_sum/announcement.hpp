// What a site tells all others before a run with masks: its key, and digests by which the shares of its secret are
// checked. The server passes it on, so it is signed with the certificate of the site.
#pragma once

#include "driftless/files/sealed_bytes.hpp"
#include "driftless/secure_sum/secret.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace driftless {

struct Announcement {
  std::string site;
  Secret open_key{};
  std::vector<Secret> share_digests;  // by holder; empty where no site may be lost
  std::string certificate;            // PEM; empty without TLS
  std::string signature;

  bool operator==(const Announcement&) const = default;
};

// What the signature covers: all but the certificate, for this run alone.
std::string signed_text(const Announcement& announcement, const std::string& run);

// In a file.
void put_text(std::string& bytes, std::string_view text);  // with its length
void put_secrets(std::string& bytes, const std::vector<Secret>& secrets);
void put(std::string& bytes, const Announcement& announcement);
std::string take_text(ByteReader& reader);
std::vector<Secret> take_secrets(ByteReader& reader);
Announcement take_announcement(ByteReader& reader);

// Signs with the key of the certificate of this site.
using SignText = std::function<std::string(const std::string& text)>;
// Why the signature is not that of the site which is named; none where it is.
using CheckSignature =
    std::function<std::optional<std::string>(const Announcement& announcement, const std::string& text)>;

}  // namespace driftless
