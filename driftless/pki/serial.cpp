#include "driftless/pki/serial.hpp"

#include <cctype>
#include <openssl/rand.h>

namespace driftless {
namespace {

constexpr std::size_t digits = 32;

struct ReleaseText {
  void operator()(char* text) const { OPENSSL_free(text); }
};

std::string padded(const BIGNUM& number) {
  const std::unique_ptr<char, ReleaseText> hex(BN_bn2hex(&number));
  require_openssl(hex != nullptr, "write a serial number");
  std::string text = hex.get();
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text.size() < digits ? std::string(digits - text.size(), '0') + text : text;
}

}  // namespace

std::string new_serial() {
  // OpenSSL's generator, not a Stream: a serial number must be unpredictable, and no result depends on it.
  std::array<unsigned char, digits / 2> bytes{};
  require_openssl(RAND_bytes(bytes.data(), bytes.size()) == 1, "draw a random number");
  return padded(*made<BigNumberHandle>(BN_bin2bn(bytes.data(), bytes.size(), nullptr), "hold a serial number"));
}

bool is_serial(const std::string& text) {
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

IntegerHandle serial_number(const std::string& serial) {
  DRIFTLESS_ASSERT(is_serial(serial), "not a serial number: " + serial);
  BIGNUM* number = nullptr;
  require_openssl(BN_hex2bn(&number, serial.c_str()) != 0, "read a serial number");
  const BigNumberHandle owned(number);
  return made<IntegerHandle>(BN_to_ASN1_INTEGER(number, nullptr), "hold a serial number");
}

std::string serial_text(const ASN1_INTEGER& number) {
  return padded(*made<BigNumberHandle>(ASN1_INTEGER_to_BN(&number, nullptr), "read a serial number"));
}

}  // namespace driftless
