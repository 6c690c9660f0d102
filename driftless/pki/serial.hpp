// Serial numbers: 128 random bits, as text 32 hexadecimal digits in lower case.
#pragma once

#include "driftless/pki/openssl_handles.hpp"

#include <string>

namespace driftless {

std::string new_serial();
bool is_serial(const std::string& text);
IntegerHandle serial_number(const std::string& serial);
std::string serial_text(const ASN1_INTEGER& number);  // of any length: other CAs use shorter and longer ones

}  // namespace driftless
