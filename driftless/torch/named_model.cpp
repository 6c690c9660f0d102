#include "driftless/core/error.hpp"
#include "driftless/core/random.hpp"
#include "driftless/torch/architectures.hpp"
#include "driftless/torch/model.hpp"

#include <cmath>
#include <functional>
#include <numeric>
#include <torch/script.h>

namespace driftless {
namespace {

constexpr double epsilon = 1e-5;  // of both normalisations

// One parameter or pair of statistics of a layer.
struct Declared {
  std::vector<std::int64_t> sizes;
  double low = 0.0;  // the start is uniform between these
  double high = 0.0;

  std::int64_t count() const {
    return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
  }
};

// A part of a flat vector in the shape of a parameter. Weights of convolutions lie in it with the input channel as the
// fastest index, which is the order in which they are computed with.
torch::Tensor view_of(const torch::Tensor& flat, std::int64_t from, const Declared& d) {
  const torch::Tensor part = flat.narrow(0, from, d.count());
  if (d.sizes.size() != 4) return part.view(d.sizes);
  return part.view({d.sizes[0], d.sizes[2], d.sizes[3], d.sizes[1]}).permute({0, 3, 1, 2});
}

std::int64_t groups_of(std::int64_t channels) { return std::gcd(channels, std::int64_t{32}); }

// Walks through a network without computing: which parameters it has, how they start, how many statistics.
class Declare {
 public:
  struct Value {
    std::int64_t channels, height, width;
  };
  explicit Declare(Norm norm) : norm_(norm) {}

  static std::int64_t channels(const Value& v) { return v.channels; }
  Value conv(Value v, std::int64_t channels, std::int64_t kernel, std::int64_t stride) {
    uniform({channels, v.channels, kernel, kernel}, v.channels * kernel * kernel);
    return {channels, (v.height - 1) / stride + 1, (v.width - 1) / stride + 1};
  }
  Value norm(Value v) {
    parameters.push_back({{v.channels}, 1.0, 1.0});
    parameters.push_back({{v.channels}, 0.0, 0.0});
    if (norm_ == Norm::batch) statistics.insert(statistics.end(), 2, Declared{{v.channels}});
    return v;
  }
  Value relu(Value v) { return v; }
  Value add(Value v, Value) { return v; }
  Value pool(Value v) { return {v.channels, v.height / 2, v.width / 2}; }
  Value mean(Value v) { return {v.channels, 1, 1}; }
  Value flatten(Value v) { return {v.channels * v.height * v.width, 1, 1}; }
  Value linear(Value v, std::int64_t outputs) {
    uniform({outputs, v.channels}, v.channels);
    uniform({outputs}, v.channels);
    return {outputs, 1, 1};
  }

  std::vector<Declared> parameters;
  std::vector<Declared> statistics;

 private:
  void uniform(std::vector<std::int64_t> sizes, std::int64_t inputs) {
    const double bound = 1.0 / std::sqrt(static_cast<double>(inputs));
    parameters.push_back({std::move(sizes), -bound, bound});
  }

  Norm norm_;
};

// Computes, taking parameters and statistics one after the other.
class Compute {
 public:
  using Value = torch::Tensor;
  Compute(const std::vector<torch::Tensor>& parameters, const std::vector<torch::Tensor>& statistics, bool training,
          double momentum)
      : parameter_(parameters.begin()),
        statistic_(statistics.begin()),
        batch_norm_(!statistics.empty()),
        training_(training),
        momentum_(momentum) {}

  static std::int64_t channels(const Value& v) { return v.size(1); }
  Value conv(const Value& v, std::int64_t, std::int64_t kernel, std::int64_t stride) {
    return torch::conv2d(v, *parameter_++, {}, stride, kernel / 2);
  }
  Value norm(const Value& v) {
    const torch::Tensor& weight = *parameter_++;
    const torch::Tensor& bias = *parameter_++;
    if (!batch_norm_) return torch::group_norm(v, groups_of(v.size(1)), weight, bias, epsilon);
    const torch::Tensor& mean = *statistic_++;
    const torch::Tensor& variance = *statistic_++;
    return torch::batch_norm(v, weight, bias, mean, variance, training_, momentum_, epsilon, true);
  }
  Value relu(const Value& v) { return torch::relu(v); }
  Value add(const Value& v, const Value& w) { return v + w; }
  Value pool(const Value& v) { return torch::max_pool2d(v, 2); }
  Value mean(const Value& v) { return v.mean({2, 3}); }
  Value flatten(const Value& v) { return v.flatten(1); }
  Value linear(const Value& v, std::int64_t) {
    const torch::Tensor& weight = *parameter_++;
    return torch::linear(v, weight, *parameter_++);
  }

 private:
  std::vector<torch::Tensor>::const_iterator parameter_;
  std::vector<torch::Tensor>::const_iterator statistic_;
  bool batch_norm_;
  bool training_;
  double momentum_;
};

// Writes the network down as the body of a TorchScript function. Names: p0, p1, … parameters, s0, … statistics.
class Write {
 public:
  struct Value {
    std::string name;
    std::int64_t channels;
  };
  explicit Write(bool batch_norm) : batch_norm_(batch_norm) {}

  static std::int64_t channels(const Value& v) { return v.channels; }
  Value conv(const Value& v, std::int64_t channels, std::int64_t kernel, std::int64_t stride) {
    return line(channels, "torch.conv2d(" + v.name + ", " + parameter() + ", None, " + pair(stride) + ", " +
                              pair(kernel / 2) + ")");
  }
  Value norm(const Value& v) {
    const std::string weight = parameter();
    const std::string bias = parameter();
    if (!batch_norm_)
      return line(v.channels, "torch.group_norm(" + v.name + ", " + std::to_string(groups_of(v.channels)) + ", " +
                                  weight + ", " + bias + ", " + number(epsilon) + ")");
    const std::string mean = statistic();
    return line(v.channels, "torch.batch_norm(" + v.name + ", " + weight + ", " + bias + ", " + mean + ", " +
                                statistic() + ", self.training, 0.1, " + number(epsilon) + ", True)");
  }
  Value relu(const Value& v) { return line(v.channels, "torch.relu(" + v.name + ")"); }
  Value add(const Value& v, const Value& w) { return line(v.channels, v.name + " + " + w.name); }
  Value pool(const Value& v) { return line(v.channels, "torch.max_pool2d(" + v.name + ", " + pair(2) + ")"); }
  Value mean(const Value& v) { return line(v.channels, "torch.mean(" + v.name + ", [2, 3])"); }
  Value flatten(const Value& v) { return line(v.channels, "torch.flatten(" + v.name + ", 1)"); }
  Value linear(const Value& v, std::int64_t outputs) {
    const std::string weight = parameter();
    return line(outputs, "torch.addmm(" + parameter() + ", " + v.name + ", torch.t(" + weight + "))");
  }

  std::string function(const Value& result) const {
    return "def forward(self, x: Tensor) -> Tensor:\n" + text_ + "  return " + result.name + "\n";
  }

 private:
  static std::string pair(std::int64_t n) { return "[" + std::to_string(n) + ", " + std::to_string(n) + "]"; }
  std::string parameter() { return "self.p" + std::to_string(parameters_++); }
  std::string statistic() { return "self.s" + std::to_string(statistics_++); }
  Value line(std::int64_t channels, const std::string& expression) {
    const std::string name = "v" + std::to_string(lines_++);
    text_ += "  " + name + " = " + expression + "\n";
    return {name, channels};
  }

  bool batch_norm_;
  std::size_t parameters_ = 0, statistics_ = 0, lines_ = 0;
  std::string text_;
};

enum class Name { softmax, mlp, cnn, resnet18 };

}  // namespace

template <>
struct EnumNames<Name> {
  static constexpr std::array<std::string_view, 4> value{"softmax", "mlp", "cnn", "resnet18"};
};

namespace {

Name name_of(const NetSpec& spec) {
  Name name{};
  if (OptionType<Name>::read(OptionValue(spec.model), name)) return name;
  throw ConfigError(
      {.what = "there is no such model",
       .seen = "model = \"" + spec.model + "\"",
       .advice = "choose " + OptionType<Name>::allowed() + ", or give a TorchScript file that ends in .pt"});
}

class NamedModel final : public Model {
 public:
  NamedModel(const NetSpec& spec, const ImageShape& shape, std::size_t classes, const torch::TensorOptions& options)
      : name_(name_of(spec)),
        width_(width_of(name_, spec)),
        classes_(static_cast<std::int64_t>(classes)),
        channels_(static_cast<std::int64_t>(shape.channels)) {
    Declare declare(spec.norm);
    walk(declare,
         Declare::Value{channels_, static_cast<std::int64_t>(shape.height), static_cast<std::int64_t>(shape.width)});
    declared_ = std::move(declare.parameters);
    allocate(count(declared_), count(declare.statistics), options);
    parameters_ = views(weights_);
    const std::vector<torch::Tensor> gradients = views(gradient_);
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      parameters_[k] = parameters_[k].detach().requires_grad_(true);
      parameters_[k].mutable_grad() = gradients[k];
    }
    statistic_views_ = views_of(statistics_, declare.statistics);
  }

  torch::Tensor scores(const torch::Tensor& images, bool training, double momentum) override {
    Compute compute(parameters_, statistic_views_, training, momentum);
    return walk(compute, images);
  }

  Vector start(std::uint64_t seed) const override {
    Vector x(weights_.numel());
    Stream chance(seed, Purpose::generator);
    Index at = 0;
    for (const Declared& d : declared_)
      for (std::int64_t k = 0; k < d.count(); ++k) x[at++] = d.low < d.high ? chance.uniform(d.low, d.high) : d.low;
    return x;
  }

  void save_script(const std::string& file) const override {
    Write write(!statistic_views_.empty());
    torch::jit::Module module("driftless_net");
    for (std::size_t k = 0; k < parameters_.size(); ++k)
      module.register_parameter("p" + std::to_string(k), parameters_[k].detach().cpu().contiguous().clone(), false);
    for (std::size_t k = 0; k < statistic_views_.size(); ++k)
      module.register_buffer("s" + std::to_string(k), statistic_views_[k].detach().cpu().clone());
    if (!module.hasattr("training")) module.register_attribute("training", c10::BoolType::get(), false);
    module.define(write.function(walk(write, Write::Value{"x", channels_})));
    module.save(file);
  }

  std::vector<torch::Tensor> views(const torch::Tensor& flat) const override { return views_of(flat, declared_); }

 private:
  static std::int64_t width_of(Name name, const NetSpec& spec) {
    constexpr std::array<std::size_t, 4> usual{1, 200, 16, 64};
    return static_cast<std::int64_t>(spec.width.value_or(usual[static_cast<std::size_t>(name)]));
  }
  static std::int64_t count(const std::vector<Declared>& all) {
    return std::accumulate(all.begin(), all.end(), std::int64_t{0},
                           [](std::int64_t sum, const Declared& d) { return sum + d.count(); });
  }
  static std::vector<torch::Tensor> views_of(const torch::Tensor& flat, const std::vector<Declared>& all) {
    std::vector<torch::Tensor> result;
    std::int64_t at = 0;
    for (const Declared& d : all) {
      result.push_back(view_of(flat, at, d));
      at += d.count();
    }
    return result;
  }
  template <class Ops>
  typename Ops::Value walk(Ops& ops, typename Ops::Value images) const {
    switch (name_) {
      case Name::softmax: return softmax_regression(ops, images, classes_);
      case Name::mlp: return multilayer_perceptron(ops, images, width_, classes_);
      case Name::cnn: return small_cnn(ops, images, width_, classes_);
      case Name::resnet18: return resnet18(ops, images, width_, classes_);
    }
    return images;
  }

  Name name_;
  std::int64_t width_;
  std::int64_t classes_;
  std::int64_t channels_;
  std::vector<Declared> declared_;
  std::vector<torch::Tensor> statistic_views_;
};

}  // namespace

std::unique_ptr<Model> make_named_model(const NetSpec& spec, const ImageShape& shape, std::size_t classes,
                                        const torch::TensorOptions& options) {
  return std::make_unique<NamedModel>(spec, shape, classes, options);
}

}  // namespace driftless
