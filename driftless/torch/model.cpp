#include "driftless/torch/model.hpp"

namespace driftless {

void Model::allocate(std::int64_t parameters, std::int64_t statistics, const torch::TensorOptions& options) {
  weights_ = torch::zeros({parameters}, options);
  gradient_ = torch::zeros({parameters}, options);
  statistics_ = torch::zeros({statistics}, options);
}

std::unique_ptr<Model> make_model(const NetSpec& spec, const ImageShape& shape, std::size_t classes,
                                  const torch::TensorOptions& options) {
  return spec.is_file() ? make_script_model(spec, shape, classes, options)
                        : make_named_model(spec, shape, classes, options);
}

}  // namespace driftless
