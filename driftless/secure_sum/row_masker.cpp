#include "driftless/secure_sum/row_masker.hpp"

#include "driftless/core/error.hpp"
#include "driftless/secure_sum/pad.hpp"

#include <algorithm>

namespace driftless {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& seen) {
  throw TransportError(
      {.what = what, .seen = seen, .advice = "an honest server does not ask for it: ask who runs the server"});
}

std::filesystem::path log_file(const SecureSumOptions& options) {
  return options.folder.empty() ? std::filesystem::path() : options.folder / "sent";
}

}  // namespace

Secret own_mask_key(const Secret& master, ExchangeId exchange, std::uint32_t attempt, const History& history) {
  return derived(master, "own mask", {exchange, attempt, history.high, history.low});
}

RowMasker::RowMasker(SecureSumOptions options) : keys_(std::move(options)), log_(log_file(keys_.options())) {}

void RowMasker::require_allowed(const Sum& sum) const {
  const SecureSumOptions& options = keys_.options();
  const auto present = static_cast<std::size_t>(std::ranges::count(sum.present, true));
  if (!sum.present[options.own]) refuse("the server asks for a row for a sum without this site", options.sites[options.own]);
  if (options.threshold == 0 && present != sum.present.size())
    refuse("the server asks for a sum without a site, in a run that loses none",
           std::to_string(present) + " of " + std::to_string(sum.present.size()) + " sites");
  if (present < options.threshold)
    refuse("the server asks for a sum over too few sites",
           std::to_string(present) + " sites, at least " + std::to_string(options.threshold));
}

// Masks depend on all totals so far: they cancel only where all sites were given the same ones.
void RowMasker::mask(const Sum& sum, Integers meaning, std::span<double> row) {
  require_allowed(sum);
  const auto words = {sum.exchange, std::uint64_t{sum.attempt}, sum.history.high, sum.history.low};
  if (meaning == Integers::flags)
    blind_flags(derived(keys_.flags_key(), "exchange", {sum.exchange, sum.history.high, sum.history.low}), row);
  log_.on_send(sum.exchange, sum.attempt,
               digest_of({reinterpret_cast<const unsigned char*>(row.data()), row.size_bytes()}));
  const std::size_t own = keys_.options().own;
  for (const std::size_t other : keys_.neighbours()) {
    if (!sum.present[other]) continue;
    const Secret pad = derived(keys_.pair_key(other), "mask", words);
    if (own < other) add_pad(pad, row);
    else subtract_pad(pad, row);
  }
  if (keys_.options().threshold > 0)
    add_pad(own_mask_key(keys_.master(), sum.exchange, sum.attempt, sum.history), row);
  sent_ = sum;
}

RowMasker::Revealed RowMasker::reveal(ExchangeId exchange, std::uint32_t attempt,
                                      const std::vector<std::size_t>& lost) {
  const SecureSumOptions& options = keys_.options();
  const std::string where = "exchange " + std::to_string(exchange) + ", attempt " + std::to_string(attempt);
  if (options.threshold == 0) refuse("the server asks to unmask rows, in a run that loses no site", where);
  if (!sent_ || sent_->exchange != exchange || sent_->attempt != attempt)
    refuse("the server asks to unmask a sum that is not under way", where);
  for (std::size_t site = 0; site < options.sites.size(); ++site)
    if (sent_->present[site] && log_.is_lost(site) && std::ranges::count(lost, site) == 0)
      refuse("the server asks for a sum with a site whose secret it was given",
             where + ", site '" + options.sites[site] + "'");
  for (const std::size_t site : lost)
    if (site >= options.sites.size() || site == options.own || !sent_->present[site])
      refuse("the server asks for the secret of a site that takes no part", where + ", site " + std::to_string(site));
  const auto present = static_cast<std::size_t>(std::ranges::count(sent_->present, true));
  if (present - std::min(present, lost.size()) < options.threshold)
    refuse("the server asks for the secrets of too many sites", where + ": " + std::to_string(lost.size()) + " sites");
  log_.on_reveal(exchange, attempt);
  Revealed revealed{.seed = own_mask_key(keys_.master(), exchange, attempt, sent_->history)};
  for (const std::size_t site : lost) {
    log_.on_loss(site);
    revealed.shares.emplace_back(site, keys_.share_of(site));
  }
  return revealed;
}

}  // namespace driftless
