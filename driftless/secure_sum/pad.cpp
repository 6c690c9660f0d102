#include "driftless/secure_sum/pad.hpp"

#include "driftless/pki/openssl_handles.hpp"

#include <bit>
#include <cstdint>
#include <vector>

namespace driftless {
namespace {

using CipherHandle = std::unique_ptr<EVP_CIPHER_CTX, ReleaseBy<EVP_CIPHER_CTX_free>>;

// act(number, integer of the pad) for every number of the row; a piece of the stream stays in the cache.
template <class Act>
void with_pad(const Secret& key, std::span<double> row, const Act& act) {
  constexpr std::size_t piece = 2048;
  constexpr std::array<unsigned char, 16> first_counter{};
  const auto cipher = made<CipherHandle>(EVP_CIPHER_CTX_new(), "make a cipher");
  require_openssl(EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_ctr(), nullptr, key.data(), first_counter.data()) == 1,
                  "start a cipher");
  alignas(64) std::array<std::uint64_t, piece> stream;
  auto* const bytes = reinterpret_cast<unsigned char*>(stream.data());
  for (std::size_t first = 0; first < row.size(); first += piece) {
    const std::span<double> numbers = row.subspan(first, std::min(piece, row.size() - first));
    const std::size_t size = numbers.size_bytes();
    std::fill_n(bytes, size, static_cast<unsigned char>(0));
    int written = 0;
    require_openssl(EVP_EncryptUpdate(cipher.get(), bytes, &written, bytes, static_cast<int>(size)) == 1 &&
                        static_cast<std::size_t>(written) == size,
                    "continue a cipher");
    for (std::size_t k = 0; k < numbers.size(); ++k) act(numbers[k], stream[k]);
  }
}

std::uint64_t integer(double number) { return std::bit_cast<std::uint64_t>(number); }

}  // namespace

void add_pad(const Secret& key, std::span<double> row) {
  with_pad(key, row, [](double& number, std::uint64_t pad) { number = std::bit_cast<double>(integer(number) + pad); });
}

void subtract_pad(const Secret& key, std::span<double> row) {
  with_pad(key, row, [](double& number, std::uint64_t pad) { number = std::bit_cast<double>(integer(number) - pad); });
}

void blind_flags(const Secret& key, std::span<double> flags) {
  with_pad(key, flags, [](double& flag, std::uint64_t pad) {
    if (integer(flag) != 0) flag = std::bit_cast<double>(pad | 1U);
  });
}

}  // namespace driftless
