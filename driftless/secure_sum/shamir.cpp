#include "driftless/secure_sum/shamir.hpp"

#include "driftless/core/check.hpp"

namespace driftless {
namespace {

using Byte = unsigned char;

// The field with 256 elements, by the polynomial x⁸ + x⁴ + x³ + x + 1. Without tables and branches, so that the time of
// an operation does not tell its operands.
Byte product(Byte a, Byte b) {
  unsigned result = 0, left = a, right = b;
  for (int bit = 0; bit < 8; ++bit) {
    result ^= left & (0U - (right & 1U));
    left = (left << 1U) ^ (0x11bU & (0U - (left >> 7U & 1U)));
    right >>= 1U;
  }
  return static_cast<Byte>(result);
}

// a²⁵⁴
Byte inverse(Byte a) {
  Byte result = 1, power = a;
  for (int bit = 1; bit < 8; ++bit) {
    power = product(power, power);
    result = product(result, power);
  }
  return result;
}

Byte point_of(std::size_t holder) { return static_cast<Byte>(holder + 1); }  // 0 is the secret

}  // namespace

std::vector<Secret> split_secret(const Secret& secret, std::size_t holders, std::size_t threshold) {
  DRIFTLESS_ASSERT(threshold >= 1 && threshold <= holders && holders <= most_shares, "shares that cannot be made");
  std::vector<Secret> coefficients{secret};
  for (std::size_t k = 1; k < threshold; ++k) coefficients.push_back(random_secret());
  std::vector<Secret> shares(holders);
  for (std::size_t holder = 0; holder < holders; ++holder)
    for (std::size_t byte = 0; byte < secret.size(); ++byte) {
      Byte value = 0;
      for (std::size_t k = threshold; k-- > 0;)
        value = static_cast<Byte>(product(value, point_of(holder)) ^ coefficients[k][byte]);
      shares[holder][byte] = value;
    }
  return shares;
}

Secret combined_secret(const std::map<std::size_t, Secret>& shares) {
  Secret secret{};
  for (const auto& [holder, share] : shares) {
    Byte weight = 1;  // of Lagrange's interpolation at 0
    for (const auto& [other, unused] : shares)
      if (other != holder)
        weight = product(weight, product(point_of(other), inverse(point_of(other) ^ point_of(holder))));
    for (std::size_t byte = 0; byte < secret.size(); ++byte)
      secret[byte] = static_cast<Byte>(secret[byte] ^ product(weight, share[byte]));
  }
  return secret;
}

}  // namespace driftless
