// The transport over MPI. Ranks host contiguous shares of the clients; every rank runs the same program.
#pragma once

#include "driftless/federation/transport.hpp"
#include "driftless/transports/mpi_sum.hpp"

namespace driftless {

class MpiTransport final : public Transport {
 public:
  MpiTransport(MpiSession& mpi, std::size_t clients);

  const Layout& layout() const override { return layout_; }
  const News& news() const override { return news_; }  // nobody is ever absent: MPI survives no loss
  void say(std::uint32_t word) override { said_ = layout_.rank == 0 ? word : 0; }
  void abort(std::string_view reason) noexcept override { mpi_.abort(reason); }

 private:
  void sum_as(ExchangeId id, std::span<const ClientId> from, std::span<const Node> mine,
              std::span<double> total) override;
  void share_as(ExchangeId id, std::size_t width, std::span<const double> mine, std::span<double> all) override;

  void exchange_blocks(std::size_t step, std::size_t width, std::span<double> all, double& word);

  MpiSession& mpi_;
  Shares shares_;
  Layout layout_;
  News news_;
  std::uint32_t said_ = 0;  // by rank 0, to travel with the next collective
  MpiSum sum_;
};

}  // namespace driftless
