#include "driftless/secure_sum/announcement.hpp"

namespace driftless {

std::string signed_text(const Announcement& announcement, const std::string& run) {
  std::string text = "driftless secure sum\n" + run + "\n" + announcement.site + "\n" + bytes_of(announcement.open_key);
  for (const Secret& digest : announcement.share_digests) text += bytes_of(digest);
  return text;
}

}  // namespace driftless
