#include "driftless/secure_sum/sealed_share.hpp"

#include "driftless/pki/openssl_handles.hpp"

namespace driftless {
namespace {

using CipherHandle = std::unique_ptr<EVP_CIPHER_CTX, ReleaseBy<EVP_CIPHER_CTX_free>>;

constexpr std::size_t tag_size = 16;
constexpr std::array<unsigned char, 12> nonce{};  // the key is new for every share

}  // namespace

std::string sealed_share(const Secret& key, const Secret& share) {
  const auto cipher = made<CipherHandle>(EVP_CIPHER_CTX_new(), "make a cipher");
  Secret hidden;
  std::array<unsigned char, tag_size> tag{};
  int size = 0, rest = 0;
  const bool sealed =
      EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key.data(), nonce.data()) == 1 &&
      EVP_EncryptUpdate(cipher.get(), hidden.data(), &size, share.data(), static_cast<int>(share.size())) == 1 &&
      EVP_EncryptFinal_ex(cipher.get(), hidden.data() + size, &rest) == 1 &&
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, tag_size, tag.data()) == 1;
  require_openssl(sealed, "seal a share");
  return bytes_of(hidden) + std::string(tag.begin(), tag.end());
}

std::optional<Secret> opened_share(const Secret& key, std::string_view sealed) {
  Secret hidden, share;
  if (sealed.size() != hidden.size() + tag_size) return std::nullopt;
  read_secret(sealed.substr(0, hidden.size()), hidden);
  std::string tag(sealed.substr(hidden.size()));
  const auto cipher = made<CipherHandle>(EVP_CIPHER_CTX_new(), "make a cipher");
  int size = 0, rest = 0;
  const bool opened =
      EVP_DecryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key.data(), nonce.data()) == 1 &&
      EVP_DecryptUpdate(cipher.get(), share.data(), &size, hidden.data(), static_cast<int>(hidden.size())) == 1 &&
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, tag_size, tag.data()) == 1 &&
      EVP_DecryptFinal_ex(cipher.get(), share.data() + size, &rest) == 1;
  ERR_clear_error();
  return opened ? std::optional(share) : std::nullopt;
}

}  // namespace driftless
