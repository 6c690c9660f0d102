#include "driftless/glm/inference.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"
#include "driftless/glm/coefficient_scale.hpp"
#include "driftless/glm/distributions.hpp"
#include "driftless/glm/information_inverse.hpp"

#include <cmath>
#include <utility>

namespace driftless {
namespace {

bool estimates_dispersion(Family family) { return family == Family::least_squares || family == Family::gamma; }

class InferenceMaker {
 public:
  InferenceMaker(const GlmModel& model, const Evaluation& fitted, const InferenceSums& sums)
      : model_(model),
        sums_(sums),
        scale_(coefficient_scale(model)),
        information_(symmetric_of(sums.information)),
        penalty_(penalty_of_all()),
        inverse_(checked(information_ + Matrix(penalty_.asDiagonal()))) {
    DRIFTLESS_ASSERT(information_.rows() == model.coefficients.size(), "the information is of all coefficients");
    result_.family = model.family;
    result_.label = model.coding.label;
    result_.classes = model.coding.classes;
    result_.rows = fitted.rows;
    result_.weight = fitted.weight;
    result_.sites = sums.sites;
    result_.deviance = fitted.deviance;
    if (model.intercept && model.coding.offset.empty()) result_.null_deviance = fitted.null_deviance;
    result_.pearson = fitted.pearson;
    result_.log_likelihood = fitted.log_likelihood;
  }

  Inference run() {
    set_degrees();
    set_estimates();
    set_errors();
    add_notes();
    return std::move(result_);
  }

 private:
  Vector penalty_of_all() const {
    const auto predictions = static_cast<Index>(model_.family.predictions());
    return sums_.penalty.size() == 0 ? Vector(Vector::Zero(model_.coefficients.size()))
                                     : Vector(sums_.penalty.replicate(predictions, 1));
  }

  Matrix checked(Matrix curvature) const {
    if (!curvature.allFinite() || !model_.coefficients.allFinite())
      throw DataError(
          {.what = "The information about the coefficients is not finite, so they have no standard errors",
           .seen = "the fitted coefficients reach " + number(model_.coefficients.lpNorm<Eigen::Infinity>(), 3),
           .advice = "fit the model again with problem.l2 > 0, or look for extreme values in the tables"});
    return curvature;
  }

  void set_degrees() {
    result_.penalized = !penalty_.isZero(0.0);
    result_.parameters =
        result_.penalized ? inverse_.inverse().cwiseProduct(information_).sum() : static_cast<double>(inverse_.rank());
    result_.degrees = static_cast<double>(result_.rows) - result_.parameters;
    result_.dispersion_estimated = estimates_dispersion(model_.family.family);
    if (result_.dispersion_estimated)
      result_.dispersion = result_.degrees > 0.0 ? result_.pearson / result_.degrees : unknown_value;
    const double counted = result_.parameters + (result_.dispersion_estimated ? 1.0 : 0.0);
    result_.aic = 2.0 * (counted - result_.log_likelihood);
  }

  void set_estimates() {
    result_.names = scale_.names;
    result_.estimate = scale_.map * model_.coefficients;
    result_.coded_estimate = on_coded_scale(model_.coefficients);
    determined_.resize(scale_.names.size());
    for (Index row = 0; row < scale_.map.rows(); ++row)
      determined_[static_cast<std::size_t>(row)] = inverse_.determines(scale_.map.row(row).transpose());
  }

  // In the order of the names; of a constant that the model does not have it is not a number.
  Vector on_coded_scale(const Vector& coefficients) const {
    Vector coded(static_cast<Index>(scale_.coded.size()));
    for (std::size_t k = 0; k < scale_.coded.size(); ++k)
      coded[static_cast<Index>(k)] = scale_.coded[k] < 0 ? unknown_value : coefficients[scale_.coded[k]];
    return coded;
  }

  void set_errors() {
    const Matrix& inverse = inverse_.inverse();
    const double rows_degrees =
        result_.dispersion_estimated ? result_.degrees : std::numeric_limits<double>::infinity();
    if (has_likelihood(model_.family.family))
      set_errors(ErrorSource::model, result_.dispersion * inverse * information_ * inverse, rows_degrees);
    if (sums_.row_scores.size() > 0)
      set_errors(ErrorSource::row, inverse * symmetric_of(sums_.row_scores) * inverse, rows_degrees);
    if (sums_.site_scores.size() > 0 && sums_.sites > 1) {
      const double S = static_cast<double>(sums_.sites);
      set_errors(ErrorSource::site, S / (S - 1.0) * inverse * symmetric_of(sums_.site_scores) * inverse, S - 1.0);
    }
  }

  void set_errors(ErrorSource source, const Matrix& coded, double degrees) {
    CoefficientErrors errors{
        .error = {}, .degrees = degrees, .covariance = scale_.map * coded * scale_.map.transpose()};
    for (Index k = 0; k < errors.covariance.rows(); ++k) {
      if (determined_[static_cast<std::size_t>(k)]) continue;
      errors.covariance.row(k).setConstant(unknown_value);
      errors.covariance.col(k).setConstant(unknown_value);
    }
    errors.error = errors.covariance.diagonal().cwiseSqrt();
    if (result_.coded_error.size() == 0) {
      result_.coded_error = on_coded_scale(coded.diagonal().cwiseSqrt());
      for (std::size_t k = 0; k < determined_.size(); ++k)
        if (!coded_is_determined(k)) result_.coded_error[static_cast<Index>(k)] = unknown_value;
    }
    result_.errors[static_cast<std::size_t>(source)] = std::move(errors);
  }

  bool coded_is_determined(std::size_t k) const {
    return scale_.coded[k] >= 0 && inverse_.determines(Vector::Unit(information_.rows(), scale_.coded[k]));
  }

  template <class Chosen>
  std::string names_where(const Chosen& chosen) const {
    constexpr std::size_t most = 8;
    std::vector<std::string> names;
    std::size_t count = 0;
    for (std::size_t k = 0; k < scale_.names.size(); ++k) {
      if (!chosen(k)) continue;
      if (++count <= most) names.push_back(scale_.names[k]);
    }
    return join(names) + (count > most ? " and " + std::to_string(count - most) + " more" : "");
  }

  void add_notes() {
    if (result_.penalized)
      result_.notes.push_back("The penalty shrinks the coefficients. The errors are those of the penalised estimate "
                              "and leave out its bias, "
                              "so p values and intervals are not those of an unpenalised fit.");
    if (const std::string names = names_where([&](std::size_t k) { return !determined_[k]; }); !names.empty())
      warn("The rows do not determine " + names +
           ": these are constant, or combinations of each other. Leave some of them out, or set "
           "problem.l2 above 0.");
    if (const std::string names = names_where([&](std::size_t k) { return separates(k); }); !names.empty())
      warn("The labels are separated by " + names +
           ", or nearly so: without a penalty the coefficients grow without limit, and their errors "
           "mean nothing. Leave them out, merge levels, or set problem.l2 above 0.");
    if (!(result_.degrees > 0.0))
      warn("There are no more rows than coefficients: nothing is left to estimate errors from.");
    if (!has_likelihood(model_.family.family))
      result_.notes.push_back("This loss is not that of a distribution of the labels: its errors are sandwiches.");
    if (result_.errors_of(ErrorSource::site) && static_cast<double>(sums_.sites) <= result_.parameters)
      result_.notes.push_back("There are no more sites than coefficients: errors by site tell little.");
  }

  void warn(const std::string& note) {
    result_.notes.push_back(note);
    result_.warnings.push_back(note);
  }

  // A change of a standardised variable, or of a 0/1 one, by 1 never has an effect like this that rows determine so
  // badly, unless a linear combination of the variables tells the classes apart.
  bool separates(std::size_t k) const {
    const bool has_limits = model_.family.family == Family::logistic || model_.family.family == Family::multinomial ||
                            model_.family.family == Family::poisson;
    if (!has_limits || result_.coded_error.size() == 0) return false;
    const auto index = static_cast<Index>(k);
    return std::abs(result_.coded_estimate[index]) > 5.0 && result_.coded_error[index] > 20.0;
  }

  const GlmModel& model_;
  const InferenceSums& sums_;
  CoefficientScale scale_;
  Matrix information_;
  Vector penalty_;
  InformationInverse inverse_;
  std::vector<bool> determined_;  // of each coefficient on the original scale
  Inference result_;
};

}  // namespace

Inference make_inference(const GlmModel& model, const Evaluation& fitted, const InferenceSums& sums) {
  return InferenceMaker(model, fitted, sums).run();
}

std::optional<ErrorSource> Inference::usual_errors() const {
  for (const ErrorSource source : {ErrorSource::model, ErrorSource::row, ErrorSource::site})
    if (errors_of(source)) return source;
  return std::nullopt;
}

std::vector<CoefficientLine> coefficient_lines(const Inference& inference, ErrorSource source, double level) {
  const std::optional<CoefficientErrors>& errors = inference.errors_of(source);
  if (!errors)
    throw DataError({.what = "The run left no standard errors of this kind",
                     .seen = "errors by " + std::string(enum_name(source)),
                     .advice = "choose another kind; errors by site need two sites or more"});
  const bool known = errors->degrees > 0.0;
  const double factor = known ? student_quantile(0.5 + 0.5 * level, errors->degrees) : unknown_value;
  std::vector<CoefficientLine> lines;
  for (std::size_t k = 0; k < inference.names.size(); ++k) {
    const double estimate = inference.estimate[static_cast<Index>(k)], error = errors->error[static_cast<Index>(k)];
    const double statistic = estimate / error;
    const bool testable = known && std::isfinite(statistic);
    lines.push_back({.name = inference.names[k],
                     .estimate = estimate,
                     .error = error,
                     .statistic = statistic,
                     .p = testable ? 2.0 * student_tail(std::abs(statistic), errors->degrees) : unknown_value,
                     .low = estimate - factor * error,
                     .high = estimate + factor * error});
  }
  return lines;
}

std::string ratio_name(Family family) {
  switch (family) {
    case Family::logistic:
    case Family::multinomial: return "odds ratio";
    case Family::poisson: return "rate ratio";
    case Family::gamma: return "ratio of means";
    default: return "";
  }
}

}  // namespace driftless
