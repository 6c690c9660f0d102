// Public data sets by name: where their publisher has them and the digest by which they are recognised.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace driftless {

struct KnownData {
  std::string_view name;
  std::string_view address;  // below the publisher's folder; .bz2 where it is packed there
  std::uint64_t bytes;       // of the plain text
  std::string_view sha256;   // of the plain text
  bool confirmed;            // independent copies agree to the byte; otherwise the digest is that of one copy

  std::string url() const;
};

std::span<const KnownData> known_data();  // sorted by name

const KnownData* find_known_data(std::string_view name);  // null if there is none

}  // namespace driftless
