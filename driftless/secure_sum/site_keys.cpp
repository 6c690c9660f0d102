#include "driftless/secure_sum/site_keys.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/error.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/secure_sum/mask_graph.hpp"
#include "driftless/secure_sum/sealed_share.hpp"
#include "driftless/secure_sum/shamir.hpp"

#include <algorithm>

namespace driftless {
namespace {

constexpr const char* file_name = "masks";
constexpr std::string_view file_kind = "driftless masks 1\n";

[[noreturn]] void reject(const std::string& what, const std::string& seen) {
  throw TransportError({.what = what,
                        .seen = seen,
                        .advice = "ask who runs the server and that site; start a new run, in new folders, once it is "
                                  "clear"});
}

Secret take_secret(ByteReader& reader) {
  Secret secret{};
  reader.fill(std::span<unsigned char>(secret));
  return secret;
}

}  // namespace

SiteKeys::SiteKeys(SecureSumOptions options) : options_(std::move(options)) {
  DRIFTLESS_ASSERT(options_.own < sites() && options_.threshold <= sites(), "a site that is none of the run");
  if (read_file()) {
    if (knows_sites()) agree_with_neighbours();
    return;
  }
  make_new();
  write_file();
}

void SiteKeys::make_new() {
  secret_ = random_secret();
  master_ = random_secret();
  if (options_.threshold > 0) own_shares_ = split_secret(master_, sites(), options_.threshold);
  announce();
}

void SiteKeys::announce() {
  own_ = {.site = options_.sites[options_.own],
          .open_key = exchange_key(secret_).open,
          .share_digests = {},
          .certificate = options_.certificate,
          .signature = {}};
  for (const Secret& share : own_shares_) own_.share_digests.push_back(digest_of(share));
  if (options_.sign) own_.signature = options_.sign(signed_text(own_, options_.run));
}

bool SiteKeys::read_file() {
  const std::filesystem::path file = options_.folder / file_name;
  if (options_.folder.empty() || !std::filesystem::exists(file)) return false;
  const std::string bytes = read_input_file(file);
  const UnsealedBytes found = unseal(bytes, file_kind, sha256(options_.run));
  ByteReader reader(found.content);
  secret_ = take_secret(reader);
  master_ = take_secret(reader);
  own_shares_ = take_secrets(reader);
  own_ = take_announcement(reader);
  const auto others = reader.number<std::uint64_t>();
  for (std::uint64_t k = 0; k < std::min<std::uint64_t>(others, sites()); ++k)
    others_.push_back(take_announcement(reader));
  held_ = take_secrets(reader);
  if (found.fault.empty() && reader.used_up()) return true;
  throw DataError({.what = "the keys of the masks of this site cannot be read",
                   .seen = file.string() + (found.fault.empty() ? "" : ": " + found.fault),
                   .advice = "restore the folder of this site, or start a new run, with new folders at all peers"});
}

void SiteKeys::write_file() const {
  if (options_.folder.empty()) return;
  std::string content = bytes_of(secret_) + bytes_of(master_);
  put_secrets(content, own_shares_);
  put(content, own_);
  append_number(content, static_cast<std::uint64_t>(others_.size()));
  for (const Announcement& other : others_) put(content, other);
  put_secrets(content, held_);
  write_output_file(options_.folder / file_name, sealed(file_kind, sha256(options_.run), content), Durability::synced);
}

void SiteKeys::require_genuine(const Announcement& announcement, std::size_t site) const {
  const std::string& name = options_.sites[site];
  if (announcement.site != name)
    reject("the server gave the key of another site", "'" + announcement.site + "' in place of '" + name + "'");
  const std::size_t digests = options_.threshold > 0 ? sites() : 0;
  if (announcement.share_digests.size() != digests)
    reject("a site announced another number of shares",
           "site '" + name + "': " + std::to_string(announcement.share_digests.size()));
  if (site == options_.own) {
    if (announcement.open_key != own_.open_key || announcement.share_digests != own_.share_digests)
      reject("the server gave out another key for this site than it announced", "site '" + name + "'");
    return;
  }
  if (!options_.check) return;
  if (const auto reason = options_.check(announcement, signed_text(announcement, options_.run)))
    reject("the key of a site is not signed by that site", "site '" + name + "': " + *reason);
}

void SiteKeys::learn(std::vector<Announcement> all) {
  if (all.size() != sites()) reject("the server gave the keys of another number of sites", std::to_string(all.size()));
  for (std::size_t site = 0; site < sites(); ++site) {
    require_genuine(all[site], site);
    if (knows_sites() && all[site].open_key != others_[site].open_key)
      reject("the key of a site has changed", "site '" + options_.sites[site] + "'");
  }
  for (std::size_t site = 0; site < sites(); ++site)
    for (std::size_t other = 0; other < site; ++other)
      if (all[site].open_key == all[other].open_key)
        reject("two sites announced the same key",
               "sites '" + options_.sites[other] + "' and '" + options_.sites[site] + "'");
  if (knows_sites()) return;
  others_ = std::move(all);
  agree_with_neighbours();
  write_file();
}

// With every site: neighbours mask with the secret, and shares are sealed with it.
void SiteKeys::agree_with_neighbours() {
  std::string keys;
  for (const Announcement& other : others_) keys += bytes_of(other.open_key);
  const Secret seed = digest_of({reinterpret_cast<const unsigned char*>(keys.data()), keys.size()});
  neighbours_ = mask_graph(sites(), seed)[options_.own];
  pair_keys_.assign(sites(), Secret{});
  for (std::size_t site = 0; site < sites(); ++site)
    if (site != options_.own)
      pair_keys_[site] = derived(shared_secret(secret_, others_[site].open_key), "pair " + options_.run);
}

Secret SiteKeys::sealing_key(std::size_t other, std::size_t dealer, std::size_t holder) const {
  return derived(pair_keys_[other], "share", {dealer, holder});
}

std::vector<std::string> SiteKeys::sealed_shares() const {
  std::vector<std::string> sealed(own_shares_.size());
  for (std::size_t holder = 0; holder < sealed.size(); ++holder)
    if (holder != options_.own)
      sealed[holder] = sealed_share(sealing_key(holder, options_.own, holder), own_shares_[holder]);
  return sealed;
}

void SiteKeys::learn_shares(const std::vector<std::string>& sealed) {
  if (sealed.size() != sites()) reject("the server gave another number of shares", std::to_string(sealed.size()));
  std::vector<Secret> held(sites());
  for (std::size_t dealer = 0; dealer < sites(); ++dealer) {
    if (dealer == options_.own) continue;
    const auto share = opened_share(sealing_key(dealer, dealer, options_.own), sealed[dealer]);
    if (!share) reject("a share was changed on its way", "from site '" + options_.sites[dealer] + "'");
    if (digest_of(*share) != others_[dealer].share_digests[options_.own])
      reject("a site gave another share than it announced", "site '" + options_.sites[dealer] + "'");
    held[dealer] = *share;
  }
  held[options_.own] = own_shares_[options_.own];
  held_ = std::move(held);
  write_file();
}

}  // namespace driftless
