// A network whose parameters are views of one flat vector, and so are their gradients: loading a point, reading a
// gradient and stepping are one operation on one vector, and nothing is copied in between.
#pragma once

#include "driftless/core/vector.hpp"
#include "driftless/data/images/image_set.hpp"
#include "driftless/torch/net_spec.hpp"

#include <memory>
#include <string>
#include <torch/types.h>
#include <vector>

namespace driftless {

class Model {
 public:
  virtual ~Model() = default;

  const torch::Tensor& weights() const { return weights_; }  // x
  const torch::Tensor& gradient() const { return gradient_; }
  // Running means and variances of batch normalisation, all in one vector; empty where there is none.
  const torch::Tensor& statistics() const { return statistics_; }
  const std::vector<torch::Tensor>& parameters() const { return parameters_; }  // views, leaves of the graph

  // One row of scores per image. In training the statistics are those of the batch, and the running ones move towards
  // them by the share `momentum`; otherwise the running ones are used.
  virtual torch::Tensor scores(const torch::Tensor& images, bool training, double momentum) = 0;

  virtual Vector start(std::uint64_t seed) const = 0;
  virtual void save_script(const std::string& file) const = 0;  // as TorchScript, with the present weights

  // Tensors of the shapes of the parameters that are views of `flat`.
  virtual std::vector<torch::Tensor> views(const torch::Tensor& flat) const = 0;

 protected:
  void allocate(std::int64_t parameters, std::int64_t statistics, const torch::TensorOptions& options);

  torch::Tensor weights_;
  torch::Tensor gradient_;
  torch::Tensor statistics_;
  std::vector<torch::Tensor> parameters_;
};

// ConfigError for an unknown name or a file that is no TorchScript module for such images.
std::unique_ptr<Model> make_model(const NetSpec& spec, const ImageShape& shape, std::size_t classes,
                                  const torch::TensorOptions& options);

// The parts of `make_model`: networks of our own, and what a user brings.
std::unique_ptr<Model> make_named_model(const NetSpec& spec, const ImageShape& shape, std::size_t classes,
                                        const torch::TensorOptions& options);
std::unique_ptr<Model> make_script_model(const NetSpec& spec, const ImageShape& shape, std::size_t classes,
                                         const torch::TensorOptions& options);

}  // namespace driftless
