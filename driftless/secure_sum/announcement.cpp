#include "driftless/secure_sum/announcement.hpp"

#include "driftless/secure_sum/shamir.hpp"

#include <algorithm>

namespace driftless {

std::string signed_text(const Announcement& announcement, const std::string& run) {
  std::string text = "driftless secure sum\n" + run + "\n" + announcement.site + "\n" + bytes_of(announcement.open_key);
  for (const Secret& digest : announcement.share_digests) text += bytes_of(digest);
  return text;
}

void put_text(std::string& bytes, std::string_view text) {
  append_number(bytes, static_cast<std::uint64_t>(text.size()));
  bytes += text;
}

void put_secrets(std::string& bytes, const std::vector<Secret>& secrets) {
  append_number(bytes, static_cast<std::uint64_t>(secrets.size()));
  for (const Secret& secret : secrets) bytes += bytes_of(secret);
}

void put(std::string& bytes, const Announcement& announcement) {
  put_text(bytes, announcement.site);
  put_secrets(bytes, {announcement.open_key});
  put_secrets(bytes, announcement.share_digests);
  put_text(bytes, announcement.certificate);
  put_text(bytes, announcement.signature);
}

std::string take_text(ByteReader& reader) { return std::string(reader.text(reader.number<std::uint64_t>())); }

std::vector<Secret> take_secrets(ByteReader& reader) {
  std::vector<Secret> secrets;
  const auto count = std::min<std::uint64_t>(reader.number<std::uint64_t>(), most_shares);
  for (std::uint64_t k = 0; k < count; ++k) {
    secrets.emplace_back();
    reader.fill(std::span<unsigned char>(secrets.back()));
  }
  return secrets;
}

Announcement take_announcement(ByteReader& reader) {
  Announcement result;
  result.site = take_text(reader);
  const std::vector<Secret> key = take_secrets(reader);
  if (!key.empty()) result.open_key = key.front();
  result.share_digests = take_secrets(reader);
  result.certificate = take_text(reader);
  result.signature = take_text(reader);
  return result;
}

}  // namespace driftless
