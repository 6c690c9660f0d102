// The folder of one site or server: key.pem, cert.pem, ca.pem and, for servers, crl.pem.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace driftless {

struct CertificateFolder {
  std::filesystem::path folder;

  std::filesystem::path key() const { return folder / "key.pem"; }
  std::filesystem::path certificate() const { return folder / "cert.pem"; }
  std::filesystem::path authority() const { return folder / "ca.pem"; }
  std::filesystem::path revocations() const { return folder / "crl.pem"; }
};

// Files that are written under temporary names and then renamed together. The destructor removes those that were not.
class DraftFiles {
 public:
  DraftFiles();
  ~DraftFiles();
  DraftFiles(const DraftFiles&) = delete;
  DraftFiles& operator=(const DraftFiles&) = delete;

  void add(const std::filesystem::path& target, const std::string& bytes, unsigned mode);
  void rename_all();  // replaces existing files

 private:
  std::filesystem::path draft_of(const std::filesystem::path& target) const;

  std::string ending_;
  std::vector<std::filesystem::path> targets_;
};

}  // namespace driftless
