#include "driftless/torch/engine.hpp"

#include <torch/torch.h>

namespace driftless {

Engine::Engine(const NetSpec& spec, std::size_t classes, std::shared_ptr<const ImageStore> images,
               const torch::TensorOptions& options)
    : images_(std::move(images)),
      model_(make_model(spec, images_->shape(), classes, options)),
      short_numbers_(spec.precision == Precision::bf16),
      queue_(options.device()),
      loss_(torch::zeros({}, options)) {}

torch::Tensor Engine::scores(const ImageStore& images, const torch::Tensor& batch, bool training, double momentum) {
  torch::Tensor input = images.room_for(batch.size(1));
  images.gather(batch, input);
  const Autocast cast(short_numbers_);
  return model_->scores(input, training, momentum).to(loss_.scalar_type());
}

torch::Tensor Engine::mean_loss(const torch::Tensor& batch, double momentum) {
  return torch::cross_entropy_loss(scores(*images_, batch, true, momentum), images_->labels(batch));
}

void Engine::differentiate(const torch::Tensor& batch) {
  queue_.repeat(batch, [this](const torch::Tensor& fixed) {
    model_->gradient().zero_();
    const torch::Tensor loss = mean_loss(fixed);
    loss.backward();
    loss_.copy_(loss.detach());
  });
}

void Engine::evaluate(const torch::Tensor& batch) {
  const torch::NoGradGuard no_grad;
  loss_.copy_(mean_loss(batch));
}

EnginePool::EnginePool(const NetSpec& spec, std::size_t classes, const std::shared_ptr<const ImageStore>& images,
                       const torch::TensorOptions& options, std::size_t count)
    : options_(options) {
  for (std::size_t k = 0; k < count; ++k) {
    all_.push_back(std::make_unique<Engine>(spec, classes, images, options));
    free_.push_back(all_.back().get());
  }
}

Engine& EnginePool::wait_for_one() {
  std::unique_lock lock(mutex_);
  freed_.wait(lock, [this] { return !free_.empty(); });
  Engine& engine = *free_.back();
  free_.pop_back();
  return engine;
}

void EnginePool::give_back(Engine& engine) {
  {
    const std::scoped_lock lock(mutex_);
    free_.push_back(&engine);
  }
  freed_.notify_one();
}

}  // namespace driftless
