// The masks of one site. Every pair of neighbours shares a mask for each row, which one adds and the other subtracts, so
// that masks cancel in the sum over all sites. Where a site may be lost, every row has a second mask of its own, and
// the server learns it once all rows of a sum have arrived: of a site that is there from itself, of a lost one from
// shares of its secret that the others hold (Bonawitz et al. 2017). So every row becomes part of one sum, or of none.
#pragma once

#include "driftless/federation/transport.hpp"
#include "driftless/secure_sum/send_log.hpp"
#include "driftless/secure_sum/site_keys.hpp"

namespace driftless {

class RowMasker {
 public:
  explicit RowMasker(SecureSumOptions options);

  SiteKeys& keys() { return keys_; }

  // Whose rows belong to a sum, after the totals of this history.
  struct Sum {
    ExchangeId exchange = 0;
    std::uint32_t attempt = 0;
    History history = {};
    std::vector<bool> present = {};  // by site
  };
  // Masks the row that this site sends. TransportError where the server may not ask for this sum; DataError where the
  // row is another one than before.
  void mask(const Sum& sum, Integers meaning, std::span<double> row);

  // What the server needs to unmask the sum for which this site sent a row last.
  struct Revealed {
    Secret seed{};                                        // of the row of this site
    std::vector<std::pair<std::size_t, Secret>> shares = {};  // of the secrets of lost sites
  };
  // `lost`: sites whose rows have arrived, and which are gone. TransportError where the server asks for too much.
  Revealed reveal(ExchangeId exchange, std::uint32_t attempt, const std::vector<std::size_t>& lost);

  void forget_before(ExchangeId exchange) { log_.forget_before(exchange); }

 private:
  void require_allowed(const Sum& sum) const;

  SiteKeys keys_;
  SendLog log_;
  std::optional<Sum> sent_;  // the last one
};

// The key of a row's own mask.
Secret own_mask_key(const Secret& master, ExchangeId exchange, std::uint32_t attempt, const History& history);

}  // namespace driftless
