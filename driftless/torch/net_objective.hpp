// f_i of a network: (n m_i / M) times the mean cross-entropy over the client's images, and ½ l2 ‖x‖². Layers of batch
// normalisation use the statistics of each batch, so f is what the mean over fixed pieces of the client's data gives.
#pragma once

#include "driftless/solvers/sgd.hpp"
#include "driftless/torch/engine.hpp"
#include "driftless/torch/host_buffers.hpp"
#include "driftless/torch/kernels.hpp"

#include <optional>

namespace driftless {

// What all clients of a network share.
struct NetFederation {
  NetSpec spec;
  std::uint64_t seed = 1;
  std::shared_ptr<EnginePool> engines;
  std::shared_ptr<HostBuffers> buffers;
};

class NetObjective {
 public:
  NetObjective(std::shared_ptr<const NetFederation> shared, std::size_t client, std::vector<std::int32_t> rows,
               double weight);

  Index dim() const { return shared_->engines->parameters(); }
  std::size_t samples() const { return rows_.size(); }

  double value(VecIn x) const;
  void gradient(VecIn x, VecOut g) const { value_gradient(x, g); }
  double value_gradient(VecIn x, VecOut g) const;
  void gradient(VecIn x, Batch batch, VecOut g) const;
  void hessian_vector(VecIn x, VecIn v, VecOut hv) const;

  // The whole of a solve by minibatch steps on the device, with one copy in and one out. None for what only the
  // ordinary loop can do: being shown every iterate, or taking noise out.
  std::optional<SolveReport> solve_whole(const Sgd& sgd, const Subproblem& s, VecOut y, SolveContext& context) const;

  Index statistics_size() const { return shared_->engines->statistics(); }
  void statistics(VecIn x, VecOut out) const;
  Vector memory() const;  // the running statistics of its own training, where they are kept
  void remember(VecIn memory) const;

 private:
  using Rows = std::vector<std::int32_t>;  // rows and codes of one batch after the other
  struct Steps {
    Rows rows;
    std::vector<std::int64_t> sizes;  // of the batches
  };

  Steps draw_steps(const Sgd& sgd, BatchSampler& batches) const;
  void take_steps(Engine& engine, const Steps& steps, const DriftStep& step, const torch::Tensor& h,
                  const torch::Tensor& c) const;
  void append(Batch batch, bool augmented, Rows& out) const;
  torch::Tensor on_device(const Rows& rows) const;
  // Calls body(batch on the device, share of `images` in it) for the pieces of the client's first images.
  template <class Body>
  void for_each_piece(std::size_t images, Body&& body) const;
  // The mean loss over all pieces, each of which each(batch, share) leaves in the engine.
  template <class Each>
  double mean_loss(Engine& engine, Each&& each) const;
  void scale_gradient(VecIn x, VecOut g) const;
  double scaled_value(double loss, VecIn x) const;
  void find_statistics(Engine& engine) const;  // at the engine's weights

  std::shared_ptr<const NetFederation> shared_;
  std::size_t client_;
  std::vector<std::int32_t> rows_;
  double scale_;                   // n m_i / M
  mutable torch::Tensor running_;  // statistics of the client's own training
};

}  // namespace driftless
