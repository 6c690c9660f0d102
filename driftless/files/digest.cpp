#include "driftless/files/digest.hpp"

#include "driftless/core/check.hpp"

#include <array>
#include <bit>
#include <openssl/evp.h>

namespace driftless {

void Sha256::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  const bool ready = context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1;
  DRIFTLESS_ASSERT(ready, "SHA-256 is not available");
}

Sha256& Sha256::add(std::string_view bytes) {
  DRIFTLESS_ASSERT(context_, "a digest that has ended was extended");
  DRIFTLESS_ASSERT(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1, "SHA-256 failed");
  return *this;
}

Sha256& Sha256::add_word(std::uint64_t word) {
  std::array<char, 8> bytes{};
  for (char& byte : bytes) {
    byte = static_cast<char>(word & 0xFFU);
    word >>= 8;
  }
  return add({bytes.data(), bytes.size()});
}

Sha256& Sha256::add_number(double value) { return add_word(std::bit_cast<std::uint64_t>(value)); }

std::string Sha256::hex() {
  DRIFTLESS_ASSERT(context_, "a digest was ended twice");
  const Context last = std::move(context_);
  return finished(last.get());
}

std::string Sha256::hex_so_far() const {
  DRIFTLESS_ASSERT(context_, "a digest that has ended was read");
  const Context copy(EVP_MD_CTX_new());
  DRIFTLESS_ASSERT(copy && EVP_MD_CTX_copy_ex(copy.get(), context_.get()) == 1, "SHA-256 failed");
  return finished(copy.get());
}

std::string Sha256::finished(evp_md_ctx_st* context) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned int size = 0;
  DRIFTLESS_ASSERT(EVP_DigestFinal_ex(context, bytes.data(), &size) == 1, "SHA-256 failed");
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 0x0FU];
  }
  return text;
}

std::string sha256(std::string_view bytes) { return Sha256().add(bytes).hex(); }

std::string short_hash(std::string_view text) {
  constexpr std::size_t digits = 8;
  return sha256(text).substr(0, digits);
}

}  // namespace driftless
