#include "driftless/network/hub/key_board.hpp"

#include "driftless/files/input_file.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/files/sealed_bytes.hpp"

#include <algorithm>

namespace driftless {
namespace {

constexpr std::string_view file_kind = "driftless keys of sites 1\n";
constexpr std::string_view no_origin = "0";  // the folder belongs to one run

}  // namespace

KeyBoard::KeyBoard(std::vector<std::string> sites, std::filesystem::path file)
    : sites_(std::move(sites)), file_(std::move(file)) {
  if (!file_.empty() && std::filesystem::exists(file_)) read();
}

void KeyBoard::read() {
  const std::string bytes = read_input_file(file_);
  const UnsealedBytes found = unseal(bytes, file_kind, no_origin);
  ByteReader reader(found.content);
  for (auto left = reader.number<std::uint64_t>(); left > 0 && left <= sites_.size(); --left) {
    const auto slot = reader.number<std::uint64_t>();
    announced_[slot] = take_announcement(reader);
  }
  for (auto left = reader.number<std::uint64_t>(); left > 0 && left <= sites_.size(); --left) {
    std::vector<std::string>& sealed = shares_[reader.number<std::uint64_t>()];
    const auto count = std::min<std::uint64_t>(reader.number<std::uint64_t>(), sites_.size());
    for (std::uint64_t k = 0; k < count; ++k) sealed.push_back(take_text(reader));
  }
  if (found.fault.empty() && reader.used_up()) return;
  throw DataError({.what = "the keys that the sites announced cannot be read",
                   .seen = file_.string() + (found.fault.empty() ? "" : ": " + found.fault),
                   .advice = "restore the folder of the server, or start a new run, with new folders at all peers"});
}

void KeyBoard::write() const {
  if (file_.empty()) return;
  std::string content;
  append_number(content, static_cast<std::uint64_t>(announced_.size()));
  for (const auto& [slot, announcement] : announced_) {
    append_number(content, static_cast<std::uint64_t>(slot));
    put(content, announcement);
  }
  append_number(content, static_cast<std::uint64_t>(shares_.size()));
  for (const auto& [dealer, sealed_shares] : shares_) {
    append_number(content, static_cast<std::uint64_t>(dealer));
    append_number(content, static_cast<std::uint64_t>(sealed_shares.size()));
    for (const std::string& share : sealed_shares) put_text(content, share);
  }
  write_output_file(file_, sealed(file_kind, no_origin, content), Durability::synced);
}

void KeyBoard::announce(std::size_t slot, Announcement announcement) {
  const std::lock_guard lock(mutex_);
  const auto known = announced_.find(slot);
  if (known == announced_.end()) {
    announced_[slot] = std::move(announcement);
    return write();
  }
  if (known->second.open_key == announcement.open_key && known->second.share_digests == announcement.share_digests)
    return;
  throw Rejection{ErrorKind::data,
                  {.what = "this site announced another key before, so that its masks would not cancel",
                   .seen = "site '" + sites_[slot] + "'",
                   .advice = "start the site with the folder that it used before, or start a new run, in new folders"}};
}

void KeyBoard::deposit(std::size_t slot, std::vector<std::string> sealed_shares) {
  const std::lock_guard lock(mutex_);
  if (shares_.contains(slot)) return;
  shares_[slot] = std::move(sealed_shares);
  write();
}

std::vector<Announcement> KeyBoard::announcements() const {
  const std::lock_guard lock(mutex_);
  std::vector<Announcement> all;
  if (complete())
    for (const auto& [slot, announcement] : announced_) all.push_back(announcement);
  return all;
}

std::vector<std::string> KeyBoard::shares_for(std::size_t holder) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> all;
  if (shares_.size() == sites_.size())
    for (const auto& [dealer, sealed_shares] : shares_)
      all.push_back(holder < sealed_shares.size() ? sealed_shares[holder] : std::string());
  return all;
}

std::vector<std::string> KeyBoard::missing() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (std::size_t slot = 0; slot < sites_.size(); ++slot)
    if (!announced_.contains(slot)) names.push_back(sites_[slot]);
  return names;
}

bool KeyBoard::is_share(std::size_t dealer, std::size_t holder, const Secret& share) const {
  const std::lock_guard lock(mutex_);
  const auto known = announced_.find(dealer);
  return known != announced_.end() && holder < known->second.share_digests.size() &&
         known->second.share_digests[holder] == digest_of(share);
}

}  // namespace driftless
