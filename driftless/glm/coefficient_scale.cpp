#include "driftless/glm/coefficient_scale.hpp"

#include "driftless/glm/original_scale.hpp"

namespace driftless {
namespace {

struct Centring {
  Vector center;  // of each variable
  Vector scale;
};

Centring centring_of(const Coding& coding) {
  const auto variables = static_cast<Index>(coding.variables());
  Centring all{Vector::Zero(variables), Vector::Ones(variables)};
  Index first = 0;
  for (const CodedColumn& column : coding.columns) {
    // Levels and indicators are 0 or 1.
    if (column.role != ColumnRole::categorical) {
      all.center[first] = column.center;
      all.scale[first] = column.scale;
    }
    first += static_cast<Index>(column.variables());
  }
  return all;
}

}  // namespace

CoefficientScale coefficient_scale(const GlmModel& model) {
  const Centring centring = centring_of(model.coding);
  const std::vector<std::string> variables = variable_names(model.coding);
  const auto d = static_cast<Index>(variables.size()), width = static_cast<Index>(model.width());
  // A model without an intercept has a constant all the same where its variables are centred.
  const bool constant = model.intercept || !centring.center.isZero(0.0);
  const Index rows = d + (constant ? 1 : 0), first = rows - d;
  Matrix block = Matrix::Zero(rows, width);
  block.bottomLeftCorner(d, d) = centring.scale.cwiseInverse().asDiagonal();
  if (constant) block.row(0).head(d) = -centring.center.cwiseQuotient(centring.scale).transpose();
  if (model.intercept) block(0, d) = 1.0;

  const auto predictions = static_cast<Index>(model.family.predictions());
  const std::vector<std::string> classes = prediction_names(model);
  CoefficientScale scale{.names = {}, .map = Matrix::Zero(predictions * rows, predictions * width), .coded = {}};
  for (Index k = 0; k < predictions; ++k) {
    scale.map.block(k * rows, k * width, rows, width) = block;
    for (Index row = 0; row < rows; ++row) {
      const bool is_constant = row < first;
      const std::string name = is_constant ? scale.constant : variables[static_cast<std::size_t>(row - first)];
      scale.names.push_back(predictions > 1 ? classes[static_cast<std::size_t>(k)] + ": " + name : name);
      const Index of_block = is_constant ? (model.intercept ? d : -1) : row - first;
      scale.coded.push_back(of_block < 0 ? -1 : k * width + of_block);
    }
  }
  return scale;
}

}  // namespace driftless
