// Files appear complete or not at all: they are written under a temporary name and then renamed.
#pragma once

#include <filesystem>
#include <fstream>
#include <string_view>

namespace driftless {

// `synced`: on the disk before the call returns, so that the file survives a loss of power.
enum class Durability { written, synced };

// Replaces an existing file. DataError if the folder is missing or cannot be written to.
void write_output_file(const std::filesystem::path& path, std::string_view bytes,
                       Durability durability = Durability::written);

// The same for a file that is written bit by bit: it appears, or replaces an existing one, with `finish`. Without that,
// nothing is left of it.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);  // DataError as above, here or in finish()
  void finish(Durability durability = Durability::written);

 private:
  std::filesystem::path path_;
  std::filesystem::path draft_;
  std::ofstream file_;
  bool finished_ = false;
};

// The temporary name of a file while it is written; a process that is killed leaves it behind.
bool is_draft(const std::filesystem::path& path);
bool is_draft_of(const std::filesystem::path& path, std::string_view name);  // of the file with this name

// Writes the content of a file, or the entries of a folder, to the disk. DataError if that fails.
void sync_to_disk(const std::filesystem::path& path);
void sync_folder(const std::filesystem::path& folder);  // and all files in it

}  // namespace driftless
