// Checks the certificates of other peers while a program runs. The revocation list is read again when its file has
// changed, so that a revocation takes effect without a restart.
#pragma once

#include "driftless/pki/tls_folder.hpp"

#include <functional>
#include <mutex>

namespace driftless {

class PeerCheck {
 public:
  // `folder` holds the files of this peer; `on_event` is called when a list was read again or cannot be used.
  PeerCheck(std::filesystem::path folder, TlsFiles own, std::function<void(const std::string&)> on_event);

  // Why the certificate (PEM) of another peer is rejected; none where it is accepted. Thread-safe.
  std::optional<std::string> rejection_of(const std::string& peer_pem);
  bool has_list();

 private:
  // Distinguishes versions of a file.
  struct Mark {
    std::uint64_t size = 0;
    std::uint64_t inode = 0;
    std::int64_t changed = 0;  // ns
    bool operator==(const Mark&) const = default;
  };
  std::optional<Mark> mark_of_list() const;
  void read_list_if_changed();

  std::filesystem::path list_;
  std::function<void(const std::string&)> on_event_;
  std::mutex mutex_;
  TlsFiles own_;
  std::optional<Mark> mark_;
};

}  // namespace driftless
