// One copy of the model on the device, with the images. One thread at a time uses it.
#pragma once

#include "driftless/torch/device.hpp"
#include "driftless/torch/image_store.hpp"
#include "driftless/torch/model.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace driftless {

class Engine {
 public:
  Engine(const NetSpec& spec, std::size_t classes, std::shared_ptr<const ImageStore> images,
         const torch::TensorOptions& options);

  Model& model() { return *model_; }
  const DeviceQueue& queue() const { return queue_; }

  // The mean loss of a batch ([2, B] on the device) in loss() and its gradient in model().gradient(). Does not wait.
  void differentiate(const torch::Tensor& batch);
  // The mean loss alone.
  void evaluate(const torch::Tensor& batch);
  const torch::Tensor& loss() const { return loss_; }

  torch::Tensor scores(const ImageStore& images, const torch::Tensor& batch, bool training, double momentum = 0.1);
  // With what is needed to differentiate it. Running statistics move by the share `momentum`.
  torch::Tensor mean_loss(const torch::Tensor& batch, double momentum = 0.1);

 private:
  std::shared_ptr<const ImageStore> images_;
  std::unique_ptr<Model> model_;
  bool short_numbers_;
  DeviceQueue queue_;
  torch::Tensor loss_;
};

// Engines for as many callers as may work at the same time.
class EnginePool {
 public:
  EnginePool(const NetSpec& spec, std::size_t classes, const std::shared_ptr<const ImageStore>& images,
             const torch::TensorOptions& options, std::size_t count);

  class Lease {
   public:
    Lease(EnginePool& pool, Engine& engine) : pool_(pool), engine_(engine), scope_(engine.queue()) {}
    ~Lease() { pool_.give_back(engine_); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Engine* operator->() { return &engine_; }
    Engine& operator*() { return engine_; }

   private:
    EnginePool& pool_;
    Engine& engine_;
    DeviceQueue::Scope scope_;
  };
  Lease take() { return {*this, wait_for_one()}; }  // waits until one is free

  const torch::TensorOptions& options() const { return options_; }
  std::int64_t parameters() const { return all_.front()->model().weights().numel(); }
  std::int64_t statistics() const { return all_.front()->model().statistics().numel(); }
  const Model& model() const { return all_.front()->model(); }

 private:
  Engine& wait_for_one();
  void give_back(Engine& engine);

  torch::TensorOptions options_;
  std::vector<std::unique_ptr<Engine>> all_;
  std::vector<Engine*> free_;
  std::mutex mutex_;
  std::condition_variable freed_;
};

}  // namespace driftless
