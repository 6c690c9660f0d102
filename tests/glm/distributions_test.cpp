// Against values computed with 50 digits.
#include "driftless/glm/distributions.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace driftless {
namespace {

struct Value {
  double argument;
  double expected;
};

struct ValueOfDegrees {
  double argument;
  double degrees;
  double expected;
};

void expect_close(double found, double expected, double relative) {
  EXPECT_LE(std::abs(found - expected), relative * std::abs(expected))
      << found << " instead of " << expected << ", relative error " << std::abs(found / expected - 1.0);
}

TEST(Distributions, TailsOfTheNormalDistributionAreExactToRounding) {
  for (const Value& v : {Value{-3.0, 0.99865010196836990547},
                         {-0.5, 0.69146246127401310364},
                         {0.0, 0.5},
                         {0.001, 0.49960105778608893741},
                         {0.7, 0.24196365222307302862},
                         {1.0, 0.15865525393145705141},
                         {1.959963984540054, 0.025000000000000010876},
                         {3.25, 0.00057702504239076704292},
                         {7.5, 3.1908916729108962278e-14},
                         {20.0, 2.7536241186062336951e-89},
                         {37.5, 4.6053530095819548438e-308}})
    expect_close(normal_tail(v.argument), v.expected, 1e-14);
}

TEST(Distributions, QuantilesOfTheNormalDistributionAreExactToRounding) {
  for (const Value& v : {Value{1e-300, -37.047096299361199237},
                         {1e-20, -9.2623400897984075796},
                         {1e-05, -4.2648907939228246102},
                         {0.025, -1.9599639845400542118},
                         {0.3, -0.52440051270804081597},
                         {0.45, -0.12566134685507400616},
                         {0.5009765625, 0.0024478816191106774544},
                         {0.75, 0.6744897501960817432},
                         {0.9, 1.2815515655446005935},
                         {0.975, 1.9599639845400538556},
                         {0.995, 2.5758293035489004539},
                         {0.9999, 3.7190164854557083867}})
    expect_close(normal_quantile(v.argument), v.expected, 1e-14);
}

TEST(Distributions, TailsOfStudentsDistributionAreExactToRoundingFromOneDegreeOfFreedomToManyMillions) {
  for (const ValueOfDegrees& v : {ValueOfDegrees{0.1, 1.0, 0.46827448256944642874},
                                  {1.0, 1.0, 0.25},
                                  {100.0, 1.0, 0.0031829927649082551491},
                                  {2.5, 2.0, 0.064805860110755404557},
                                  {-2.0, 3.0, 0.93033701572057841158},
                                  {0.01, 5.0, 0.49620400902129095138},
                                  {2.0, 4.5, 0.054128953590562513324},
                                  {3.0, 7.0, 0.009971063065996268961},
                                  {12.0, 7.0, 3.1791551890925501353e-6},
                                  {1.0, 30.0, 0.16265430771301494562},
                                  {5.0, 30.0, 0.000011648342733503897566},
                                  {2.0, 63.7, 0.024884013975059387293},
                                  {7.0, 100.0, 1.4917833018046013837e-10},
                                  {0.5, 1000.0, 0.30859254041693740732},
                                  {6.0, 1000.0, 1.3776845866887345563e-9},
                                  {1.96, 100000.0, 0.024999281597150819017},
                                  {7.0, 100000.0, 1.2878278339079916407e-12},
                                  {1.5, 100000000.0, 0.066807202847353760043},
                                  {6.0, 100000000.0, 9.8659101715764352714e-10}})
    expect_close(student_tail(v.argument, v.degrees), v.expected, 1e-14);
}

TEST(Distributions, QuantilesOfStudentsDistributionAreExactToRounding) {
  for (const ValueOfDegrees& v : {ValueOfDegrees{0.975, 1.0, 12.706204736174693314},
                                  {0.975, 2.0, 4.3026527297494617894},
                                  {0.025, 5.0, -2.570581835636315469},
                                  {0.995, 9.5, 3.2070156284394888516},
                                  {0.6, 4.0, 0.270722294707597363},
                                  {0.501953125, 12.0, 0.0049987261814409624148},
                                  {0.975, 28.0, 2.0484071417952447346},
                                  {0.95, 500.0, 1.647906853929510715},
                                  {1e-09, 11.0, -17.677863894376583178},
                                  {0.975, 1000000.0, 1.9599663568141066553}})
    expect_close(student_quantile(v.argument, v.degrees), v.expected, 1e-14);
}

TEST(Distributions, TailsOfChiSquaredHaveThirteenDigits) {
  for (const ValueOfDegrees& v : {ValueOfDegrees{0.5, 1.0, 0.47950012218695346232},
                                  {3.841458820694124, 1.0, 0.050000000000000057435},
                                  {100.0, 1.0, 1.5239706048321052132e-23},
                                  {1.0, 3.0, 0.80125195690120080243},
                                  {12.0, 7.0, 0.10055886850835884234},
                                  {60.0, 7.0, 1.5095553022989121152e-10},
                                  {0.1, 10.0, 0.99999999750204866399},
                                  {95.0, 100.0, 0.62257929187817352765},
                                  {130.0, 100.0, 0.02351239780980867575},
                                  {250.0, 100.0, 7.7669364035391770701e-15},
                                  {1000.0, 1000.0, 0.49405285382923964195},
                                  {1200.0, 1000.0, 0.000012255942330622904168},
                                  {980000.0, 1000000.0, 1.0},
                                  {1005000.0, 1000000.0, 0.00020767800946703002892}})
    expect_close(chi_squared_tail(v.argument, v.degrees), v.expected, 1e-13);
}

TEST(Distributions, InfinitelyManyDegreesOfFreedomAreTheNormalDistribution) {
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(student_tail(1.25, infinite), normal_tail(1.25));
  EXPECT_EQ(student_quantile(0.9, infinite), normal_quantile(0.9));
  EXPECT_EQ(student_tail(infinite, 3.0), 0.0);
  EXPECT_EQ(student_tail(-infinite, 3.0), 1.0);
}

TEST(Distributions, MediansAreZero) {
  EXPECT_EQ(normal_quantile(0.5), 0.0);
  EXPECT_EQ(student_quantile(0.5, 3.0), 0.0);
  EXPECT_EQ(student_tail(0.0, 3.0), 0.5);
}

}  // namespace
}  // namespace driftless
