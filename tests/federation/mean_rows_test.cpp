// Exchanges of vectors, symmetric matrices and numbers at once, and what the ledger counts of them.
#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

// Quadratics whose Hessians are known, over 3 clients in 4 dimensions.
struct ThreeQuadratics {
  Instance instance = random_quadratics(7, 3, 4);
  InProcessTransport transport{3};
  ThreadPool pool{2};
  Federation fed{instance.clients, transport, pool, 1};
};

TEST(MeanRows, CarriesVectorsMatricesAndNumbersInOneExchange) {
  ThreeQuadratics r;
  const Vector x = Vector::LinSpaced(4, -1.0, 2.0);
  RowMean mean = r.fed.mean_rows({r.fed.everyone(), r.fed.everyone()}, {.vectors = 2, .matrices = 1, .scalars = 2},
                                 {.vectors = 1}, [&](Client& i, Row& row) {
                                   row.scalars()[1] = i.value_gradient(x, row.vector(1));
                                   row.scalars()[0] = 1.0 + static_cast<double>(i.id());
                                   row.vector(0) = x;
                                   i.hessian(x, row.matrix());
                                 });
  EXPECT_LE((mean.vector(0) - x).norm(), 1e-15);
  EXPECT_LE((mean.vector(1) - r.instance.gradient(x)).norm(), 1e-12);
  EXPECT_DOUBLE_EQ(mean.scalar(0), 2.0);
  EXPECT_NEAR(mean.scalar(1), r.instance.value(x), 1e-12 * r.instance.value(x));
  const Matrix H = (r.instance.hessians[0] + r.instance.hessians[1] + r.instance.hessians[2]) / 3.0;
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j <= i; ++j) EXPECT_NEAR(mean.matrix()[triangle_size(i) + j], H(i, j), 1e-13);
}

// d = 4: a triangle has 10 numbers, 80 bytes, and fills 3 vectors.
TEST(MeanRows, AreCountedWithTheirMatrices) {
  ThreeQuadratics r;
  const Vector x = Vector::Zero(4);
  r.fed.mean_rows({r.fed.everyone(), r.fed.nobody()}, {.vectors = 1, .matrices = 1, .scalars = 1}, {.vectors = 1},
                  [&](Client& i, Row& row) {
                    i.gradient(x, row.vector());
                    i.hessian(x, row.matrix());
                    row.scalars()[0] = 0.0;
                  });
  const Ledger& ledger = r.fed.ledger();
  EXPECT_EQ(ledger.exchanges, 1U);
  EXPECT_EQ(ledger.vectors_up, 3U * (1U + 3U));
  EXPECT_EQ(ledger.bytes_up, 3U * (32U + 80U));
  EXPECT_EQ(ledger.scalars_up, 3U);
  EXPECT_EQ(ledger.vectors_down, 0U);  // nobody receives
  EXPECT_EQ(r.fed.busiest().gradients, 2U);
}

// A client that offers only products forms its Hessian from d of them, and they are counted.
struct ProductsAlone {
  Matrix a;

  Index dim() const { return a.rows(); }
  double value_gradient(VecIn x, VecOut g) const {
    g = a * x;
    return 0.5 * x.dot(g);
  }
  void hessian_vector(VecIn, VecIn v, VecOut hv) const { hv = a * v; }
};

TEST(MeanRows, AHessianOfProductsAloneCostsAPassForEachVariable) {
  const Matrix a = random_quadratics(3, 1, 5).hessians[0];
  ClientObjectives clients;
  clients.push_back(make_client(ProductsAlone{a}));
  InProcessTransport transport(1);
  ThreadPool pool(1);
  Federation fed(clients, transport, pool, 1);
  RowMean mean = fed.mean_rows({fed.everyone(), fed.everyone()}, {.matrices = 1}, {},
                               [&](Client& i, Row& row) { i.hessian(Vector::Zero(5), row.matrix()); });
  EXPECT_EQ(fed.busiest().gradients, 5U);
  EXPECT_DOUBLE_EQ(mean.matrix()[triangle_size(3) + 1], a(3, 1));
}

}  // namespace
}  // namespace driftless::test
