// Files appear whole or not at all: written in the same folder under another name, then renamed.
#pragma once

#include <filesystem>
#include <string_view>

namespace driftless {

// `synced`: on the disk itself before the call returns, so that it outlives a machine that loses its power.
enum class Durability { written, synced };

// Replaces an existing file. DataError if the folder is missing or cannot be written to.
void write_output_file(const std::filesystem::path& path, std::string_view bytes,
                       Durability durability = Durability::written);

// The name a file has while it is written; a process that is killed leaves it behind.
bool is_draft(const std::filesystem::path& path);
bool is_draft_of(const std::filesystem::path& path, std::string_view name);  // of the file with this name

// Brings to the disk what was written to a file, or which files a folder has. DataError if that fails.
void sync_to_disk(const std::filesystem::path& path);
void sync_folder(const std::filesystem::path& folder);  // with all files in it

}  // namespace driftless
