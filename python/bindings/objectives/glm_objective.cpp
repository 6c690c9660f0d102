#include "driftless/objectives/glm/glm_store.hpp"

#include "python/bindings/objectives/makers.hpp"

#include <numeric>

namespace driftless::python {
namespace {

class GlmObjective final : public Objective {
 public:
  GlmObjective(const RowsView& view, std::span<const std::int32_t> list, GlmColumns columns, GlmOptions options)
      : options_(std::move(options)), store_(view, list, std::move(columns), options_.family) {
    const std::span<const double> weight = store_.weight();
    mass_ = std::accumulate(weight.begin(), weight.end(), 0.0);
    if (!(mass_ > 0.0))
      throw DataError({.what = "all rows of a client have the weight 0",
                       .seen = std::to_string(store_.rows()) + " rows",
                       .advice = "leave out clients without rows that count"});
  }

  Index dim() const override {
    return (store_.columns() + (options_.intercept ? 1 : 0)) * static_cast<Index>(options_.family.predictions());
  }
  std::size_t rows() const override { return store_.rows(); }
  double mass() const override { return mass_; }
  bool weighted_by_all() const override { return true; }
  std::string text() const override {
    return std::string(enum_name(options_.family.family)) + ": " + std::to_string(rows()) + " rows, " +
           std::to_string(dim()) + " variables";
  }
  std::unique_ptr<ClientObjective> client(double row_weight) const override {
    GlmOptions options = options_;
    options.scale = row_weight;
    return store_.client(options);
  }

 private:
  GlmOptions options_;
  GlmStore store_;
  double mass_ = 0.0;
};

}  // namespace

std::shared_ptr<Objective> glm_objective(const RowsView& view, std::span<const std::int32_t> list, GlmColumns columns,
                                         const GlmOptions& options) {
  return std::make_shared<GlmObjective>(view, list, std::move(columns), options);
}

}  // namespace driftless::python
