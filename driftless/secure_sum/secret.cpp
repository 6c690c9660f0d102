#include "driftless/secure_sum/secret.hpp"

#include "driftless/core/error.hpp"
#include "driftless/pki/openssl_handles.hpp"

#include <algorithm>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

namespace driftless {
namespace {

using DeriveHandle = std::unique_ptr<EVP_PKEY_CTX, ReleaseBy<EVP_PKEY_CTX_free>>;

void append_word(std::string& bytes, std::uint64_t word) {
  for (int k = 0; k < 8; ++k) bytes.push_back(static_cast<char>(word >> (8 * k) & 0xff));
}

}  // namespace

void fill_at_random(std::span<unsigned char> bytes) {
  require_openssl(RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1, "draw random bytes");
}

Secret random_secret() {
  Secret secret;
  fill_at_random(secret);
  return secret;
}

Secret derived(const Secret& key, std::string_view purpose, std::initializer_list<std::uint64_t> words) {
  std::string message;
  append_word(message, purpose.size());  // so that no purpose continues another one
  message += purpose;
  for (const std::uint64_t word : words) append_word(message, word);
  Secret result;
  unsigned int size = 0;
  const unsigned char* made =
      HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(message.data()), message.size(), result.data(), &size);
  require_openssl(made != nullptr && size == result.size(), "derive a key");
  return result;
}

Secret digest_of(std::span<const unsigned char> bytes) {
  Secret result;
  SHA256(bytes.data(), bytes.size(), result.data());
  return result;
}

ExchangeKey exchange_key(const Secret& secret) {
  const auto key = made<KeyHandle>(
      EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nullptr, secret.data(), secret.size()), "make an X25519 key");
  ExchangeKey pair{.secret = secret, .open = {}};
  std::size_t size = pair.open.size();
  require_openssl(EVP_PKEY_get_raw_public_key(key.get(), pair.open.data(), &size) == 1 && size == pair.open.size(),
                  "read an X25519 key");
  return pair;
}

Secret shared_secret(const Secret& own, const Secret& other_open) {
  const auto mine = made<KeyHandle>(EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nullptr, own.data(), own.size()),
                                    "make an X25519 key");
  const auto theirs = made<KeyHandle>(
      EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nullptr, other_open.data(), other_open.size()), "read an X25519 key");
  const auto context = made<DeriveHandle>(EVP_PKEY_CTX_new(mine.get(), nullptr), "agree on a key");
  Secret secret;
  std::size_t size = secret.size();
  const bool agreed = EVP_PKEY_derive_init(context.get()) == 1 &&
                      EVP_PKEY_derive_set_peer(context.get(), theirs.get()) == 1 &&
                      EVP_PKEY_derive(context.get(), secret.data(), &size) == 1;
  ERR_clear_error();
  if (!agreed)
    throw TransportError({.what = "a site announced a key that gives no secret",
                          .seen = "an X25519 key of small order",
                          .advice = "use the same program at all sites, and ask who runs that site"});
  return secret;
}

std::string bytes_of(const Secret& secret) { return {reinterpret_cast<const char*>(secret.data()), secret.size()}; }

bool read_secret(std::string_view bytes, Secret& secret) {
  if (bytes.size() != secret.size()) return false;
  std::ranges::copy(bytes, reinterpret_cast<char*>(secret.data()));
  return true;
}

}  // namespace driftless
