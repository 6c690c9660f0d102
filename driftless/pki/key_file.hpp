// Files that nobody else may read.
#pragma once

#include "driftless/pki/openssl_handles.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace driftless {

inline constexpr unsigned private_mode = 0600;
inline constexpr unsigned public_mode = 0644;

KeyHandle new_key();  // EC P-256

// A file that did not exist, with its mode from the first moment. ConfigError if it cannot be made.
void write_new_file(const std::filesystem::path& path, std::string_view bytes, unsigned mode);

// A folder for keys, 0700; one that is there stays as it is. ConfigError if it cannot be made.
void make_private_folder(const std::filesystem::path& folder);

// ConfigError if anyone but the owner may read it, with the command that changes it.
std::string read_key_file(const std::filesystem::path& path);

}  // namespace driftless
