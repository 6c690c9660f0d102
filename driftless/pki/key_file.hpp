// Files that only their owner may read.
#pragma once

#include "driftless/pki/openssl_handles.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace driftless {

inline constexpr unsigned private_mode = 0600;
inline constexpr unsigned public_mode = 0644;

KeyHandle new_key();  // EC P-256

// Creates a file with this mode. ConfigError if it exists or cannot be created.
void write_new_file(const std::filesystem::path& path, std::string_view bytes, unsigned mode);

// A folder for keys with mode 0700; an existing one is not changed. ConfigError if it cannot be created.
void make_private_folder(const std::filesystem::path& folder);

// ConfigError if other users may read it; the message has the command that changes it.
std::string read_key_file(const std::filesystem::path& path);

}  // namespace driftless
