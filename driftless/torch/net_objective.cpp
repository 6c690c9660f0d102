#include "driftless/torch/net_objective.hpp"

#include "driftless/core/random.hpp"

#include <numeric>
#include <torch/torch.h>

namespace driftless {
namespace {

// Batch normalisation statistics are computed again from this many images of each client, the first ones.
constexpr std::size_t images_for_statistics = 2048;

// The same images in another order are another batch.
std::uint64_t fingerprint(Batch batch) {
  std::uint64_t hash = 1469598103934665603ULL;
  for (const std::int32_t row : batch) hash = (hash ^ static_cast<std::uint64_t>(row)) * 1099511628211ULL;
  return hash;
}

torch::Tensor flat(const std::vector<torch::Tensor>& parts, const Model& model) {
  torch::Tensor result = torch::zeros_like(model.weights());
  const std::vector<torch::Tensor> views = model.views(result);
  for (std::size_t k = 0; k < parts.size(); ++k)
    if (parts[k].defined()) views[k].copy_(parts[k]);
  return result;
}

}  // namespace

NetObjective::NetObjective(std::shared_ptr<const NetFederation> shared, std::size_t client,
                           std::vector<std::int32_t> rows, double weight)
    : shared_(std::move(shared)),
      client_(client),
      rows_(std::move(rows)),
      scale_(weight * static_cast<double>(rows_.size())) {}

// Chance depends on the batch alone, so the gradients of one batch at two points see the same images.
void NetObjective::append(Batch batch, bool augmented, Rows& out) const {
  for (const std::int32_t k : batch) out.push_back(rows_[static_cast<std::size_t>(k)]);
  if (!augmented) {
    out.insert(out.end(), batch.size(), Augmentation{}.code());
    return;
  }
  Stream chance(shared_->seed, Purpose::augmentation, client_, fingerprint(batch));
  const auto shift = [&] { return static_cast<int>(chance.index(2 * largest_shift + 1)) - largest_shift; };
  for (std::size_t k = 0; k < batch.size(); ++k) {
    const int left = shift();
    const int up = shift();
    out.push_back(Augmentation{left, up, chance.bernoulli(0.5)}.code());
  }
}

torch::Tensor NetObjective::on_device(const Rows& rows) const {
  const torch::Device device = shared_->engines->options().device();
  torch::Tensor host = torch::empty({static_cast<std::int64_t>(rows.size())},
                                    torch::TensorOptions().dtype(torch::kInt32).pinned_memory(device.is_cuda()));
  std::copy(rows.begin(), rows.end(), host.data_ptr<std::int32_t>());
  return host.to(device, true);
}

template <class Body>
void NetObjective::for_each_piece(std::size_t images, Body&& body) const {
  std::vector<std::int32_t> all(images);
  std::iota(all.begin(), all.end(), 0);
  Rows rows;
  append(all, false, rows);
  const auto m = static_cast<std::int64_t>(images);
  const torch::Tensor device = on_device(rows).view({2, m});
  const auto chunk = static_cast<std::int64_t>(shared_->spec.chunk);
  for (std::int64_t from = 0; from < m; from += chunk) {
    const std::int64_t size = std::min(chunk, m - from);
    body(device.narrow(1, from, size).contiguous(), static_cast<double>(size) / static_cast<double>(m));
  }
}

template <class Each>
double NetObjective::mean_loss(Engine& engine, Each&& each) const {
  torch::Tensor total = torch::zeros_like(engine.loss());
  for_each_piece(samples(), [&](const torch::Tensor& batch, double share) {
    each(batch, share);
    total.add_(engine.loss(), share);
  });
  return total.item<double>();
}

void NetObjective::scale_gradient(VecIn x, VecOut g) const {
  g *= scale_;
  if (shared_->spec.l2 != 0.0) g += shared_->spec.l2 * x;
}

double NetObjective::scaled_value(double loss, VecIn x) const {
  return scale_ * loss + 0.5 * shared_->spec.l2 * x.squaredNorm();
}

double NetObjective::value(VecIn x) const {
  const HostBuffers::Buffer point = shared_->buffers->holding(x);
  EnginePool::Lease engine = shared_->engines->take();
  point.to(engine->model().weights());
  const double loss = mean_loss(*engine, [&](const torch::Tensor& batch, double) { engine->evaluate(batch); });
  return scaled_value(loss, x);
}

double NetObjective::value_gradient(VecIn x, VecOut g) const {
  const HostBuffers::Buffer point = shared_->buffers->holding(x);
  HostBuffers::Buffer result = shared_->buffers->empty();
  double loss = 0.0;
  {
    EnginePool::Lease engine = shared_->engines->take();
    point.to(engine->model().weights());
    torch::Tensor sum = torch::zeros_like(engine->model().gradient());
    loss = mean_loss(*engine, [&](const torch::Tensor& batch, double share) {
      engine->differentiate(batch);
      sum.add_(engine->model().gradient(), share);
    });
    result.from(sum);
    engine->queue().wait();
  }
  result.store(g);
  scale_gradient(x, g);
  return scaled_value(loss, x);
}

void NetObjective::gradient(VecIn x, Batch batch, VecOut g) const {
  const HostBuffers::Buffer point = shared_->buffers->holding(x);
  HostBuffers::Buffer result = shared_->buffers->empty();
  Rows rows;
  append(batch, shared_->spec.augment, rows);
  {
    EnginePool::Lease engine = shared_->engines->take();
    point.to(engine->model().weights());
    engine->differentiate(on_device(rows).view({2, -1}));
    result.from(engine->model().gradient());
    engine->queue().wait();
  }
  result.store(g);
  scale_gradient(x, g);
}

// ∇²f v = ∇⟨∇f, v⟩
void NetObjective::hessian_vector(VecIn x, VecIn v, VecOut hv) const {
  const HostBuffers::Buffer point = shared_->buffers->holding(x);
  const HostBuffers::Buffer direction = shared_->buffers->holding(v);
  HostBuffers::Buffer result = shared_->buffers->empty();
  {
    EnginePool::Lease engine = shared_->engines->take();
    Model& model = engine->model();
    point.to(model.weights());
    torch::Tensor sum = torch::zeros_like(model.weights());
    const torch::Tensor along = torch::zeros_like(model.weights());
    direction.to(along);
    const std::vector<torch::Tensor> along_views = model.views(along);
    for_each_piece(samples(), [&](const torch::Tensor& batch, double share) {
      const auto slopes = torch::autograd::grad({engine->mean_loss(batch)}, model.parameters(), {}, true, true);
      torch::Tensor slope = torch::zeros_like(engine->loss());
      for (std::size_t k = 0; k < slopes.size(); ++k) slope = slope + (slopes[k] * along_views[k]).sum();
      const auto products = torch::autograd::grad({slope}, model.parameters(), {}, false, false, true);
      sum.add_(flat(products, model), share);
    });
    result.from(sum);
    engine->queue().wait();
  }
  result.store(hv);
  scale_gradient(v, hv);
}

NetObjective::Steps NetObjective::draw_steps(const Sgd& sgd, BatchSampler& batches) const {
  Steps steps;
  for (std::size_t k = 0; k < sgd.steps; ++k) {
    const Batch batch = batches.next(samples(), sgd.batch, sgd.draw);
    append(batch, shared_->spec.augment, steps.rows);
    steps.sizes.push_back(static_cast<std::int64_t>(batch.size()));
  }
  return steps;
}

void NetObjective::take_steps(Engine& engine, const Steps& steps, const DriftStep& step, const torch::Tensor& h,
                              const torch::Tensor& c) const {
  Model& model = engine.model();
  torch::Tensor weights = model.weights();
  const bool keeps_statistics = shared_->spec.statistics == NormStatistics::average && statistics_size() > 0;
  if (keeps_statistics && running_.defined()) model.statistics().copy_(running_);
  else if (keeps_statistics) find_statistics(engine);
  const torch::Tensor batches = on_device(steps.rows);
  std::int64_t at = 0;
  for (const std::int64_t size : steps.sizes) {
    engine.differentiate(batches.narrow(0, at, 2 * size).view({2, size}));
    drift_step(step, model.gradient(), h, c, weights);
    at += 2 * size;
  }
  if (keeps_statistics) running_ = model.statistics().clone();
}

std::optional<SolveReport> NetObjective::solve_whole(const Sgd& sgd, const Subproblem& s, VecOut y,
                                                     SolveContext& context) const {
  if (s.record != nullptr || s.anchor.point != nullptr) return std::nullopt;
  const Steps steps = draw_steps(sgd, context.batches);
  HostBuffers::Buffer point = shared_->buffers->holding(y);
  std::optional<HostBuffers::Buffer> shift, center;
  if (s.shift != nullptr) shift.emplace(*shared_->buffers, *s.shift);
  if (s.center != nullptr && s.lambda != 0.0) center.emplace(*shared_->buffers, *s.center);
  const DriftStep step{.step = 1.0 / (sgd.eta + s.lambda), .scale = scale_, .l2 = shared_->spec.l2, .lambda = s.lambda};
  {
    EnginePool::Lease engine = shared_->engines->take();
    const torch::Tensor& weights = engine->model().weights();
    point.to(weights);
    take_steps(*engine, steps, step, shift ? shift->copy_like(weights) : torch::Tensor(),
               center ? center->copy_like(weights) : torch::Tensor());
    point.from(weights);
    engine->queue().wait();
  }
  point.store(y);
  return SolveReport{sgd.steps, sgd.steps, SolveEnd::steps_done};
}

void NetObjective::find_statistics(Engine& engine) const {
  const torch::NoGradGuard no_grad;
  double pieces = 0.0;
  for_each_piece(std::min(samples(), images_for_statistics), [&](const torch::Tensor& batch, double) {
    engine.mean_loss(batch, 1.0 / ++pieces);  // the first one replaces what was there
  });
}

void NetObjective::statistics(VecIn x, VecOut out) const {
  const HostBuffers::Buffer point = shared_->buffers->holding(x);
  EnginePool::Lease engine = shared_->engines->take();
  const bool own = shared_->spec.statistics == NormStatistics::average && running_.defined();
  if (!own) {
    point.to(engine->model().weights());
    find_statistics(*engine);
  }
  const torch::Tensor host =
      (own ? running_ : engine->model().statistics()).to(torch::kCPU, torch::kFloat64).contiguous();
  out = Eigen::Map<const Vector>(host.data_ptr<double>(), host.numel());
}

Vector NetObjective::memory() const {
  if (!running_.defined()) return {};
  const EnginePool::Lease engine = shared_->engines->take();  // its queue
  const torch::Tensor host = running_.to(torch::kCPU, torch::kFloat64).contiguous();
  return Eigen::Map<const Vector>(host.data_ptr<double>(), host.numel());
}

void NetObjective::remember(VecIn memory) const {
  running_ = torch::Tensor();
  if (memory.size() == 0) return;
  const torch::Tensor host = torch::empty({memory.size()}, torch::kFloat64);
  Eigen::Map<Vector>(host.data_ptr<double>(), memory.size()) = memory;
  const EnginePool::Lease engine = shared_->engines->take();
  running_ = torch::empty_like(shared_->engines->model().statistics()).copy_(host);
}

}  // namespace driftless
