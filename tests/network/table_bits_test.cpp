// A whole run on tables: one process, or a server with three sites over TLS, gives the same bytes.
#include "tests/network/table_silos.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

class TableBits : public testing::TestWithParam<TablePipeline> {};

TEST_P(TableBits, OverTlsAreThoseOfOneProcess) {
  TableSilos tables(GetParam());
  const std::string bits = tables.bits_alone();
  ASSERT_GT(bits.size(), 3000U);
  tables.silos().start_all();
  EXPECT_EQ(tables.fault(bits), "");
}

INSTANTIATE_TEST_SUITE_P(
    Network, TableBits,
    testing::Values(
        TablePipeline{.name = "CrossValidatedMultinomialWithTestRows",
                      .problem = "family = \"multinomial\"\nl2 = \"cv\"\nfolds = 3\npath_length = 4\n"
                                 "test = 0.25\nmin_count = 4\nmin_rows = 5\n"},
        TablePipeline{.name = "SitesWithSeveralTables",
                      .problem = "family = \"multinomial\"\nl2 = \"1/M\"\nscale = \"robust\"\ntest = 0.2\n",
                      .hosts = {1, 3, 2},
                      .methods = "[[method]]\nname = \"newton-cg\"\n[stop]\nrounds = 40\ngrad_norm = 1e-6\n"},
        TablePipeline{.name = "CountsWithoutTestRowsAndErrors",
                      .problem = "family = \"poisson\"\nl2 = 0.01\nscale = \"minmax\"\nstandard_errors = false\n"
                                 "penalty_factors = [\"age=0\"]\n",
                      .hosts = {2, 1, 1},
                      .label = "visits"}),
    [](const auto& pipeline) { return pipeline.param.name; });

}  // namespace
}  // namespace driftless
