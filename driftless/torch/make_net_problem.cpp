#include "driftless/core/error.hpp"
#include "driftless/federation/client_objective.hpp"
#include "driftless/torch/kernels.hpp"
#include "driftless/torch/net_objective.hpp"
#include "driftless/torch/net_problem.hpp"

#include <ATen/Parallel.h>
#include <limits>
#include <malloc.h>
#include <torch/torch.h>

namespace driftless {
namespace {

constexpr std::int64_t test_batch = 1000;
// Two clients at a time on a GPU: one copies while the other computes.
constexpr std::size_t engines_on_gpu = 2;

// Vectors of networks are so long that the allocator would ask the system for each and give it back: pages would be
// cleared again in every round.
void keep_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

class NetTestSet final : public TestSet {
 public:
  NetTestSet(std::shared_ptr<const NetFederation> shared, std::shared_ptr<const ImageStore> images)
      : shared_(std::move(shared)), images_(std::move(images)) {}

  Index statistics_size() const override { return shared_->engines->statistics(); }
  TestScore score(VecIn x, VecIn statistics) const override {
    const HostBuffers::Buffer point = shared_->buffers->holding(x);
    EnginePool::Lease engine = shared_->engines->take();
    const torch::NoGradGuard no_grad;
    point.to(engine->model().weights());
    set_statistics(engine->model(), statistics);
    const torch::Tensor batches = plain_batches();
    torch::Tensor loss = torch::zeros({}, batches.options().dtype(torch::kFloat64));
    torch::Tensor right = torch::zeros_like(loss);
    for (std::int64_t from = 0; from < images_->images(); from += test_batch) {
      const torch::Tensor batch = batches.narrow(1, from, std::min(test_batch, images_->images() - from)).contiguous();
      const torch::Tensor scores = engine->scores(*images_, batch, false);
      const torch::Tensor labels = images_->labels(batch);
      loss += torch::cross_entropy_loss(scores, labels, {}, at::Reduction::Sum);
      right += scores.argmax(1).eq(labels).sum();
    }
    const auto images = static_cast<double>(images_->images());
    return {.loss = loss.item<double>() / images, .accuracy = right.item<double>() / images};
  }

  static void set_statistics(const Model& model, VecIn statistics) {
    if (statistics.size() == 0) return;
    const torch::Tensor host = torch::empty({statistics.size()}, torch::kFloat64);
    Eigen::Map<Vector>(host.data_ptr<double>(), statistics.size()) = statistics;
    model.statistics().copy_(host);
  }

 private:
  torch::Tensor plain_batches() const {
    const torch::Tensor rows = torch::arange(images_->images(), torch::kInt32);
    return torch::stack({rows, torch::full_like(rows, Augmentation{}.code())}).to(shared_->engines->options().device());
  }

  std::shared_ptr<const NetFederation> shared_;
  std::shared_ptr<const ImageStore> images_;
};

std::size_t first_images(const ImageSet& set, const std::optional<std::size_t>& wanted, const char* option) {
  const std::size_t count = wanted.value_or(set.images());
  if (count <= set.images()) return count;
  throw ConfigError({.what = "there are fewer images than asked for",
                     .seen = std::string(option) + " = " + std::to_string(count) + ", " + set.name + " has " +
                             std::to_string(set.images()),
                     .advice = std::string("leave '") + option + "' out to take all of them"});
}

}  // namespace

void require_networks(const NetSpec&) {}

NetProblem make_net_problem(const NetSpec& described, const ImageData& images, const Partition& partition,
                            std::uint64_t seed, std::size_t workers) {
  keep_memory();
  NetSpec spec = described;
  const std::size_t count = first_images(images.train, spec.images, "images");
  const std::size_t tested = first_images(images.test, spec.test_images, "test_images");
  const torch::TensorOptions options = choose_device(spec);
  const bool cuda = options.device().is_cuda();
  // Clients are what is done in parallel; one thread for each makes the bits independent of their number.
  at::set_num_threads(1);
  const auto stored = [&](const ImageSet& set, std::size_t size) {
    return std::make_shared<const ImageStore>(set, size, images.mean, images.deviation, options);
  };
  auto shared = std::make_shared<NetFederation>();
  shared->spec = spec;
  shared->seed = seed;
  shared->engines = std::make_shared<EnginePool>(spec, images.train.classes, stored(images.train, count), options,
                                                 cuda ? std::min(engines_on_gpu, workers) : workers);
  shared->buffers = std::make_shared<HostBuffers>(shared->engines->parameters(), options);

  NetProblem problem;
  const double weight = static_cast<double>(partition.clients.size()) / static_cast<double>(count);  // n/M
  for (std::size_t i = 0; i < partition.clients.size(); ++i)
    problem.clients.push_back(make_client(NetObjective(shared, i, partition.clients[i], weight)));
  problem.start = shared->engines->model().start(seed);
  problem.test = std::make_shared<NetTestSet>(shared, stored(images.test, tested));
  problem.arithmetic = std::string(enum_name(spec.precision)) + " on " + device_name(options.device());
  return problem;
}

void export_net(const NetSpec& spec, const ImageData& images, const Vector& x, const Vector& statistics,
                const std::string& file) {
  const auto model = make_model(spec, images.train.shape, images.train.classes, torch::kFloat32);
  model->weights().copy_(torch::from_blob(const_cast<double*>(x.data()), {x.size()}, torch::kFloat64));
  NetTestSet::set_statistics(*model, statistics);
  model->save_script(file);
}

}  // namespace driftless
