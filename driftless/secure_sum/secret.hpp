// Secrets of a site: keys, and what is derived from them. All are 32 bytes.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace driftless {

using Secret = std::array<unsigned char, 32>;

Secret random_secret();
void fill_at_random(std::span<unsigned char> bytes);

// HMAC-SHA256 of the purpose and the words: without the key it tells nothing about other derived secrets.
Secret derived(const Secret& key, std::string_view purpose, std::initializer_list<std::uint64_t> words = {});
Secret digest_of(std::span<const unsigned char> bytes);  // SHA-256

// X25519.
struct ExchangeKey {
  Secret secret{};
  Secret open{};  // the public part
};
ExchangeKey exchange_key(const Secret& secret);
// The same at both ends. TransportError where the other key is none that an honest site could have.
Secret shared_secret(const Secret& own, const Secret& other_open);

std::string bytes_of(const Secret& secret);
// False where these are not 32 bytes.
bool read_secret(std::string_view bytes, Secret& secret);

}  // namespace driftless
