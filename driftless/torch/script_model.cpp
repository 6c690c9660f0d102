#include "driftless/core/error.hpp"
#include "driftless/torch/model.hpp"

#include <torch/script.h>

namespace driftless {
namespace {

// A TorchScript module of the user's. Its parameters become views in the order in which the module lists them.
class ScriptModel final : public Model {
 public:
  ScriptModel(torch::jit::Module module, const torch::TensorOptions& options) : module_(std::move(module)) {
    module_.to(options.device(), options.dtype().toScalarType());
    std::vector<torch::Tensor> own;
    for (const torch::Tensor& p : module_.parameters()) own.push_back(p);
    std::vector<torch::Tensor> buffers;
    for (const torch::Tensor& b : module_.buffers())
      if (b.is_floating_point()) buffers.push_back(b);
    allocate(count(own), count(buffers), options);
    for (const torch::Tensor& p : own) sizes_.push_back(p.sizes().vec());
    adopt(own, weights_);
    std::int64_t at = 0;
    for (torch::Tensor& b : buffers) {
      const torch::Tensor view = statistics_.narrow(0, at, b.numel()).view(b.sizes());
      at += b.numel();
      view.copy_(b);
      b.set_data(view);
    }
    const std::vector<torch::Tensor> gradients = views(gradient_);
    for (std::size_t k = 0; k < own.size(); ++k) {
      own[k].requires_grad_(true);
      own[k].mutable_grad() = gradients[k];
    }
    parameters_ = std::move(own);
    start_ = to_vector(weights_);
  }

  torch::Tensor scores(const torch::Tensor& images, bool training, double) override {
    module_.train(training);
    return module_.forward({images}).toTensor();
  }

  Vector start(std::uint64_t) const override { return start_; }

  void save_script(const std::string& file) const override {
    torch::jit::Module copy = module_.deepcopy();
    copy.to(torch::kCPU);
    copy.eval();
    copy.save(file);
  }

  std::vector<torch::Tensor> views(const torch::Tensor& flat) const override {
    std::vector<torch::Tensor> result;
    std::int64_t at = 0;
    for (const auto& sizes : sizes_) {
      const std::int64_t size = c10::multiply_integers(sizes);
      result.push_back(flat.narrow(0, at, size).view(sizes));
      at += size;
    }
    return result;
  }

 private:
  static std::int64_t count(const std::vector<torch::Tensor>& tensors) {
    std::int64_t sum = 0;
    for (const torch::Tensor& t : tensors) sum += t.numel();
    return sum;
  }
  void adopt(std::vector<torch::Tensor>& own, const torch::Tensor& flat) const {
    const std::vector<torch::Tensor> placed = views(flat);
    for (std::size_t k = 0; k < own.size(); ++k) {
      placed[k].copy_(own[k].detach());
      own[k].set_data(placed[k]);
    }
  }
  static Vector to_vector(const torch::Tensor& flat) {
    const torch::Tensor host = flat.detach().to(torch::kCPU, torch::kFloat64).contiguous();
    return Eigen::Map<const Vector>(host.data_ptr<double>(), host.numel());
  }

  torch::jit::Module module_;
  std::vector<std::vector<std::int64_t>> sizes_;
  Vector start_;
};

torch::jit::Module load(const std::string& file) {
  try {
    return torch::jit::load(file, torch::kCPU);
  } catch (const c10::Error& error) {
    throw DataError({.what = "the model cannot be read as TorchScript",
                     .seen = file + ": " + std::string(error.what_without_backtrace()).substr(0, 200),
                     .advice = "save it in Python with torch.jit.script(module).save(file)"});
  }
}

}  // namespace

std::unique_ptr<Model> make_script_model(const NetSpec& spec, const ImageShape& shape, std::size_t classes,
                                         const torch::TensorOptions& options) {
  auto model = std::make_unique<ScriptModel>(load(spec.model), options);
  const auto reject = [&](const std::string& what) {
    throw ConfigError({.what = "the model does not suit the images",
                       .seen = spec.model + ": " + what,
                       .advice = "its forward must take a batch of images and give one score per class for each"});
  };
  if (model->weights().numel() == 0) reject("it has no parameters");
  torch::Tensor scores;
  try {
    const auto size = [](std::size_t n) { return static_cast<std::int64_t>(n); };
    const torch::NoGradGuard no_grad;
    scores = model->scores(torch::zeros({2, size(shape.channels), size(shape.height), size(shape.width)}, options),
                           false, 0.0);
  } catch (const std::exception& error) {  // what the user's code throws
    reject(std::string(error.what()).substr(0, 300));
  }
  if (scores.dim() != 2 || scores.size(0) != 2 || scores.size(1) != static_cast<std::int64_t>(classes))
    reject("two images give scores of shape " + c10::str(scores.sizes()) + ", not [2, " + std::to_string(classes) +
           "]");
  return model;
}

}  // namespace driftless
