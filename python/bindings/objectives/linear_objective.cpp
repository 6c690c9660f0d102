#include "driftless/objectives/linear/loss_catalog.hpp"

#include "python/bindings/objectives/makers.hpp"

#include <algorithm>

namespace driftless::python {
namespace {

const LossInfo& find_loss(const std::string& name) {
  const std::vector<LossInfo>& losses = loss_catalog();
  const auto found = std::ranges::find(losses, name, &LossInfo::name);
  if (found != losses.end()) return *found;
  std::vector<std::string> names;
  for (const LossInfo& loss : losses) names.emplace_back(loss.name);
  throw ConfigError({.what = "there is no loss of this name", .seen = name, .advice = "use one of: " + join(names)});
}

class LinearObjective final : public Objective {
 public:
  LinearObjective(std::string_view loss, std::unique_ptr<const LinearStore> store, const LinearOptions& options)
      : loss_(loss), store_(std::move(store)), options_(options) {}

  Index dim() const override { return store_->columns() + (options_.intercept ? 1 : 0); }
  std::size_t rows() const override { return store_->rows(); }
  PenaltyWeights penalty() const override { return {.l2 = options_.l2, .beta = options_.beta}; }
  bool weighted_by_all() const override { return !options_.weight; }
  std::string text() const override {
    return loss_ + ": " + std::to_string(rows()) + " rows, " + std::to_string(dim()) +
           " variables, l2 = " + number(options_.l2) + "; " + store_->layout() + ", " +
           std::to_string(store_->bytes()) + " bytes";
  }
  std::unique_ptr<ClientObjective> client(double row_weight) const override {
    return store_->client({.weight = options_.weight.value_or(row_weight),
                           .l2 = options_.l2,
                           .beta = options_.beta,
                           .intercept = options_.intercept});
  }

 private:
  std::string loss_;
  std::unique_ptr<const LinearStore> store_;
  LinearOptions options_;
};

class PreparedObjective final : public Objective {
 public:
  PreparedObjective(std::unique_ptr<ClientObjective> prototype, std::string text)
      : prototype_(std::move(prototype)), text_(std::move(text)) {}

  Index dim() const override { return prototype_->dim(); }
  std::string text() const override { return text_; }
  std::unique_ptr<ClientObjective> client(double /*row_weight*/) const override { return prototype_->clone(); }

 private:
  std::unique_ptr<const ClientObjective> prototype_;
  std::string text_;
};

}  // namespace

std::shared_ptr<Objective> linear_objective(const std::string& loss, const RowsView& view,
                                            std::span<const std::int32_t> list, const LinearOptions& options) {
  const LossInfo& info = find_loss(loss);
  return std::make_shared<LinearObjective>(info.name, info.make_store(view, list, {}, options.storage), options);
}

std::shared_ptr<Objective> prepared_objective(std::unique_ptr<ClientObjective> prototype, std::string text) {
  return std::make_shared<PreparedObjective>(std::move(prototype), std::move(text));
}

RunClients::RunClients(const Objectives& objectives) : objectives_(objectives) {
  double mass = 0.0;
  std::size_t weighted = 0;
  for (const auto& objective : objectives) {
    if (objective->weighted_by_all()) ++weighted;
    mass += objective->mass();
  }
  if (weighted > 0 && weighted < objectives.size())
    throw ConfigError({.what = "the weight of the rows of some clients is not known, because others have none",
                       .seen = std::to_string(weighted) + " of " + std::to_string(objectives.size()) +
                               " clients are losses over rows without a weight",
                       .advice = "give weight=1/len(y), or another weight of a row, to each of them"});
  if (mass > 0.0) row_weight_ = static_cast<double>(objectives.size()) / mass;
  for (const auto& objective : objectives) list_.push_back(objective->take(row_weight_));
}

void RunClients::give_back() {
  for (std::size_t k = 0; k < list_.size(); ++k) objectives_[k]->give_back(row_weight_, std::move(list_[k]));
  list_.clear();
}

}  // namespace driftless::python
