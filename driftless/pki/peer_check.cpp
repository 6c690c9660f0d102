#include "driftless/pki/peer_check.hpp"

#include "driftless/core/error.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/pki/certificate_folder.hpp"
#include "driftless/pki/pem.hpp"
#include "driftless/pki/verify.hpp"

#include <sys/stat.h>

namespace driftless {

PeerCheck::PeerCheck(std::filesystem::path folder, TlsFiles own, std::function<void(const std::string&)> on_event)
    : list_(CertificateFolder{std::move(folder)}.revocations()),
      on_event_(std::move(on_event)),
      own_(std::move(own)),
      mark_(mark_of_list()) {}

std::optional<PeerCheck::Mark> PeerCheck::mark_of_list() const {
  struct stat about{};
  if (::stat(list_.c_str(), &about) != 0) return std::nullopt;
  constexpr std::int64_t second = 1'000'000'000;
  return Mark{.size = static_cast<std::uint64_t>(about.st_size),
              .inode = about.st_ino,
              .changed = about.st_mtim.tv_sec * second + about.st_mtim.tv_nsec};
}

// A list that is missing, damaged or of another CA has no effect: the last valid one stays in force.
void PeerCheck::read_list_if_changed() {
  const std::optional<Mark> mark = mark_of_list();
  if (mark == mark_) return;
  mark_ = mark;
  const auto report = [&](const std::string& event) {
    if (on_event_) on_event_(event);
  };
  if (!mark) return report("the revocation list " + list_.string() + " is gone; the one read before stays in force");
  try {
    const std::string text = read_input_file(list_);
    require_pem(revocations_in(text) != nullptr, "a revocation list", list_.string());
    if (!is_list_of(own_.authority, text))
      throw DataError({.what = "another CA has signed it",
                       .seen = list_.string(),
                       .advice = "copy crl.pem from the folder of the CA that issued the certificates here"});
    own_.revocations = text;
    report("read the revocation list " + list_.string() + " again");
  } catch (const Error& error) {
    report("the revocation list " + list_.string() +
           " cannot be used; the one read before stays in force: " + error.info().what);
  }
}

std::optional<std::string> PeerCheck::rejection_of(const std::string& peer_pem) {
  const std::lock_guard lock(mutex_);
  read_list_if_changed();
  return check_peer(peer_pem, own_);
}

bool PeerCheck::has_list() {
  const std::lock_guard lock(mutex_);
  return !own_.revocations.empty();
}

}  // namespace driftless
