// What one exchange releases, as far as privacy is concerned: a bound ρ(α) of the Rényi divergence of order α between
// what two neighbouring data sets give, for every α > 1 (Mironov, "Rényi differential privacy", CSF 2017).
#pragma once

#include <cstddef>

namespace driftless {

// Noise of n sites on the lattice of whole numbers: each adds an independent discrete Gaussian to each of d entries.
struct SummedNoise {
  std::size_t sites = 1;      // n, those whose noise is in the sum
  double deviation = 1.0;     // σ of one site, in units of the lattice, at least 1/2
  double sensitivity = 1.0;   // Δ in the L2 norm, in units of the lattice
  std::size_t dimension = 1;  // d
};

class Mechanism {
 public:
  // N(0, σ²) in every entry of a function of L2 sensitivity Δ: ρ(α) = α Δ²/(2σ²).
  static Mechanism gaussian(double sigma, double sensitivity = 1.0);

  // The same bound holds for noise with chances in proportion to e^{−k²/(2σ²)}, k whole, if the function has whole
  // values: Canonne, Kamath, Steinke, "The discrete Gaussian for differential privacy", NeurIPS 2020.
  static Mechanism discrete_gaussian(double sigma, double sensitivity = 1.0);

  // A sum of discrete Gaussians is not one, but close: Kairouz, Liu, Steinke, "The distributed discrete Gaussian
  // mechanism", ICML 2021. With s = Δ/(√n σ):
  //   ρ(α) = min(α s²/2 + τ d, α (s + τ√d)²/2),  τ = 10 Σ_{k=1}^{n−1} e^{−2π²σ² k/(k+1)}
  static Mechanism discrete_gaussian_sum(const SummedNoise& noise);

  // The Gaussian mechanism on a sample that has each record with chance `rate` (sampled_gaussian.hpp). The sample is
  // secret, and a neighbouring data set has one record more or less.
  static Mechanism sampled_gaussian(double sigma, double rate, double sensitivity = 1.0);

  double rdp(double order) const;  // ρ(α), α > 1

 private:
  explicit Mechanism(double noise) : noise_(noise), wide_noise_(noise) {}

  double noise_;         // σ/Δ
  double wide_noise_;    // 1/(s + τ√d)
  double offset_ = 0.0;  // τ d
  double rate_ = 1.0;
};

double sum_correction(std::size_t sites, double deviation);  // τ

}  // namespace driftless
